"""Nothing a repository puts into names, messages or subjects reaches a terminal raw, or reshapes output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.model.codec import encode
from crimes.model.report import SkippedFile
from crimes.model.sanitize import safe
from crimes.render import context, explain
from crimes.render import lines as lines_module
from crimes.render.brief import markdown
from crimes.render.formats import human, plain
from crimes.render.lines import Line, line, terminal
from crimes.workflows.briefing.record import Briefing
from crimes.workflows.explanation import FindingDetails
from crimes.workflows.source_lines import Source
from tests.kit.briefings import briefing
from tests.kit.gitrepo import GitRepo
from tests.kit.hostile_text import HOSTILE, HOSTILE_NAMES, is_clean, tainted_finding
from tests.kit.reports import crime, report
from tests.kit.sample_code import TANGLED


def tainted_briefing(text: str) -> Briefing:
    return briefing(text)


def rendered(lines: Callable[[], list[Line]]) -> dict[str, str]:
    return {
        "plain": lines_module.plain(lines()),
        "terminal": terminal(lines(), 100, color=False),
    }


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_reports_and_explanations_stay_clean(text: str) -> None:
    made = tainted_finding(text)
    files = msgspec.structs.replace(
        report().files, skipped=(SkippedFile(text, text),), not_supported={text: 1}
    )
    whole = report(
        made, hidden=(tainted_finding(text + "2"),), files=files, warnings=(text,), repository=text
    )
    options = {"top": None, "always_profile": True, "verbose": True}
    source = Source((text, "plain", text) * 20, text)
    for view in (
        lambda: list(human.lines(whole, **options)),  # type: ignore[arg-type]
        lambda: list(plain.lines(whole, **options)),  # type: ignore[arg-type]
        lambda: list(explain.lines(FindingDetails(made, None, source, whole.history))),
        lambda: list(context.lines([tainted_briefing(text)])),
    ):
        for how, output in rendered(view).items():
            assert is_clean(output), how
            assert "fake.py" not in {row.split(":")[0] for row in output.splitlines()}, how


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_names_add_no_lines_to_a_piped_report(text: str) -> None:
    shown = lines_module.plain(
        plain.lines(report(tainted_finding(text)), top=None, always_profile=False, verbose=False)
    )
    harmless = lines_module.plain(
        plain.lines(report(tainted_finding("x")), top=None, always_profile=False, verbose=False)
    )
    assert len(shown.splitlines()) == len(harmless.splitlines())


@pytest.mark.parametrize("text", ["[red]markup[/red]", "[/]", "[bold]", ":smile:"])
def test_rich_markup_is_printed_verbatim(text: str) -> None:
    shown = terminal([line(text)], 80, color=True)
    assert shown == f"{text}\n"


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_markdown_stays_clean_and_keeps_its_shape(text: str) -> None:
    shown = markdown([tainted_briefing(text)])
    harmless = markdown([tainted_briefing("x")])
    assert is_clean(shown)
    assert [row for row in shown.splitlines() if row.startswith("#")][1:] == [
        row for row in harmless.splitlines() if row.startswith("#")
    ][1:]
    from markdown_it import MarkdownIt

    for token in MarkdownIt("commonmark").parse(shown):
        assert token.type != "html_block"
        for child in token.children or ():
            assert child.type not in ("html_inline", "image", "link_open")


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_json_is_json_in_utf8_without_raw_controls(text: str) -> None:
    data = encode(report(tainted_finding(text)))
    assert is_clean(data.decode("utf-8"))
    message = json.loads(data)["findings"][0]["message"]
    assert message == text.replace("\udce9", "\\xe9")


def test_safe_leaves_no_dangerous_character_of_all_there_are() -> None:
    every = "".join(map(chr, range(0x110000)))
    made = safe(every)
    assert is_clean(made)
    assert "\n" not in made
    assert safe(made) == made


@pytest.mark.parametrize("text", ["plain_name.py", "größe.py", "日本語　名.py", "😀.py", "[/]`*\\"])
def test_safe_keeps_readable_text(text: str) -> None:
    assert safe(text) == text


@given(st.text(alphabet=st.characters()))
def test_any_name_can_be_written_as_json(text: str) -> None:
    data = encode(report(crime(file=text)))
    assert is_clean(data.decode("utf-8"))
    assert json.loads(data)["findings"][0]["lines"]["start"] == 10


def test_safe_escapes_the_characters_it_removes() -> None:
    assert safe("a\x1b[31m\nb\u202ec\udcffd\U000e0041") == "a\\x1b[31m\\x0ab\\u202ec\\xffd\\U000e0041"


# The whole way: a real repository with such names and commits, through the real commands.


@pytest.fixture(scope="module")
def hostile_repo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    made = GitRepo(tmp_path_factory.mktemp("hostile") / "repo")
    files = dict.fromkeys(HOSTILE_NAMES, TANGLED)
    made.commit(files, "Fix \x1b[2J\u202e [red]all[/] <script>", author="Eve \x1b[31m <eve@example.org>")
    return made


def run(hostile_repo: GitRepo, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    cache = hostile_repo.path.parent / "cache"
    return subprocess.run(
        [sys.executable, "-m", "crimes", *map(os.fsencode, arguments)],
        cwd=hostile_repo.path,
        env={**os.environ, "CRIMES_CACHE_DIR": str(cache)},
        capture_output=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("arguments", [("--verbose", "--all"), ("--format", "json"), ("--no-color",)])
def test_a_scan_of_a_hostile_repository_is_clean(hostile_repo: GitRepo, arguments: tuple[str, ...]) -> None:
    done = run(hostile_repo, "scan", *arguments)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode("utf-8")
    assert is_clean(shown)
    assert shown.count("tangled") >= len(HOSTILE_NAMES)


def test_the_terminal_look_of_a_hostile_repository_has_only_our_own_escapes(hostile_repo: GitRepo) -> None:
    done = run(hostile_repo, "scan", "--color", "--all", "--verbose")
    assert done.returncode == 0
    assert is_clean(re.sub(r"\x1b\[[0-9;]*m", "", done.stdout.decode("utf-8")))


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=ascii)
def test_explain_and_context_of_a_hostile_file_are_clean(hostile_repo: GitRepo, name: str) -> None:
    findings = json.loads(run(hostile_repo, "scan", "--format", "json").stdout)["findings"]
    written = name.replace("\udce9", "\\xe9")
    (id_,) = {item["id"] for item in findings if item["file"] == written}
    for format_ in ("human", "md", "json"):
        explained = run(hostile_repo, "explain", id_, "--format", format_)
        assert (explained.returncode, explained.stderr) == (0, b"")
        assert is_clean(explained.stdout.decode("utf-8"))
        told = run(hostile_repo, "context", "--format", format_, "--", name)
        assert (told.returncode, told.stderr) == (0, b"")
        assert is_clean(told.stdout.decode("utf-8"))

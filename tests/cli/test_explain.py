"""`crimes explain`: detectors and findings, for people, as JSON and as markdown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from crimes.detection.registry import catalogue
from crimes.model.codec import encode
from crimes.workflows.precision import measured_precision
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
from tests.kit.reports import crime, report
from tests.kit.sample_code import tangled

SCHEMA = json.loads((ROOT / "docs/explain.schema.json").read_text())


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/__init__.py": "", "shop/a.py": tangled("in_a")}, "Begin", days_ago=30)
    return made


def explain(repo: GitRepo, *arguments: str) -> str:
    done = run_crimes(repo.path, "explain", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def explain_json(repo: GitRepo, subject: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(explain(repo, subject, "--format", "json"))
    jsonschema.validate(made, SCHEMA)
    return made


def scan(repo: GitRepo) -> dict[str, Any]:
    finding: dict[str, Any] = json.loads(run_crimes(repo.path, "scan", "-f", "json").stdout)["findings"][0]
    return finding


def test_commands_to_copy_name_the_root_where_they_need_it(repo: GitRepo, tmp_path: Path) -> None:
    id_ = scan(repo)["id"]
    for subject, command in (
        (id_, f'crimes ignore {id_} --reason "REASON"'),
        ("god_function", f"crimes explain {id_}"),
    ):
        for format_ in ("human", "md"):
            done = run_crimes(tmp_path, "explain", subject, "--root", "shop", "--format", format_)
            assert f"{command} --root shop\n" in done.stdout
            assert f"{command}\n" in explain(repo, subject, "--format", format_)


def test_explain_of_a_detector_has_its_page_options_precision_and_address(repo: GitRepo) -> None:
    text = explain(repo, "god_function")
    sample = measured_precision()["god_function"]
    for part in (
        "god_function\n",
        "\nWhat it looks for\n",
        "\nWhy it matters\n",
        "\nWhat to do\n",
        "\n  status       on by default\n",
        "\n  severity     at most medium\n",
        "\n  languages    all\n",
        "\n  max_cognitive ",
        "\n    [detectors.god_function]\n    max_cognitive = 60\n",
        f"\nMeasured precision\n  {sample.findings} findings in {sample.repositories} public repositories",
        " were checked against the code by two readers: ",
        "% true but not worth reporting, ",
        "\n  No stored scan of this repository. Run `crimes scan` first.\n",
        "docs/detectors/god_function.md\n",
    ):
        assert part in text, part


def test_explain_of_a_detector_shows_its_top_finding_of_the_last_scan(repo: GitRepo) -> None:
    finding = scan(repo)
    text = explain(repo, "god_function")
    assert "  low  shop/a.py:1 in_a\n" in text
    assert f"  {finding['fact']}\n" in text
    assert f"    crimes explain {finding['id']}\n" in text
    assert "The last scan has none; Before and After show one." in explain(repo, "import_cycle")


def test_explain_of_a_detector_shows_what_the_configuration_says(repo: GitRepo) -> None:
    settings = "[detectors.god_function]\nenabled = false\nmax_cognitive = 40\n"
    repo.write({"crimes.toml": settings})
    text = explain(repo, "god_function")
    assert "status       turned off in crimes.toml; on by default" in text
    assert "max_cognitive     40 here, default 60  " in text
    made = explain_json(repo, "god_function")["detectors"][0]
    assert (made["enabled_by_default"], made["settings"]["enabled"]) == (True, False)
    option = next(option for option in made["settings"]["options"] if option["name"] == "max_cognitive")
    assert (option["default"], option["value"]) == (60, 40)
    assert "off by default" in explain(repo, "silent_failure")


def test_every_detector_can_be_explained_in_every_format(repo: GitRepo) -> None:
    """In one process: a run of the command for each would take a minute."""
    from crimes.config.schema import Config
    from crimes.render.explain import detector_lines
    from crimes.render.explain_markdown import detector_markdown
    from crimes.render.lines import plain
    from crimes.workflows.explanation import explain_detector

    for detector in catalogue().values():
        explanation = explain_detector(detector, Config(), None)
        jsonschema.validate(json.loads(encode(explanation)), SCHEMA)
        (page,) = explanation.detectors
        for text in (plain(detector_lines(page)), detector_markdown(page)):
            assert detector.title.split()[0] in text.split("\n")[0]
            assert "What it looks for" in text


def test_explain_as_json_has_the_finding_its_code_and_its_detector(repo: GitRepo) -> None:
    finding = scan(repo)
    made = explain_json(repo, finding["id"])
    (explained,), (detector,) = made["findings"], made["detectors"]
    assert explained["finding"] == finding
    assert explained["code"][0]["text"] == "def in_a(a):"
    assert [line["number"] for line in explained["code"]] == list(range(1, finding["lines"]["end"] + 1))
    assert any(line["blamed"] for line in explained["code"])
    assert (explained["code_note"], explained["advice_withheld"]) == ("", "")
    assert (detector["id"], detector["docs"]) == ("god_function", finding["docs"])
    assert "What to do" in [section["title"] for section in detector["sections"]]
    assert detector["precision"]["judged"] > 0
    assert detector["settings"] is None


@pytest.mark.parametrize("subject", ["finding", "god_function"])
def test_md_and_markdown_are_the_same_format(repo: GitRepo, subject: str) -> None:
    id_ = scan(repo)["id"] if subject == "finding" else subject
    page = explain(repo, id_, "--format", "md")
    assert page.startswith("# ")
    assert explain(repo, id_, "--format", "markdown") == page


def test_detector_wins_over_a_finding_only_by_its_whole_id(tmp_path: Path) -> None:
    (tmp_path / "scan.json").write_bytes(encode(report(crime(id="deadbeef0000"))))
    done = run_crimes(tmp_path, "explain", "deadbeef", "--from", "scan.json")
    assert "src/core.py:10-15" in done.stdout
    for start in ("god_func", "GOD_FUNCTION", "god-function"):
        done = run_crimes(tmp_path, "explain", start, "--from", "scan.json")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"'{start}' is not a finding id or a detector; did you mean 'god_function'?" in done.stderr


def test_misspelled_detector_is_refused_without_a_scan(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "explain", "god_functon")
    assert done.returncode == 2
    assert (
        done.stderr
        == "crimes: 'god_functon' is not a finding id or a detector; did you mean 'god_function'?\n"
    )


@pytest.mark.parametrize("command", ["explain", "triage", "feedback", "ignore", "detectors", "calibration"])
def test_help_leaks_no_type_names(command: str) -> None:
    shown = run_crimes(ROOT, command, "--help").stdout
    for name in ("range>", "<str>", "<int>", "<float>", "<path>", "<text>"):
        assert name not in shown.lower()

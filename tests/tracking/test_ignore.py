"""Findings that are left out: comments in many languages, `.crimes/ignore.toml`, and what is said of those that are wrong."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crimes.config.schema import Config, DetectorConfig
from crimes.engine.scan import scan
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import Role
from crimes.model.report import Report
from crimes.model.repository import File
from crimes.tracking.identity import FindingIdentity, identity_of
from crimes.tracking.ignores import Entry, directives, format_entry, parse_ignore_list
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import CLONED, PLAIN, tangled

ALL = Config(detectors={"god_function": DetectorConfig(True)})
TYPESCRIPT = "export function go(a: number) {\n" + "".join(
    f"{'  ' * depth}if (a > {depth}) {{\n" for depth in range(1, 12)
)
TYPESCRIPT += "a += 1;\n" + "".join(f"{'  ' * (11 - depth)}}}\n" for depth in range(11)) + "  return a;\n}\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/__init__.py": "", "shop/core.py": tangled("first") + PLAIN}, "Begin", days_ago=30)
    return made


def scan_with(repo: GitRepo, files: dict[str, str] | None = None) -> Report:
    repo.write(files or {})
    return scan(repo.path, ALL).report


def ignored_with_reason(report: Report) -> list[tuple[str, str]]:
    return [(crime.file, crime.ignored.reason) for crime in report.ignored if crime.ignored]


@pytest.mark.parametrize(
    "text",
    [
        "# crimes: ignore[god_function] a table\n" + tangled("first"),
        tangled("first").replace(":\n", ":  # crimes: ignore[god_function] a table\n", 1),
        "# crimes:ignore[ god_function , silent_failure ]  a table\n# and more to say\n" + tangled("first"),
        "# crimes: ignore[god_function]: a table\n@cached\n@traced(1)\n" + tangled("first"),
        "x = 1\n" * 5 + tangled("first") + "# crimes: file-ignore[god_function] a table\n",
    ],
)
def test_ignore_comment_applies_on_above_the_line_and_to_the_file(repo: GitRepo, text: str) -> None:
    made = scan_with(repo, {"shop/core.py": text})
    assert ignored_with_reason(made) == [("shop/core.py", "a table")]
    assert (made.findings, made.summary.findings) == ((), 0)
    assert [entry.status for entry in made.ignores] == ["used"]
    assert made.warnings == ()


@pytest.mark.parametrize("comment", ["// {}", "/* {} */", "/*\n * {}\n */", "/** {} */"])
def test_ignore_comment_works_in_other_comment_syntax(repo: GitRepo, comment: str) -> None:
    text = comment.format("crimes: ignore[god_function] kept as it is") + "\n" + TYPESCRIPT
    made = scan_with(repo, {"shop/core.py": PLAIN, "src/go.ts": text})
    assert ignored_with_reason(made) == [("src/go.ts", "kept as it is")]


def test_ignore_comment_works_in_a_document(repo: GitRepo) -> None:
    text = "Start with [the guide](docs/guide.md).\n"
    bare = scan_with(repo, {"shop/core.py": PLAIN, "README.md": text, "docs/start.md": "# Start\n"})
    assert [crime.type for crime in bare.findings] == ["stale_instruction"]
    made = scan_with(repo, {"README.md": "<!-- crimes: ignore[stale_instruction] it is coming -->\n" + text})
    assert ignored_with_reason(made) == [("README.md", "it is coming")]


SYNTAX = {
    "c": "/* {} */\nint x;\n",
    "cpp": "// {}\nint x;\n",
    "csharp": "// {}\nclass A {{ }}\n",
    "go": "package a\n\n// {}\nvar x = 1\n",
    "java": "/* {} */\nclass A {{ }}\n",
    "javascript": "// {}\nlet x = 1;\n",
    "kotlin": "// {}\nval x = 1\n",
    "markdown": "<!-- {} -->\n\ntext\n",
    "php": "<?php\n# {}\n$x = 1;\n",
    "python": "# {}\nx = 1\n",
    "ruby": "# {}\nx = 1\n",
    "rust": "// {}\nfn a() {{ }}\n",
    "scala": "// {}\nval x = 1\n",
    "swift": "// {}\nlet x = 1\n",
    "typescript": "/* {} */\nlet x = 1;\n",
    "vue": "<template><p/></template>\n<script>\n// {}\nlet x = 1;\n</script>\n",
}


@pytest.mark.parametrize("language", sorted(SYNTAX.keys() & by_id.keys()))
def test_every_language_has_comments_to_ignore_in(language: str) -> None:
    text = SYNTAX[language].format("crimes: ignore[god_function] as it is")
    file = File("a", Role.SOURCE, read_facts(by_id[language], text.encode()))
    (found,) = directives([file])
    line = next(at for at, row in enumerate(text.split("\n"), 1) if "crimes:" in row)
    assert (found.types, found.reason, found.line) == (("god_function",), "as it is", line)
    assert found.own_line


@pytest.mark.parametrize(
    ("comment", "status", "words"),
    [
        ("# crimes: ignore[god_function]", "invalid", "has no reason"),
        ("# crimes: ignore because", "invalid", "has no type"),
        ("# crimes: ignore[] because", "invalid", "has no type"),
        ("# crimes: ignore[god_funktion] because", "unknown", "did you mean god_function?"),
        ("# crimes: ignore[orphan_file] because", "unused", "ignore[orphan_file] matches no finding"),
        ("# crimes: ignore[god_function] far away\n\n\nx = 1\n", "unused", "matches no finding"),
    ],
)
def test_ineffective_ignore_comment_is_reported(repo: GitRepo, comment: str, status: str, words: str) -> None:
    made = scan_with(repo, {"shop/core.py": comment + "\n" + tangled("first")})
    assert [crime.symbol for crime in made.findings] == ["first"]
    assert [entry.status for entry in made.ignores] == [status]
    assert any(words in text and text.startswith("shop/core.py:1: ") for text in made.warnings)


def test_ignore_syntax_inside_strings_is_not_a_comment(repo: GitRepo) -> None:
    talk = '"""Write crimes: ignore[god_function] reason."""\nx = "crimes: ignore[god_function] no"\n\n\n'
    assert scan_with(repo, {"shop/core.py": talk + tangled("first")}).ignores == ()


def ignore_entry(crime: Any, reason: str = "known", until: str = "") -> str:
    extra = f"until = {until}\n" if until else ""
    return (
        f'[[ignore]]\nfingerprint = "{crime.fingerprint}"\ntype = "{crime.type}"\nfile = "{crime.file}"\n'
        f'within = "{crime.within}"\ncode = "{crime.code}"\nreason = "{reason}"\n{extra}\n'
    )


def test_ignore_list_follows_a_finding_through_moves_and_reports_unused_entries(repo: GitRepo) -> None:
    crime = scan_with(repo).findings[0]
    text = ignore_entry(crime)
    made = scan_with(repo, {".crimes/ignore.toml": text})
    assert ignored_with_reason(made) == [("shop/core.py", "known")]
    moved = scan_with(repo, {"shop/core.py": PLAIN, "shop/other.py": "import os\n\n\n" + tangled("renamed")})
    assert ignored_with_reason(moved) == [("shop/other.py", "known")]
    copied = scan_with(repo, {"shop/core.py": tangled("first")})
    assert ignored_with_reason(copied) == [("shop/core.py", "known")]
    assert [found.file for found in copied.findings] == ["shop/other.py"]
    gone = scan_with(repo, {"shop/core.py": PLAIN, "shop/other.py": PLAIN})
    assert [entry.status for entry in gone.ignores] == ["unused"]
    assert "matches no finding" in gone.warnings[0]


def test_additional_copy_of_an_ignored_clone_is_reported(repo: GitRepo) -> None:
    copies = {f"shop/{name}.py": CLONED for name in ("a", "b", "d")}
    crime = scan_with(repo, {"shop/core.py": PLAIN, **copies}).findings[0]
    assert crime.type == "cloned_logic"
    text = format_entry(Entry(identity_of(crime), "for now", None))
    assert ignored_with_reason(scan_with(repo, {".crimes/ignore.toml": text})) == [("shop/a.py", "for now")]
    made = scan_with(repo, {"shop/c.py": CLONED})
    assert [found.type for found in made.findings] == ["cloned_logic"]


def test_ignore_entry_expires_after_its_date(repo: GitRepo) -> None:
    """The last commit is of 2025-05-02, and that is the day that counts."""
    crime = scan_with(repo).findings[0]
    assert scan_with(repo, {".crimes/ignore.toml": ignore_entry(crime, until="2025-05-02")}).findings == ()
    made = scan_with(repo, {".crimes/ignore.toml": ignore_entry(crime, until="2025-05-01")})
    assert len(made.findings) == 1
    assert [entry.status for entry in made.ignores] == ["expired"]
    assert "expired on 2025-05-01" in made.warnings[0]


@pytest.mark.parametrize(
    "text",
    [
        "ignore = 1",
        "[[ignore]]\n",
        "[other]\n",
        "not toml",
        '[[ignore]]\nfingerprint = "a"\ntype = "b"\nreason = " "\n',
        '[[ignore]]\nfingerprint = "a"\ntype = "b"\nreason = "c"\nuntil = "2027"\n',
        '[[ignore]]\nfingerprint = "a"\ntype = "b"\nreason = "c"\nwhy = "d"\n',
    ],
)
def test_malformed_ignore_list_is_not_used_and_warned_about(repo: GitRepo, text: str) -> None:
    made = scan_with(repo, {".crimes/ignore.toml": text})
    assert len(made.findings) == 1
    assert made.warnings[0].startswith(".crimes/ignore.toml was not applied: ")


def test_ignore_list_behind_a_link_is_not_opened(repo: GitRepo, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text(ignore_entry(scan_with(repo).findings[0]))
    (repo.path / ".crimes").mkdir()
    (repo.path / ".crimes/ignore.toml").symlink_to(outside)
    made = scan_with(repo)
    assert len(made.findings) == 1
    assert made.warnings[0].startswith(".crimes/ignore.toml was not applied: it cannot be read")


def test_formatted_entry_is_parsed_back() -> None:
    known = FindingIdentity("f" * 32, "god_function", 'a "b"\\\n\x7f\u202e.py', "x", within="w", code="c")
    entry = Entry(known, "because 'of' \"it\" \U0001f600\t", None)
    assert "copies" not in format_entry(entry)
    many = Entry(msgspec.structs.replace(known, copies=3), "x", date(2027, 1, 31))
    assert parse_ignore_list(format_entry(many).encode()).entries == (many,)
    made = parse_ignore_list((format_entry(entry) + "\n" + format_entry(entry)).encode())
    assert made.fault == ""
    assert made.entries[0].identity == known
    assert made.entries[0].reason == entry.reason.strip()


def test_ignore_command_writes_an_entry_that_diff_shows(repo: GitRepo) -> None:
    made = json.loads(run_crimes(repo.path, "scan", "--format", "json").stdout)
    id_ = made["findings"][0]["id"]
    assert run_crimes(repo.path, "ignore", id_).returncode == 2
    assert run_crimes(repo.path, "ignore", id_, "--reason", " ").returncode == 2
    assert run_crimes(repo.path, "ignore", id_, "--reason", "x", "--until", "soon").returncode == 2
    done = run_crimes(repo.path, "ignore", id_[:8], "--reason", "a table", "--until", "2030-01-31")
    assert done.returncode == 0, done.stderr
    made = json.loads(run_crimes(repo.path, "scan", "--format", "json", "--fail-on", "low").stdout)
    assert (made["findings"], made["gate"]["exit"]) == ([], 0)
    assert made["ignored"][0]["ignored"] == {
        "kind": "list",
        "reason": "a table",
        "place": ".crimes/ignore.toml",
        "until": "2030-01-31",
    }
    assert run_crimes(repo.path, "ignore", id_, "--reason", "again").returncode == 2
    repo.write({"shop/more.py": "# crimes: ignore[god_function] in a hurry\n" + tangled("more")})
    done = run_crimes(repo.path, "diff", "--fail-on-new")
    assert done.returncode == 0, done.stdout
    assert "Ignore added at .crimes/ignore.toml: god_function " in done.stdout
    assert "Ignore added at shop/more.py:1: god_function (ignores 1 finding): in a hurry" in done.stdout
    assert "fixed" not in done.stdout
    assert "# 2 findings ignored\n" in run_crimes(repo.path, "scan").stdout

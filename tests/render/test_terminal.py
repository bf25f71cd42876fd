"""Manners at a terminal, seen through a real pseudo-terminal: colours, links, progress, quiet, hostile names."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.kit.gitrepo import GitRepo
from tests.kit.hostile_text import HOSTILE_NAMES, is_clean
from tests.kit.sample_code import TANGLED

COLOR = re.compile(r"\x1b\[[0-9;]+m")
LINK = re.compile(r"\x1b\]8;;(file://[\w./%#~-]+)?\x1b\\", re.ASCII)
NOTHING: Mapping[str, str] = {}
PROGRESS = re.compile(r"\r\x1b\[K[a-z ,/0-9]*")


@dataclass(frozen=True)
class Shown:
    """What arrived at each end."""

    code: int
    out: str
    err: str


def run_at_terminal(
    folder: Path, *arguments: str, out: bool = True, err: bool = False, env: Mapping[str, str] = NOTHING
) -> Shown:
    """Run crimes with stdout, stderr or both at a terminal (of its own each), the other at a pipe."""
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "NO_COLOR", "COLUMNS")}
    variables = {**kept, "TERM": "xterm", "CRIMES_CACHE_DIR": str(folder.parent / "cache"), **env}
    ends = [pty.openpty() if terminal else os.pipe() for terminal in (out, err)]
    process = subprocess.Popen(
        [sys.executable, "-m", "crimes", *arguments],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=ends[0][1],
        stderr=ends[1][1],
    )
    for _, writing in ends:
        os.close(writing)
    told = [_read(reading) for reading, _ in ends]
    return Shown(process.wait(timeout=120), *(text.decode("utf-8").replace("\r\n", "\n") for text in told))


def _read(descriptor: int) -> bytes:
    data = b""
    while True:
        try:
            more = os.read(descriptor, 1 << 16)
        except OSError:  # how a terminal says that its other side is gone
            more = b""
        if not more:
            os.close(descriptor)
            return data
        data += more


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/a name [1].py": TANGLED, "shop/__init__.py": ""})
    return made


def test_a_terminal_gets_colours_and_links(repo: GitRepo) -> None:
    shown = run_at_terminal(repo.path, "scan")
    assert shown.code == 0
    assert COLOR.search(shown.out)
    target = f"{repo.path.resolve()}/shop/a%20name%20%5B1%5D.py#L1\x1b\\"
    assert next(link for link in LINK.findall(shown.out) if link).startswith("file://")
    assert shown.out.count(target) == 2  # the finding, and the riskiest file
    assert is_clean(LINK.sub("", COLOR.sub("", shown.out)))


def test_pipe_gets_plain_text_with_one_line_per_finding(repo: GitRepo) -> None:
    shown = run_at_terminal(repo.path, "scan", out=False)
    assert is_clean(shown.out)
    label, *rows = shown.out.splitlines()
    first = next(row for row in rows if not row.startswith("# "))
    assert label.startswith("# directional: too little code to judge: ")
    assert first.startswith("shop/a name [1].py:1:5: low god_function ")


def test_no_color_gives_plain_text(repo: GitRepo) -> None:
    assert is_clean(run_at_terminal(repo.path, "scan", "--no-color").out)
    assert is_clean(run_at_terminal(repo.path, "scan", env={"NO_COLOR": "1"}).out)
    assert COLOR.search(run_at_terminal(repo.path, "scan", env={"NO_COLOR": ""}).out)
    assert COLOR.search(run_at_terminal(repo.path, "scan", "--color", env={"NO_COLOR": "1"}).out)


@pytest.mark.parametrize("term", ["dumb", "linux"])
def test_terminal_without_link_support_gets_no_links(repo: GitRepo, term: str) -> None:
    assert not LINK.search(run_at_terminal(repo.path, "scan", env={"TERM": term}).out)


def test_dumb_terminal_gets_plain_text(repo: GitRepo) -> None:
    assert is_clean(run_at_terminal(repo.path, "scan", env={"TERM": "dumb"}).out)


def test_colours_asked_for_in_a_pipe_come_without_links(repo: GitRepo) -> None:
    shown = run_at_terminal(repo.path, "scan", "--color", out=False)
    assert COLOR.search(shown.out)
    assert not LINK.search(shown.out)


def test_report_written_to_a_file_is_plain(repo: GitRepo) -> None:
    run_at_terminal(repo.path, "scan", "--output", "../report.txt")
    assert is_clean((repo.path.parent / "report.txt").read_text("utf-8"))


def test_explain_links_to_the_place(repo: GitRepo) -> None:
    (id_,) = re.findall(r"\[([0-9a-f]{7,})\]", run_at_terminal(repo.path, "scan", out=False).out)
    shown = run_at_terminal(repo.path, "explain", id_)
    assert "%5B1%5D.py#L1" in LINK.findall(shown.out)[0]
    assert is_clean(LINK.sub("", COLOR.sub("", shown.out)))


# Code.

FRAMED = re.compile(r"^ +\d+ > +\S", re.MULTILINE)


def test_scan_shows_the_blamed_line(repo: GitRepo) -> None:
    assert len(FRAMED.findall(run_at_terminal(repo.path, "scan", "--no-color").out)) == 1


def test_scan_of_an_older_commit_shows_no_code(repo: GitRepo) -> None:
    repo.commit({"shop/a name [1].py": "# moved\n" + TANGLED})
    shown = run_at_terminal(repo.path, "scan", "--no-color", "--as-of", "HEAD~1")
    assert "shop/a name [1].py:1" in shown.out
    assert not FRAMED.search(shown.out)


def test_report_shows_code_until_the_file_is_edited(repo: GitRepo) -> None:
    run_at_terminal(repo.path, "scan", "--format", "json", "-o", "../scan.json")
    assert FRAMED.search(run_at_terminal(repo.path, "report", "../scan.json", "--no-color").out)
    os.utime(repo.path / "shop/a name [1].py", (2**33, 2**33))
    shown = run_at_terminal(repo.path, "report", "../scan.json", "--no-color")
    assert "shop/a name [1].py:1" in shown.out
    assert not FRAMED.search(shown.out)


@pytest.mark.parametrize(("encoding", "mark"), [("utf-8", "✗ "), ("ascii", "FAIL ")])
def test_failed_finding_is_marked_as_the_encoding_allows(repo: GitRepo, encoding: str, mark: str) -> None:
    shown = run_at_terminal(
        repo.path, "scan", "--no-color", "--fail-on", "low", env={"PYTHONIOENCODING": encoding}
    )
    assert any(row.startswith(f"{mark}low ") for row in shown.out.splitlines())


# Progress.


def test_progress_is_shown_on_a_terminal_and_wiped(repo: GitRepo) -> None:
    shown = run_at_terminal(repo.path, "scan", "--no-cache", out=False, err=True)
    assert "reading" in shown.err
    assert shown.err.endswith("\r\x1b[K")
    assert PROGRESS.sub("", shown.err) == ""
    assert is_clean(shown.out)


@pytest.mark.parametrize("case", ["pipe", "CI", "dumb", "--quiet"])
def test_progress_is_not_shown_without_a_watching_user(repo: GitRepo, case: str) -> None:
    environment = {"CI": {"CI": "true"}, "dumb": {"TERM": "dumb"}}.get(case, {})
    options = [case] if case.startswith("--") else []
    shown = run_at_terminal(repo.path, "scan", "--no-cache", *options, err=case != "pipe", env=environment)
    assert shown.err == ""


# Quiet.


@pytest.mark.parametrize("terminal", [True, False], ids=["terminal", "pipe"])
def test_quiet_leaves_the_findings(repo: GitRepo, terminal: bool) -> None:
    loud, quiet = (
        run_at_terminal(repo.path, "scan", out=terminal),
        run_at_terminal(repo.path, "scan", "--quiet", out=terminal),
    )
    assert "shop/a name [1].py" in quiet.out
    assert set(quiet.out.splitlines()) <= set(loud.out.splitlines())
    assert "directional" in loud.out
    assert "directional" not in quiet.out


def test_quiet_keeps_silent_about_files_but_not_about_a_gate(repo: GitRepo) -> None:
    shown = run_at_terminal(
        repo.path, "scan", "-q", "--format", "json", "-o", "../a.json", "--fail-on", "low"
    )
    assert shown.code == 1
    assert shown.out == ""
    assert re.fullmatch(r"crimes: Gate failed: 1 finding at low or above: [0-9a-f]{12}\n", shown.err)
    assert (
        "Gate failed: 1 finding at low or above"
        in run_at_terminal(repo.path, "scan", "-q", "--fail-on", "low").out
    )


def test_quiet_prints_nothing_for_a_clean_repository(tmp_path: Path) -> None:
    made = GitRepo(tmp_path / "clean")
    made.commit({"a.py": "x = 1\n"})
    assert run_at_terminal(made.path, "scan", "--quiet") == Shown(0, "", "")


# Names.


def test_hostile_names_are_escaped_at_a_terminal(tmp_path: Path) -> None:
    made = GitRepo(tmp_path / "shop\x1b[31m")
    made.commit(dict.fromkeys((*HOSTILE_NAMES, "##[error]x.py", "::error::x.py"), TANGLED))
    shown = run_at_terminal(made.path, "scan", "--all", "--verbose", err=True)
    assert shown.code == 0
    assert is_clean(LINK.sub("", COLOR.sub("", shown.out)))
    assert "\\x1b]0;title\\x07.py" in shown.out
    assert "new\\x0aline.py" in shown.out
    assert PROGRESS.sub("", shown.err) == ""
    piped = run_at_terminal(made.path, "scan", "--all", "--verbose", out=False).out
    assert is_clean(piped)
    assert "##[" not in piped
    assert not [row for row in piped.splitlines() if row.lstrip().startswith("::")]
    assert "\\::error::x.py:1:5: " in piped

"""Copies that a fix did not reach: which functions are compared, what proves it, and what is kept between scans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from crimes.analyses.drift import fix_patches
from crimes.analyses.drift.drifts import _calls_correspond
from crimes.analyses.drift.edits import edits_of, is_in_arguments, unknown_variables
from crimes.analyses.drift.function_code import Row, words_of
from crimes.model.codec import encode
from crimes.model.report import Crime
from crimes.model.scan_request import ScanRequest
from crimes.system.git import WorkTree
from crimes.system.git_hunks import Hunk, PatchedCommit, patches_of
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from crimes_detectors.drifted_copy import DETECTOR
from tests.kit.gitrepo import GitRepo

COLD = ScanOptions(cache=False, jobs=1)
REQUEST = ScanRequest(enable=(DETECTOR.id,))  # it is off by default
EXAMPLE = DETECTOR.examples[0]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "repo")
    for commit in EXAMPLE.history:
        made.commit(commit.files, commit.message, days_ago=commit.days_ago)
    return made


def drifted(repo: GitRepo) -> list[Crime]:
    """The findings of a warm scan, which are those of a cold one."""
    warm = Session(repo.path, request=REQUEST).report()
    cold = Session(repo.path, COLD, request=REQUEST).report()
    assert encode(warm) == encode(cold)
    return [crime for crime in warm.findings if crime.type == DETECTOR.id]


def test_a_warm_scan_follows_edits_of_both_copies(repo: GitRepo) -> None:
    header, trailer = ((repo.path / f"{name}.py").read_text() for name in ("header", "trailer"))
    assert len(drifted(repo)) == 1
    repo.write({"trailer.py": trailer.replace("(value for", "(quote(value) for")})
    assert drifted(repo) == []
    repo.write({"trailer.py": f"\n\n{trailer}"})
    assert [crime.lines.start for crime in drifted(repo)] == [8]
    repo.write({"header.py": header.replace("quote(value)", "value")})
    assert drifted(repo) == []


def test_git_is_asked_once_for_the_patch_of_a_fix(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "asked"  # a scan runs in a process of its own

    def logged(
        tree: WorkTree, commits: Sequence[str], paths: Sequence[str]
    ) -> Iterator[tuple[PatchedCommit, str, Hunk]]:
        with log.open("a") as file:
            file.write(f"{len(commits)} of {' '.join(paths)}\n")
        return patches_of(tree, commits, paths)

    monkeypatch.setattr(fix_patches, "patches_of", logged)
    trailer = (repo.path / "trailer.py").read_text()
    for text in (trailer, f"\n{trailer}", f"\n\n{trailer}"):
        repo.write({"trailer.py": text})
        assert DETECTOR.id in {crime.type for crime in Session(repo.path, request=REQUEST).report().findings}
    assert log.read_text() == "1 of header.py\n"


def test_the_finding_shows_the_fix_and_the_differing_lines(repo: GitRepo) -> None:
    [crime] = drifted(repo)
    assert crime.symbol == "write_trailer"
    assert "lacks the fix of" in crime.fact
    assert (
        "(“Fix quotes in values”) that its copy in header.py (line 6) has: line 6 still reads" in crime.fact
    )
    assert [
        (item["file"], item["line"], item["has"]) for item in crime.evidence["differing_lines"].items
    ] == [
        ("trailer.py", 6, 'text = ", ".join(value for value in values)'),
        ("header.py", 6, 'text = ", ".join(quote(value) for value in values)'),
    ]
    assert crime.evidence["fix"].items[0]["subject"] == "Fix quotes in values"
    assert [related.file for related in crime.related] == ["header.py"]


def test_comments_and_blank_lines_are_no_edit() -> None:
    old = ("a = 1", "# old", "b = 2")
    new = ("a = 1", "# new", "", "b = 2")
    assert list(edits_of(Hunk(old, new, ((1, 2, 1, 3),)), frozenset(new))) == []


def test_an_edit_that_no_longer_stands_is_left_out() -> None:
    hunk = Hunk(("a = 1", "b = 2"), ("a = 1", "b = 3"), ((1, 2, 1, 2),))
    assert len(list(edits_of(hunk, frozenset({"a = 1", "b = 3"})))) == 1
    assert list(edits_of(hunk, frozenset({"a = 1", "b = 4"}))) == []


def test_an_argument_is_told_from_a_statement_in_a_callback() -> None:
    call = [Row(1, ("run", "(")), Row(2, ("fast", "=", "1"))]
    callback = [Row(1, ("run", "(", "(", ")", "=", ">", "{")), Row(2, ("stop", "(", ")"))]
    assert is_in_arguments(call, 1)
    assert not is_in_arguments(callback, 1)


@pytest.mark.parametrize(
    ("old", "new", "corresponds"),
    [
        ("redundant_index", "redundant_object", True),
        ("get_float", "get_int", False),
        ("getIndex", "getObject", True),
    ],
)
def test_calls_correspond_when_they_differ_like_the_functions(old: str, new: str, corresponds: bool) -> None:
    own, other = set(words_of("lint/with_index.rb on_block")), set(words_of("lint/with_object.rb on_block"))
    assert _calls_correspond([old, "(", "x", ")"], [new, "(", "y", ")"], own, other) == corresponds


def test_added_lines_may_use_only_variables_that_the_other_function_has() -> None:
    new = ("a = 1", "rate = a", "if user == ADMIN and rate.open():", "b = 2")
    [edit] = edits_of(Hunk(("a = 1", "b = 2"), new, ((1, 1, 1, 3),)), frozenset(new))
    assert unknown_variables(edit, [Row(1, ("a", "=", "1"))]) == {"user"}
    assert unknown_variables(edit, [Row(1, ("a", "=", "user"))]) == set()


def test_a_copy_that_git_does_not_know_yet_is_no_fault(repo: GitRepo) -> None:
    repo.write({"untracked.py": (repo.path / "header.py").read_text()})
    assert [crime.file for crime in drifted(repo)] == ["trailer.py"]

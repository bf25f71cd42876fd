"""Patches of single commits: hunks with their blocks, for the files asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.model.errors import Unavailable
from crimes.system import git, git_hunks
from crimes.system.git_hunks import Hunk, files_changed, patches_of
from tests.kit.gitrepo import GitRepo

_LINES = [f"line {number}" for number in range(1, 31)]


def _text(**changed: str) -> str:
    lines = list(_LINES)
    for key, value in changed.items():
        lines[int(key[1:]) - 1] = value
    return "\n".join(lines) + "\n"


def _head(repo: GitRepo) -> str:
    return git.run(git.find(repo.path), "rev-parse", "HEAD").decode().strip()


def test_a_hunk_has_both_sides_and_the_places_where_they_differ(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.txt": _text(), "b.txt": _text()}, "Begin")
    repo.commit({"a.txt": _text(n10="new\nnewer", n13="other"), "b.txt": _text(n3="b")}, "Change")
    head = _head(repo)

    [(commit, path, hunk)] = patches_of(git.find(repo.path), [head[:12]], ["a.txt"])

    assert (commit.sha, commit.author, commit.subject, path) == (head, "Ada", "Change", "a.txt")
    assert hunk == Hunk(
        old=tuple(_LINES[3:19]),
        new=(*_LINES[3:9], "new", "newer", *_LINES[10:12], "other", *_LINES[13:19]),
        blocks=((6, 7, 6, 8), (9, 10, 10, 11)),
    )


def test_names_are_relative_to_the_folder_and_may_be_quoted_by_git(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"part/ä b.txt": _text(), "ä b.txt": _text()}, "Begin")
    repo.commit({"part/ä b.txt": _text(n2="x"), "ä b.txt": _text(n2="x")}, "Change")

    patches = list(patches_of(git.find(repo.path / "part"), [_head(repo)], ["ä b.txt"]))

    assert [path for _, path, _ in patches] == ["ä b.txt"]


def test_reading_ends_at_the_limit_without_half_a_hunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.txt": _text()}, "Begin")
    repo.commit({"a.txt": _text(n2="x", n29="y")}, "Change")
    monkeypatch.setattr(git, "CHUNK_BYTES", 50)
    monkeypatch.setattr(git_hunks, "MAX_PATCH_BYTES", 250)

    patches = list(patches_of(git.find(repo.path), [_head(repo)], ["a.txt"]))

    assert [hunk.new[1] for _, _, hunk in patches] == ["x"]


def test_an_unknown_commit_is_unavailable(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.txt": "a\n"}, "Begin")

    with pytest.raises(Unavailable):
        list(patches_of(git.find(repo.path), ["0" * 12], ["a.txt"]))


def test_files_of_a_commit_are_counted_also_of_an_abbreviated_one(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.txt": "a\n", "b.txt": "b\n"}, "Begin")
    repo.commit({"part/a.txt": "a\n", "b.txt": "c\n", "c.txt": "c\n"}, "Change")
    head = _head(repo)

    assert files_changed(git.find(repo.path / "part"), [head[:12]]) == {head: 3}
    assert files_changed(git.find(repo.path), []) == {}

"""Pipes where git reads a file: the scan names them within seconds instead of waiting."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crimes.model.errors import Unavailable
from crimes.system import git
from crimes.system.git_objects import commit_of
from crimes.system.git_waits import find_endless_file
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setattr(git, "SECONDS_BEFORE_A_LOOK", 0.3)
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "1\n", "sub/b.py": "1\n"})
    return repo


def replace_by_pipe(repo: GitRepo, path: str) -> None:
    (repo.path / path).unlink(missing_ok=True)
    os.mkfifo(repo.path / path)


@pytest.mark.parametrize(
    ("path", "arguments"),
    [
        (".git/HEAD", ("log", "-1")),
        (".git/index", ("ls-files",)),
        (".git/packed-refs", ("for-each-ref",)),
        (".git/info/exclude", ("ls-files", "-o", "--exclude-standard")),
        (".gitignore", ("ls-files", "-o", "--exclude-standard")),
        ("sub/.gitignore", ("ls-files", "-o", "--exclude-standard")),
        (".gitattributes", ("check-attr", "--all", "a.py")),
        (".git/info/attributes", ("check-attr", "--all", "a.py")),
        (".git/objects/info/alternates", ("log", "-1")),
        (".git/shallow", ("log", "-1")),
        (".git/config", ("log", "-1")),
    ],
)
@pytest.mark.parametrize("ask", [git.run, lambda *words: b"".join(git.stream(*words))])
def test_a_pipe_is_named_instead_of_waited_for(
    repo: GitRepo, path: str, arguments: tuple[str, ...], ask: object
) -> None:
    replace_by_pipe(repo, path)
    with pytest.raises(Unavailable, match=rf"^{path} is a pipe, a socket or a device"):
        ask(git.find(repo.path), *arguments)  # type: ignore[operator]


def test_a_commit_that_git_cannot_look_up_is_not_called_missing(repo: GitRepo) -> None:
    replace_by_pipe(repo, ".git/objects/info/alternates")
    with pytest.raises(Unavailable, match=r"^\.git/objects/info/alternates is a pipe"):
        commit_of(git.find(repo.path), "HEAD")


def test_a_pipe_that_an_included_configuration_includes_is_named(repo: GitRepo) -> None:
    os.mkfifo(repo.path / "endless")
    (repo.path / "first").write_text('[include]\n\tpath = "endless"\n')
    with (repo.path / ".git/config").open("a") as config:
        config.write("[include]\n\tPATH = ../first\n")
    with pytest.raises(Unavailable, match=r"^endless is a pipe"):
        git.run(git.find(repo.path), "ls-files")


def test_configurations_that_include_each_other_end(repo: GitRepo) -> None:
    (repo.path / "a.cfg").write_text("[include]\n\tpath = a.cfg\n\tpath = a.cfg\n")
    with (repo.path / ".git/config").open("a") as config:
        config.write("[include]\n\tpath = ../a.cfg\n")
    assert find_endless_file(repo.path) is None


def test_a_pipe_in_the_git_directory_of_a_linked_work_tree_is_named(repo: GitRepo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "other"))
    os.mkfifo(repo.path / ".git/packed-refs")
    assert find_endless_file(tmp_path / "other") == str(repo.path / ".git/packed-refs")


def test_git_that_is_merely_slow_is_waited_for(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "SECONDS_BEFORE_A_LOOK", 0)
    assert git.run(git.find(repo.path), "ls-files") == b"a.py\nsub/b.py\n"
    assert b"".join(git.stream(git.find(repo.path), "ls-files")) == b"a.py\nsub/b.py\n"


def test_git_that_never_answers_is_given_up(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with pytest.raises(Unavailable, match=r"did not answer within 0\.6 seconds"):
        git.run(git.find(repo.path), "ls-files", seconds=0.6)
    with pytest.raises(Unavailable, match=r"did not answer within 0\.6 seconds"):
        list(git.stream(git.find(repo.path), "ls-files", seconds=0.6))


@pytest.mark.parametrize(
    "path", ["CODEOWNERS", "pyproject.toml", ".mailmap", ".gitattributes", ".git-blame-ignore-revs", "a.py"]
)
def test_a_pipe_in_place_of_a_file_that_we_read_ourselves_is_not_waited_for(
    tmp_path: Path, path: str
) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "1\n", "b.py": "1\n"})
    replace_by_pipe(repo, path)
    assert run_crimes(tmp_path, "scan", "--root", repo.path).returncode == 0


def test_settings_that_are_a_pipe_are_refused_by_name(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "1\n"})
    replace_by_pipe(repo, "crimes.toml")
    done = run_crimes(tmp_path, "scan", "--root", repo.path)
    assert (done.returncode, "crimes.toml is not a regular file" in done.stderr) == (2, True)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="lists processes by /proc")
def test_no_git_is_left_waiting_when_a_command_has_ended(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "1\n"})
    replace_by_pipe(repo, ".git/HEAD")
    assert run_crimes(repo.path, "check").returncode == 2
    running = [read_or_nothing(file) for file in Path("/proc").glob("[0-9]*/cmdline")]
    assert [words for words in running if os.fsencode(repo.path) in words] == []


def read_or_nothing(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it ended
        return b""


@pytest.mark.parametrize("path", [".git/HEAD", ".git", ".gitignore"])
def test_a_scan_ends_and_says_why(tmp_path: Path, path: str) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "1\n"})
    if path == ".git":
        (repo.path / ".git").rename(tmp_path / "away")
    replace_by_pipe(repo, path)
    done = run_crimes(tmp_path, "scan", "--root", repo.path)
    assert done.returncode == 0
    assert "listed without git" in done.stdout

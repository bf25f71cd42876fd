"""A tree whose names did not change is not listed again; whatever else may change it is noticed."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from crimes.discovery.discover import discover
from crimes.incremental import recorder, stamps
from crimes.incremental.store import make_tables
from crimes.model.codec import encode
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo

COLD = ScanOptions(cache=False, jobs=1)
SMALL = 'max_file_bytes = 1000\nexclude = ["old/"]\n'


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "repo")
    made.commit(
        {
            "app/core.py": "def run(a):\n    return a\n",
            "app/views.py": "from app.core import run\n\nrun(1)\n",
            "app/large.py": "# long\n" * 200,
            "old/x.py": "x = 1\n",
            "gone/y.py": "y = 1\n",
            ".gitignore": "build/\n",
            ".gitattributes": "*.py -linguist-generated\n",
            "crimes.toml": SMALL,
        },
        days_ago=100,
    )
    (made.path / "build").mkdir()
    (made.path / "build/made.py").write_text("z = 1\n")
    (made.path / "gone/y.py").unlink()
    os.symlink("core.py", made.path / "app/link.py")
    # What was written a moment ago is not trusted: a shorter moment, and wait for it.
    monkeypatch.setattr(stamps, "RACY_NS", 50_000_000)
    monkeypatch.setattr(recorder, "RACY_NS", 50_000_000)
    time.sleep(0.1)
    return made


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], int]:
    """How often a tree was listed since the last question. Scans run in forks: a file counts."""
    counter = tmp_path / "listings"
    real = discover

    def counting(*arguments: object) -> object:
        with counter.open("a") as file:
            file.write("x")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("crimes.engine.scan.discover", counting)

    def ask() -> int:
        number = counter.stat().st_size if counter.exists() else 0
        counter.unlink(missing_ok=True)
        return number

    return ask


def edited(repo: GitRepo) -> None:
    with (repo.path / "app/core.py").open("a") as file:
        file.write("\n\ndef more(a):\n    return a\n")


def written_anew(repo: GitRepo) -> None:
    """As editors do it: beside the file, and then in its place."""
    (repo.path / "app/core.py~").write_text("def run(a, b):\n    return a\n")
    (repo.path / "app/core.py~").rename(repo.path / "app/core.py")


def ignored(repo: GitRepo) -> None:
    edited(repo)
    (repo.path / "build/more.py").write_text("z = 2\n")


@pytest.mark.parametrize("change", [edited, written_anew, ignored])
def test_edit_of_a_file_reuses_the_file_list(
    repo: GitRepo, listings: Callable[[], int], change: Callable[[GitRepo], None]
) -> None:
    Session(repo.path).report()
    assert listings() == 1
    change(repo)
    warm = Session(repo.path).report()
    assert listings() == 0
    assert encode(warm) == encode(Session(repo.path, COLD).report())
    edited(repo)  # the snapshot made of a tree that was not listed is as good
    listings()
    warm = Session(repo.path).report()
    assert listings() == 0
    assert encode(warm) == encode(Session(repo.path, COLD).report())


def new(repo: GitRepo) -> None:
    (repo.path / "app/new.py").write_text("n = 1\n")


def back(repo: GitRepo) -> None:
    (repo.path / "gone").mkdir(exist_ok=True)
    (repo.path / "gone/y.py").write_text("y = 1\n")


def removed(repo: GitRepo) -> None:
    (repo.path / "app/views.py").unlink()


def too_large(repo: GitRepo) -> None:
    (repo.path / "app/core.py").write_text("# long\n" * 200)


def smaller(repo: GitRepo) -> None:
    (repo.path / "app/large.py").write_text("l = 1\n")


def link_elsewhere(repo: GitRepo) -> None:
    (repo.path / "app/link.py").unlink()
    os.symlink("/etc/hostname", repo.path / "app/link.py")


def no_file(repo: GitRepo) -> None:
    (repo.path / "app/core.py").unlink()
    os.mkfifo(repo.path / "app/core.py")


def allowed(repo: GitRepo) -> None:
    (repo.path / ".gitignore").write_text("none/\n")


def generated(repo: GitRepo) -> None:
    (repo.path / ".gitattributes").write_text("*.py linguist-generated\n")


def included(repo: GitRepo) -> None:
    (repo.path / "crimes.toml").write_text(SMALL.replace("old", "app"))


def not_tracked(repo: GitRepo) -> None:
    repo.git("rm", "-q", "--cached", "app/views.py")
    with (repo.path / ".git/info/exclude").open("a") as file:
        file.write("views.py\n")


def a_repository(repo: GitRepo) -> None:
    repo.git("init", "-q", "old")


@pytest.mark.parametrize(
    "change",
    [
        new,
        back,
        removed,
        too_large,
        smaller,
        link_elsewhere,
        no_file,
        allowed,
        generated,
        included,
        not_tracked,
        a_repository,
    ],
)
def test_change_that_may_affect_the_list_lists_files_again(
    repo: GitRepo, listings: Callable[[], int], change: Callable[[GitRepo], None]
) -> None:
    Session(repo.path).report()
    assert listings() == 1
    edited(repo)
    change(repo)
    warm = Session(repo.path).report()
    assert listings() == 1
    assert encode(warm) == encode(Session(repo.path, COLD).report())


def test_unencodable_name_does_not_restore_an_older_list(repo: GitRepo) -> None:
    Session(repo.path).report()
    os.close(os.open(os.fsencode(repo.path) + b"/app/odd\xff.py", os.O_CREAT | os.O_WRONLY))
    new(repo)
    Session(repo.path).report()
    edited(repo)
    assert encode(Session(repo.path).report()) == encode(Session(repo.path, COLD).report())


def test_path_that_was_temporarily_a_pipe_is_listed_again(repo: GitRepo) -> None:
    """Nobody reads it: what it is tells the listing alone."""
    data = repo.path / "data.bin"
    repo.commit({"data.bin": "x"})
    data.unlink()
    os.mkfifo(data)
    Session(repo.path).report()
    data.unlink()
    data.write_text("x")
    edited(repo)
    assert encode(Session(repo.path).report()) == encode(Session(repo.path, COLD).report())


def test_files_beside_a_folder_named_git_are_watched(repo: GitRepo) -> None:
    (repo.path / "old/.git").mkdir()
    (repo.path / "old/deep").mkdir()
    repo.commit({"old/deep/b.py": "b = 1\n", "crimes.toml": ""})
    Session(repo.path).report()
    (repo.path / "old/deep/new.py").write_text("n = 1\n")
    edited(repo)
    assert encode(Session(repo.path).report()) == encode(Session(repo.path, COLD).report())


def test_tables_can_be_created_by_two_connections_at_once(tmp_path: Path) -> None:
    connections = [sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None) for _ in range(2)]
    for connection in connections:  # both have seen an empty file
        make_tables(connection, "CREATE TABLE one (a INTEGER);", 3)
    assert [connection.execute("PRAGMA user_version").fetchone() for connection in connections] == [
        (3,),
        (3,),
    ]
    for connection in connections:
        connection.close()

"""Briefings are built after a scan has answered: by one process, and whoever asks for them waits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from crimes.incremental.building import Building, wait_until_built
from crimes.model.codec import encode
from crimes.system.user_dirs import database_of
from crimes.workflows.briefing import refresh
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "repo")
    files = {
        "app/core.py": "def run(a):\n    return a\n",
        "app/views.py": "from app.core import run\n\nrun(1)\n",
    }
    made.commit({**files, "CODEOWNERS": "* @ann\n"}, "First", days_ago=9)
    return made


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that must be there before briefings are built."""
    opened, build = tmp_path / "gate", refresh.refresh_briefings

    def build_behind_gate(*given: object) -> refresh.RefreshedBriefings:
        (tmp_path / "builder").write_text(str(os.getpid()))
        while not opened.exists():
            time.sleep(0.01)
        return build(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(refresh, "refresh_briefings", build_behind_gate)
    return opened


def fresh_briefing(root: Path, path: str) -> object:
    return Session(root, ScanOptions(cache=False)).briefings([path])[0]


def test_report_is_there_before_its_briefings(repo: GitRepo, gate: Path) -> None:
    report = Session(repo.path).report()
    assert not gate.exists()
    assert encode(Session(repo.path).report()) == encode(report)  # out of the cache
    gate.touch()
    assert Session(repo.path).briefings_of(["app/core.py"]) == {
        "app/core.py": fresh_briefing(repo.path, "app/core.py")
    }


def test_asking_for_a_briefing_waits_for_the_process_that_builds_it(repo: GitRepo, gate: Path) -> None:
    Session(repo.path).report()
    threading.Timer(0.3, gate.touch).start()
    assert Session(repo.path).briefings_of(["app/core.py"])
    assert gate.exists()


def test_next_scan_waits_for_the_briefings_of_the_last_one(repo: GitRepo, gate: Path) -> None:
    Session(repo.path).report()
    assert not Building(database_of(repo.path)).begin(seconds=0)
    gate.touch()
    repo.write({"app/core.py": "def run(a, b):\n    return a + b\n"})
    Session(repo.path).report()
    cached = Session(repo.path).briefings_of(["app/core.py"])
    assert cached["app/core.py"] == fresh_briefing(repo.path, "app/core.py")


def test_briefings_of_a_killed_builder_are_built_when_asked_for(
    repo: GitRepo, gate: Path, tmp_path: Path
) -> None:
    Session(repo.path).report()
    while not (tmp_path / "builder").exists():
        time.sleep(0.01)
    os.kill(int((tmp_path / "builder").read_text()), signal.SIGKILL)
    wait_until_built(database_of(repo.path))
    session = Session(repo.path)
    assert session.lacks_briefings()
    gate.touch()
    assert session.briefings(["app/core.py"]) == [fresh_briefing(repo.path, "app/core.py")]
    assert not session.lacks_briefings()


def test_manifest_that_only_briefings_read_does_not_invalidate_the_report(repo: GitRepo) -> None:
    session = Session(repo.path)
    session.scan()
    assert session.is_current()
    repo.write({"CODEOWNERS": "* @eve\n"})
    assert not session.is_current()
    assert session.briefings(["app/core.py"]) == [fresh_briefing(repo.path, "app/core.py")]


def test_cleared_cache_stays_empty(repo: GitRepo, gate: Path, tmp_path: Path) -> None:
    Session(repo.path).report()
    threading.Timer(0.3, gate.touch).start()
    command = [sys.executable, "-m", "crimes", "cache", "clear", "--root", str(repo.path)]
    subprocess.run(command, check=True)
    assert gate.exists()
    assert not list((tmp_path / "cache/repositories").iterdir())

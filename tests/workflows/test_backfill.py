"""`crimes trend --backfill`: one commit a month, each scanned once."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from crimes.model.errors import EnvironmentFault
from crimes.system import git
from crimes.workflows.backfill import backfill, monthly_commits
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from crimes.workflows.trend import load_points
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import PLAIN, tangled


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    for days, text in ((100, tangled("a")), (65, PLAIN), (5, tangled("c"))):
        made.commit({"shop/__init__.py": "", "shop/a.py": text}, f"{days} days ago", days_ago=days)
    return made


class Watcher:
    """Notes what a backfill says while it runs."""

    def __init__(self) -> None:
        self.stages: list[str] = []

    def notice(self, text: str) -> None:
        raise AssertionError(text)

    def progress(self) -> _Noting:
        return _Noting(self.stages)


class _Noting:
    def __init__(self, stages: list[str]) -> None:
        self._stages = stages

    def __enter__(self) -> _Noting:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        self._stages.append(stage)


def test_each_month_has_the_last_commit_of_the_main_line_before_it(repo: GitRepo) -> None:
    commits = monthly_commits(git.find(repo.path), 3)
    subjects = [repo.git("log", "-1", "--format=%s", commit) for commit, _ in commits]
    # Two and three months back it is the same commit, which is scanned once.
    assert subjects == ["5 days ago", "65 days ago", "100 days ago"]


def test_a_backfill_records_a_scan_a_month_and_shows_how_far_it_is(repo: GitRepo) -> None:
    watcher = Watcher()
    done = backfill(Session(repo.path, ScanOptions(jobs=1), watcher), 3)
    assert (done.scanned, done.known, done.left_out) == (3, 0, ())
    assert [point.findings for point in load_points(repo.path)] == [1, 0, 1]
    assert any(stage.startswith("[######..............] 2 of 3, 20") for stage in watcher.stages)


def test_what_is_recorded_is_not_scanned_again(repo: GitRepo) -> None:
    session = Session(repo.path, ScanOptions(jobs=1))
    assert backfill(session, 1).scanned == 2
    again = backfill(session, 3)
    assert (again.scanned, again.known) == (1, 2)
    assert backfill(session, 3).scanned == 0


def test_a_month_back_from_the_last_of_march_is_the_last_of_february(repo: GitRepo) -> None:
    from crimes.workflows.backfill import _months_before

    last_of_march = datetime.fromisoformat("2025-03-31T10:00:00+00:00")
    assert _months_before(last_of_march, 1).date().isoformat() == "2025-02-28"
    assert _months_before(last_of_march, 15).date().isoformat() == "2023-12-31"


def test_a_folder_without_commits_cannot_be_filled(tmp_path: Path) -> None:
    made = GitRepo(tmp_path / "new", past=False)
    with pytest.raises(EnvironmentFault, match="no commit yet"):
        backfill(Session(made.path), 3)


def test_saved_reports_and_a_backfill_exclude_each_other(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "trend", "a.json", "--backfill", "2")
    assert done.returncode == 2
    assert "--backfill scans the repository" in done.stderr

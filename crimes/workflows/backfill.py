"""Scans of the past for a trend: one commit a month, the newest first, with today's settings.

Each scan is recorded as it ends, and a commit that this version of crimes recorded is not scanned again: what was interrupted goes on where it
stopped. Facts of files that did not change come out of the cache.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from msgspec import Struct

from crimes import __version__
from crimes.model.errors import EnvironmentFault
from crimes.system import git
from crimes.system.git_objects import commit_before, commit_of, commit_time, has_commits
from crimes.system.workers import Progress
from crimes.workflows.scan_options import Listener
from crimes.workflows.session import Session
from crimes.workflows.trend import load_points, save_point

_BAR_CHARS = 20


class Backfill(Struct, frozen=True):
    """What became of the commits of a backfill."""

    scanned: int  # commits that were scanned and recorded now
    known: int  # commits that were recorded before
    left_out: tuple[str, ...]  # commits of which too little could be read to record a scan
    begins: str  # date of the oldest of them; empty without one


def backfill(session: Session, months: int) -> Backfill:
    """Record a scan of HEAD and of the last commit before each of so many months back. EnvironmentFault without commits."""
    with git.unavailable_as(EnvironmentFault, "the past cannot be read"):
        commits = monthly_commits(git.find(session.root), months)
    if not commits:
        raise EnvironmentFault("the past cannot be read: there is no commit yet")
    recorded = {point.commit for point in load_points(session.root) if point.tool == __version__}
    config, left_out, scanned = session.config(), [], 0
    for number, (commit, day) in enumerate(commits):
        if commit in recorded:
            continue
        listener = _Numbered(session.listener, f"{_bar(number, len(commits))} {day}: ")
        report = Session(session.root, session.options, listener, session.request).report_on_commit(
            commit, config
        )
        if save_point(session.root, report):
            scanned += 1
        else:
            left_out.append(commit)
    known = len(commits) - scanned - len(left_out)
    return Backfill(scanned, known, tuple(left_out), commits[-1][1])


def monthly_commits(tree: git.WorkTree, months: int) -> list[tuple[str, str]]:
    """HEAD and the last commit on its main line before each month back, the newest first, each with its day. Unavailable when git cannot tell."""
    if not has_commits(tree):
        return []
    head = commit_of(tree, "HEAD")
    now = datetime.fromtimestamp(commit_time(tree, head), UTC)
    commits = {head: now.date().isoformat()}
    for back in range(1, months + 1):
        moment = _months_before(now, back)
        commit = commit_before(tree, head, int(moment.timestamp()))
        if not commit:
            break
        commits.setdefault(commit, moment.date().isoformat())
    return list(commits.items())


def _months_before(moment: datetime, months: int) -> datetime:
    """The same day so many months before; the last of the month where that has fewer days."""
    year, month = divmod(moment.year * 12 + moment.month - 1 - months, 12)
    day = min(moment.day, monthrange(max(year, 1), month + 1)[1])
    return moment.replace(year=max(year, 1), month=month + 1, day=day)


def _bar(done: int, total: int) -> str:
    filled = _BAR_CHARS * done // total
    return f"[{'#' * filled}{'.' * (_BAR_CHARS - filled)}] {done + 1} of {total},"


class _Numbered:
    """Passes on what happens in one of many scans, with the place of that scan before it."""

    def __init__(self, listener: Listener, place: str) -> None:
        self._listener, self._place = listener, place

    def notice(self, text: str) -> None:
        self._listener.notice(text)

    @contextmanager
    def progress(self) -> Iterator[Progress | None]:
        with self._listener.progress() as on_progress:
            yield None if on_progress is None else self._placed(on_progress)

    def _placed(self, on_progress: Progress) -> Callable[[str, int, int], None]:
        return lambda stage, done, total: on_progress(self._place + stage, done, total)

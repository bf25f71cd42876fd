"""`crimes backtest`: reads the repository as it was before each window, ranks its files, and looks up the fixes that followed.

The work tree is not read: the tree of the cut and its history come out of git. The configuration is today's, because a repository that
takes up crimes has none in its past.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

from crimes import __version__
from crimes.analyses.edit_risk import EDIT_RISK
from crimes.analyses.history.history import HISTORY, SHALLOW
from crimes.analyses.history.later_fixes import LaterFix, later_fixes
from crimes.engine.scan_commit import commit_cache, commit_context
from crimes.incremental.store import Cache
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Tool
from crimes.model.wording import count
from crimes.system import git
from crimes.system.git_objects import (
    commit_before,
    commit_of,
    commit_time,
    first_commit_seconds,
    has_commits,
    is_shallow,
)
from crimes.workflows.backtest.measure import Outcome, mean_qualities, spread_subjects, with_measures
from crimes.workflows.backtest.result import SCHEMA_VERSION, Backtest, Cut
from crimes.workflows.session import Session

DEFAULT_DAYS = 180
_DAY_SECONDS = 86_400
_NOT_POSSIBLE = "cannot check the past"


class Moment(NamedTuple):
    """A commit and its time."""

    commit: str
    seconds: int

    @property
    def text(self) -> str:
        return datetime.fromtimestamp(self.seconds, UTC).isoformat()


class PastCut(NamedTuple):
    """The ranked files of a cut, by path, and the fixes that followed."""

    outcomes: tuple[Outcome, ...]
    fixes: tuple[LaterFix, ...]  # that changed a ranked file, oldest first
    doubts: tuple[str, ...]


def run_backtest(session: Session, *, days: int = DEFAULT_DAYS, cuts: int = 1) -> Backtest:
    """Edit risk at each cut against the fixes of the window after it, the newest first.

    EnvironmentFault without git, in a shallow clone, or when history is shorter than the windows.
    """
    moments = find_moments(session, days, cuts)
    measured = []
    for end, cut in pairwise(moments):
        past = read_cut(session, cut, end)
        measured.append(with_measures(describe_cut(cut, end, past), past.outcomes, days))
    return Backtest(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=session.root.name,
        days=days,
        cuts=tuple(measured),
        measured=sum(not cut.stopped for cut in measured),
        means=mean_qualities(measured),
    )


def find_moments(session: Session, days: int, cuts: int) -> list[Moment]:
    """HEAD, then the last commit of its first-parent line before each window, the newest first."""
    with git.unavailable_as(EnvironmentFault, _NOT_POSSIBLE):
        tree = git.find(session.root)
        if not has_commits(tree):
            raise EnvironmentFault(f"{_NOT_POSSIBLE}: there are no commits yet")
        if is_shallow(tree):
            raise EnvironmentFault(
                f"{_NOT_POSSIBLE}: this is a {SHALLOW}; run `git fetch --unshallow`, or set fetch-depth: 0 in CI"
            )
        head = commit_of(tree, "HEAD")
        now = Moment(head, commit_time(tree, head))
        moments = [now]
        for number in range(1, cuts + 1):
            cut = commit_before(tree, head, now.seconds - number * days * _DAY_SECONDS)
            if not cut:
                raise EnvironmentFault(_too_short(tree, now, days, cuts))
            moments.append(Moment(cut, commit_time(tree, cut)))
    return moments


def read_cut(session: Session, cut: Moment, end: Moment) -> PastCut:
    """The ranking at the cut, and the fixes up to the end of the window. EnvironmentFault when git cannot give them."""
    with (
        _open_cache(session) as cache,
        session.listener.progress() as on_progress,
        commit_context(
            session.root,
            cut.commit,
            session.config(),
            cache=cache,
            on_progress=on_progress,
            jobs=session.options.processes(),
        ) as context,
    ):
        ranking = context[EDIT_RISK]
        if ranking.limited:
            raise EnvironmentFault(f"{_NOT_POSSIBLE}: {ranking.limited}")
        history = context[HISTORY]
        with git.unavailable_as(EnvironmentFault, _NOT_POSSIBLE):
            all_fixes = later_fixes(git.find(session.root), cut.commit, end.commit, context.repo.files)
    fixes = tuple(fix for fix in all_fixes if any(path in ranking.files for path in fix.files))
    fixed = Counter(path for fix in fixes for path in fix.files)
    outcomes = (
        Outcome(risk, history.files[path].commits_90d if path in history.files else 0, fixed[path])
        for path, risk in sorted(ranking.files.items())
    )
    return PastCut(tuple(outcomes), fixes, history.doubts())


@contextmanager
def _open_cache(session: Session) -> Iterator[Cache | None]:
    cache = commit_cache(session.root, session.listener.notice) if session.options.cache else None
    try:
        yield cache
    finally:
        if cache:
            cache.close()


def describe_cut(cut: Moment, end: Moment, past: PastCut) -> Cut:
    """What was ranked and what followed, before anything is measured."""
    outcomes: Sequence[Outcome] = past.outcomes
    return Cut(
        commit=cut.commit,
        time=cut.text,
        until=end.commit,
        until_time=end.text,
        files=len(outcomes),
        fix_commits=len(past.fixes),
        fixed_files=sum(outcome.fixes > 0 for outcome in outcomes),
        fixes=sum(outcome.fixes for outcome in outcomes),
        subjects=spread_subjects(past.fixes),
        doubts=past.doubts,
        stopped="",
    )


def _too_short(tree: git.WorkTree, head: Moment, days: int, cuts: int) -> str:
    there = (head.seconds - first_commit_seconds(tree, head.commit)) // _DAY_SECONDS
    windows = f"{count(cuts, 'window')} of {count(days, 'day')}"
    return f"{_NOT_POSSIBLE}: history goes back {count(there, 'day')}, too short for {windows} and a commit before"

"""How much history there is to read, found without reading it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from crimes.analyses.history.git_log import MIN_DATE_SECONDS
from crimes.analyses.history.history import DAY_SECONDS, SHALLOW, History
from crimes.system import git

ENOUGH_COMMITS = 10  # are not counted any further
ENOUGH_DAYS = 30  # between the first and the last commit are not looked past


class Depth(Struct, frozen=True):
    """`cut` says why history is incomplete, and is empty when it is not; `days` are those visible when it is."""

    cut: str = ""
    days: int = 0
    commits: int = ENOUGH_COMMITS  # visible ones, counted up to what is enough
    span_days: int = ENOUGH_DAYS  # between the first and the last of them, counted likewise


def depth_of(root: Path) -> Depth:
    """The depth of the history behind HEAD. Unavailable without a repository or a commit."""
    tree = git.find(root)
    answer = git.run(tree, "rev-parse", "--is-shallow-repository", "--verify", "HEAD").split()
    head = _newest(git.run(tree, "rev-list", "-1", "--timestamp", "HEAD", "--"))
    commits, span_days = _extent(tree, head)
    if answer[0] != b"true":
        return Depth(commits=commits, span_days=span_days)
    # Where a clone was cut, commits seem to have no parents.
    edge = _newest(git.run(tree, "rev-list", "--max-parents=0", "--timestamp", "HEAD", "--"))
    return Depth(SHALLOW, max(0, head - edge) // DAY_SECONDS, commits, span_days)


def depth_read(root: Path, history: History) -> Depth:
    """The same of a history that was read. It holds three years: git is asked only where these are not enough."""
    first, last = history.first_commit, history.reference_time
    span_days = (last - first).days if first else 0
    if history.commits >= ENOUGH_COMMITS and span_days >= ENOUGH_DAYS:
        return Depth(history.cut, history.days)
    return Depth(history.cut, history.days, *_extent(git.find(root), int(last.timestamp())))


def _extent(tree: git.WorkTree, last: int) -> tuple[int, int]:
    """The number of commits up to the second `last` and the days they span, both up to what is enough."""
    until = (f"--until={last}",) if last >= MIN_DATE_SECONDS else ()
    newest = git.run(tree, "rev-list", f"--max-count={ENOUGH_COMMITS}", "--timestamp", *until, "HEAD", "--")
    commits = len(newest.splitlines())
    before = last - ENOUGH_DAYS * DAY_SECONDS
    if before >= MIN_DATE_SECONDS and git.run(
        tree, "rev-list", "--max-count=1", "--timestamp", f"--until={before}", "HEAD", "--"
    ):
        return commits, ENOUGH_DAYS
    # All commits are within the last days, or their clocks are wrong: few enough to look at all of them.
    every = git.run(tree, "rev-list", "--timestamp", *until, "HEAD", "--")
    oldest = min((int(row.split()[0]) for row in every.splitlines()), default=last)
    return commits, min(max(0, last - oldest) // DAY_SECONDS, ENOUGH_DAYS)


def _newest(commits: bytes) -> int:
    return max(int(line.split()[0]) for line in commits.splitlines())

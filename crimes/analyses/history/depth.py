"""How much history there is to read, found without reading it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from crimes.analyses.history.history import DAY_SECONDS, SHALLOW
from crimes.system import git


class Depth(Struct, frozen=True):
    """`cut` says why history is incomplete, and is empty when it is not; `days` are those visible when it is."""

    cut: str = ""
    days: int = 0


def depth_of(root: Path) -> Depth:
    """The depth of the history behind HEAD. Unavailable without a repository or a commit."""
    tree = git.find(root)
    answer = git.run(tree, "rev-parse", "--is-shallow-repository", "--verify", "HEAD").split()
    if answer[0] != b"true":
        return Depth()
    head = _newest(git.run(tree, "rev-list", "-1", "--timestamp", "HEAD", "--"))
    # Where a clone was cut, commits seem to have no parents.
    edge = _newest(git.run(tree, "rev-list", "--max-parents=0", "--timestamp", "HEAD", "--"))
    return Depth(SHALLOW, max(0, head - edge) // DAY_SECONDS)


def _newest(commits: bytes) -> int:
    return max(int(line.split()[0]) for line in commits.splitlines())

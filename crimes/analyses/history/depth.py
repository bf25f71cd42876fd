"""How much of the past is there to be read, found without reading it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from crimes.analyses.history.history import DAY, SHALLOW
from crimes.system import git


class Depth(Struct, frozen=True):
    """`cut` says why history is not whole, and is empty when it is; `days` are those visible of a cut one."""

    cut: str = ""
    days: int = 0


def depth_of(root: Path) -> Depth:
    """Two git commands, one of them only for a shallow clone. Unavailable without a repository or a commit."""
    tree = git.find(root)
    answer = git.run(tree, "rev-parse", "--is-shallow-repository", "--verify", "HEAD").split()
    if answer[0] != b"true":
        return Depth()
    head = _newest(git.run(tree, "rev-list", "-1", "--timestamp", "HEAD", "--"))
    # Where a clone was cut, commits seem to have no parents.
    edge = _newest(git.run(tree, "rev-list", "--max-parents=0", "--timestamp", "HEAD", "--"))
    return Depth(SHALLOW, max(0, head - edge) // DAY)


def _newest(told: bytes) -> int:
    return max(int(line.split()[0]) for line in told.splitlines())

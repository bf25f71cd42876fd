"""Path patterns of workspaces and tsconfig files: `*` inside a name, `**` over folders.

Matched folder by folder over sets of positions, not as one regular expression: a pattern comes from the
scanned repository and must not be able to make matching slow.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache


def matches(pattern: str, path: str) -> bool:
    """Whether the whole path fits the pattern; both are relative, with slashes."""
    return _fits(_parts(pattern), path)


def below(pattern: str, path: str) -> bool:
    """Whether the path, or a folder it is in, fits the pattern."""
    literal = pattern.partition("*")[0]
    return path.startswith(literal) and _fits((*_parts(pattern), "**"), path)


@cache
def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(part for part in pattern.split("/") if part not in ("", "."))


def _fits(wanted: tuple[str, ...], path: str) -> bool:
    positions = _over_folders(wanted, {0})
    for name in path.split("/"):
        stepped = set()
        for position in positions:
            if position == len(wanted):
                continue
            if wanted[position] == "**":
                if position == len(wanted) - 1:
                    return True
                stepped.add(position)
            elif wanted[position] == name or fnmatchcase(name, wanted[position]):
                stepped.add(position + 1)
        if not stepped:
            return False
        positions = _over_folders(wanted, stepped)
    return len(wanted) in positions


def _over_folders(wanted: tuple[str, ...], positions: set[int]) -> set[int]:
    """`**` may stand for no folder at all: the positions behind it are reached too."""
    reached = set(positions)
    for position in positions:
        while position < len(wanted) and wanted[position] == "**":
            position += 1
            reached.add(position)
    return reached

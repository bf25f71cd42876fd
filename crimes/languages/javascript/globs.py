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


def matches_at_or_above(pattern: str, path: str) -> bool:
    """Whether the path, or a folder above it, fits the pattern."""
    literal = pattern.partition("*")[0]
    return path.startswith(literal) and _fits((*_parts(pattern), "**"), path)


@cache
def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(part for part in pattern.split("/") if part not in ("", "."))


def _fits(parts: tuple[str, ...], path: str) -> bool:
    positions = _skip_stars(parts, {0})
    for name in path.split("/"):
        advanced = set()
        for position in positions:
            if position == len(parts):
                continue
            if parts[position] == "**":
                if position == len(parts) - 1:
                    return True
                advanced.add(position)
            elif parts[position] == name or fnmatchcase(name, parts[position]):
                advanced.add(position + 1)
        if not advanced:
            return False
        positions = _skip_stars(parts, advanced)
    return len(parts) in positions


def _skip_stars(parts: tuple[str, ...], positions: set[int]) -> set[int]:
    """Positions reached when each `**` may match no folder: those after it count too."""
    reached = set(positions)
    for position in positions:
        while position < len(parts) and parts[position] == "**":
            position += 1
            reached.add(position)
    return reached

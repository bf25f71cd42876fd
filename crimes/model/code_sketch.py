"""Marks of code: the same for the same words, and alike for code of which most lines are the same.

A mark is a digest; behind a point may follow a sketch, the smallest digests of its lines. Of two large sets the smallest
members tell how much they share, so marks of a hundred characters do for code of any length.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence

_FEWEST = 8  # words, or lines: fewer say the same in too many places
_SKETCHED = 16  # lines


def mark(rows: Sequence[Sequence[str]], *, sketched: bool) -> str:
    """The mark of code, given as the words of its lines; empty when it is too short to be told from other code."""
    words = [word for row in rows for word in row]
    if len(words) < _FEWEST:
        return ""
    made = hashlib.sha256(" ".join(words).encode("utf-8", "replace")).hexdigest()[:16]
    lines = {" ".join(row) for row in rows if len(row) > 1} if sketched else ()
    if len(lines) < _FEWEST:
        return made
    digests = {f"{zlib.crc32(line.encode('utf-8', 'replace')) & 0xFFFFFF:06x}" for line in lines}
    return f"{made}.{''.join(sorted(digests)[:_SKETCHED])}"


def exact(mark: str) -> str:
    """What only the same words share."""
    return mark.partition(".")[0]


def alike(one: str, other: str) -> float:
    """The share of lines that two marks have in common, from 0 to 1; 0 without a sketch."""
    first, second = lines_of(one), lines_of(other)
    if not first or not second:
        return 0.0
    smallest = sorted(first | second)[:_SKETCHED]
    return len(first.intersection(second, smallest)) / len(smallest)


def lines_of(mark: str) -> frozenset[str]:
    """The lines of a sketch, as digests."""
    sketch = mark.partition(".")[2]
    return frozenset(sketch[at : at + 6] for at in range(0, len(sketch), 6))

"""What the colours of the map mean: a value of a file by what was asked for, and the step of the scale it is on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

STEPS = 8
# The share of files below each limit between two steps: the few at the top have to stand out.
_SHARES = (0.30, 0.50, 0.66, 0.79, 0.88, 0.94, 0.98)
MAX_OWNERS = 7  # with a colour of their own


class Colouring(NamedTuple):
    """Something the map can show by colour."""

    key: str  # in the address, and of the value in a file
    title: str
    unit: str  # follows a number: "12 commits"
    top: str  # heading of the files that have most of it
    without: str = "not known"  # what a file without a value is


RISK = "risk"
OWNER = "owner"
GAP = "gap"
COLOURINGS = (
    Colouring(RISK, "Edit risk", "", "Highest edit risk", "not ranked"),
    Colouring("complexity", "Complexity", "cognitive complexity", "Most complex"),
    Colouring("commits", "Recent commits", "commits", "Most commits"),
    Colouring("fixes", "Recent fixes", "fixes", "Most fixes"),
    Colouring(GAP, "Test gap", "", "No test found, the largest first"),
    Colouring("reach", "Blast radius", "files depend on it", "Most depended on"),
    Colouring(OWNER, "Owner", "", ""),
    Colouring("age", "Age", "days since the last change", "Longest unchanged", "longer ago, or not known"),
)


def limits_of(values: Sequence[float]) -> list[float]:
    """Where each step but the first begins, rising. Values of 0 are on the first step; with few values there are fewer steps."""
    ordered = sorted(value for value in values if value > 0)
    if not ordered:
        return []
    limits = [ordered[min(int(share * len(ordered)), len(ordered) - 1)] for share in _SHARES]
    return sorted({*limits})


def step_of(value: float, limits: Sequence[float]) -> int:
    """The step of a value, from 0 to 7. With fewer limits the steps are spread over the scale: the highest is always 7."""
    at = bisect_right(limits, value)
    return round(at * (STEPS - 1) / len(limits)) if limits else 0

"""Rates per thousand lines of code."""

from __future__ import annotations

from math import floor

_MIN_RATE_LINES = (
    1000  # a smaller repository counts as one of so many lines: one finding in ten lines leads no list
)


def per_kloc(number: float, lines: int) -> float:
    """So many per 1,000 lines of code, with two decimals."""
    return floor(100_000 * number / max(lines, _MIN_RATE_LINES) + 0.5) / 100

"""Small pictures made of characters: bars and sparklines, for terminals that can show them."""

from __future__ import annotations

from collections.abc import Sequence

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEVELS = "▁▂▃▄▅▆▇█"


def bar(share: float, width: int = 10) -> str:
    """A bar over a part of so many characters, always as wide as the whole; what is not nothing shows."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    if share > 0:
        eighths = max(eighths, 1)
    full, rest = divmod(eighths, 8)
    return f"{'█' * full}{_EIGHTHS[rest] if rest else ''}".ljust(width)


def sparkline(values: Sequence[float]) -> str:
    """A column for each value, from nothing to the highest; the lowest column is nothing."""
    highest = max(values, default=0)
    if highest <= 0:
        return _LEVELS[0] * len(values)
    # What is not nothing is not drawn like nothing.
    return "".join(_LEVELS[max(round(7 * value / highest), 1) if value > 0 else 0] for value in values)

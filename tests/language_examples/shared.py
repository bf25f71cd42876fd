"""What the examples of several languages share."""

from __future__ import annotations

from crimes.detection.detector import Commit

SMALL_LIMITS = {"min_direct": 2, "min_transitive": 3, "min_lines": 5, "busy_commits": 2}


def changes(paths: tuple[str, ...], text: str, message: str = "Change") -> tuple[Commit, ...]:
    """Six commits that change all paths together; `{n}` in the text counts them."""
    return tuple(
        Commit(f"{message} {n}", {path: text.format(n=n) for path in paths}, days_ago=40 - n)
        for n in range(6)
    )

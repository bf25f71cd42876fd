"""What the examples of several languages share."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.detection.detector import Commit, Example

SMALL_LIMITS = {
    "min_direct": 2,
    "min_transitive": 3,
    "min_lines": 5,
    "min_cognitive": 0,
    "min_commits": 1,
    "busy_commits": 2,
}


def changes(paths: tuple[str, ...], text: str, message: str = "Change") -> tuple[Commit, ...]:
    """Six commits that change all paths together; `{n}` in the text counts them."""
    return tuple(
        Commit(f"{message} {n}", {path: text.format(n=n) for path in paths}, days_ago=40 - n)
        for n in range(6)
    )


def hotspot(title: str, path: str, text: str, files: Mapping[str, str], *, reported: bool = False) -> Example:
    """A file that changes often, beside others; it is reported at its first line, or not at all."""
    finds = (f"{path}:1",) if reported else ()
    history = changes((path,), text, "Reword the rules")
    return Example(title, {**files, path: text.format(n=99)}, finds, history=history)

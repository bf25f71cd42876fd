"""Words that messages share."""

from __future__ import annotations

from collections.abc import Iterable


def count(number: int, noun: str, plural: str = "") -> str:
    """1 file, 2,000 files."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def closest(name: str, known: Iterable[str]) -> str:
    """The known name that `name` is most likely a misspelling of; empty when none is close."""
    import difflib  # only when something is misspelled

    return next(iter(difflib.get_close_matches(name, sorted(known), 1)), "")

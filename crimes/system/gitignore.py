"""Patterns of ignore and owner files that a repository wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_PATTERN_CHARS = 1_000
MAX_WILDCARDS = 3  # in one part of a pattern: backtracking over many takes hours on a well-chosen name


def usable_patterns(lines: Iterable[str]) -> GitIgnoreSpec:
    """The patterns that can be matched in reasonable time; the others, and broken ones, match nothing."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(line for line in lines if _is_usable(line))


def _is_usable(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    if len(line) > MAX_PATTERN_CHARS or line.count("**") > MAX_WILDCARDS:
        return False
    if any(part.count("*") > MAX_WILDCARDS for part in line.split("/")):
        return False
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True

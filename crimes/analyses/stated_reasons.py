"""Whether a comment beside a line says why it is the way it is."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from crimes.model.lazy_regex import regex
from crimes.model.repository import File

MIN_REASON_WORDS = 3
_WORD = regex(r"[A-Za-z']{2,}")
# Directives for other tools are no reason, and deferred work is none unless it says what makes it necessary.
_DIRECTIVE = regex(
    r"noqa|pragma|type:\s*ignore|pylint|pyright|mypy|eslint|prettier|biome|@ts-|istanbul|nosec", re.IGNORECASE
)
_DEFERRED = regex(r"todo|fixme|xxx", re.IGNORECASE)
_BECAUSE = regex(
    r"\b(?:because|since|otherwise|needed|required|necessary|so that|in order to|work(?:s|ed)? ?around)\b",
    re.IGNORECASE,
)


def states_reason(file: File, line: int) -> bool:
    """Whether a comment of at least three words stands on a line, or by itself right above it."""
    comments = file.facts.comments  # in the order of their lines
    first = bisect_left(comments, line - 1, key=lambda comment: comment.end)
    last = bisect_right(comments, line, key=lambda comment: comment.line)
    return any(
        (comment.line == line or comment.own_line) and not comment.doc and _is_reason(comment.text)
        for comment in comments[first:last]
    )


def _is_reason(text: str) -> bool:
    if _DIRECTIVE.search(text) or (_DEFERRED.search(text) and not _BECAUSE.search(text)):
        return False
    return len(_WORD.findall(text)) >= MIN_REASON_WORDS

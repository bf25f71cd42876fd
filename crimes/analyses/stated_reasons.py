"""Whether a comment beside a line says why it is the way it is."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from crimes.model.lazy_regex import regex
from crimes.model.repository import File

MIN_REASON_WORDS = 3
_WORD = regex(r"[A-Za-z']{2,}")
# Directives for other tools, and deferred work: neither is a reason.
_NO_REASON = regex(
    r"noqa|pragma|type:\s*ignore|pylint|pyright|mypy|eslint|prettier|biome|@ts-|istanbul|nosec|todo|fixme|xxx",
    re.IGNORECASE,
)


def states_reason(file: File, line: int) -> bool:
    """Whether a comment of at least three words stands on a line, or by itself right above it."""
    comments = file.facts.comments  # in the order of their lines
    first = bisect_left(comments, line - 1, key=lambda comment: comment.end)
    last = bisect_right(comments, line, key=lambda comment: comment.line)
    return any(
        (comment.line == line or comment.own_line)
        and not comment.doc
        and not _NO_REASON.search(comment.text)
        and len(_WORD.findall(comment.text)) >= MIN_REASON_WORDS
        for comment in comments[first:last]
    )

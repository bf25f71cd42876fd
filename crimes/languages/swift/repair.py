"""A copy of Swift source, equally long, with constructs the grammar trips over rewritten."""

from __future__ import annotations

import re
from collections.abc import Callable

from crimes.model.lazy_regex import regex

Rewrite = Callable[[re.Match[bytes]], bytes]


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group())


_REWRITES: tuple[tuple[re.Pattern[bytes], Rewrite], ...] = (
    # the empty tuple as a value: `.success(())`, `resume(returning: ())`, `return ()`
    (regex(rb"(?:(?<=[(,])|(?<=[:,=] ))\(\)(?=\s*[,)])|(?<=return )\(\)"), lambda match: b"[]"),
    (regex(rb"\bnonisolated\(unsafe\)"), _blank),
    (regex(rb'#(?:error|warning)\("[^"\n]*"\)'), _blank),
    # an empty label: `case all(_: Int)`
    (regex(rb"(?<=[(,])(\s*)_(?=\s*:)"), lambda match: match.group(1) + b"x"),
    (regex(rb"(?<= in )try "), _blank),
    # a key path that starts with a subscript: `\.[index]`
    (regex(rb"(?<=\\\.)\[(\w+)\]"), lambda match: b"_" + match.group(1) + b" "),
)


def repair(source: bytes) -> bytes:
    """The source with all rewrites applied."""
    for pattern, rewrite in _REWRITES:
        source = pattern.sub(rewrite, source)
    return source

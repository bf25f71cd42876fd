"""Rewrites what the grammar of TypeScript cannot read, keeping every length and offset."""

from __future__ import annotations

import re

from crimes.model.lazy_regex import regex

_TYPE_STAR = regex(rb"(?<=\bexport )type(?= +\*)")
_VARIANCE = regex(rb"(?<=[<,/])(\s*)(in out|in|out)(?= +[A-Z_$])")
_AMPERSAND = regex(rb"&(?=\w+=)")  # in an address: it looks like the start of a character reference
# `<T>(key: T): T` on its own line, below a signature without a semicolon, reads as type arguments of that one.
_SIGNATURE = regex(rb"\s<(?=\s*(?:const\s+)?[A-Za-z_$][\w$]*\s*(?:extends\b|[,=>]))")
_COMMENT = regex(rb"[ \t]*(?://[^\n]*|/?\*[^\n]*)\Z")
_MAX_COMMENT_LINES = 50  # above a signature
# Line ends that need no semicolon.
_COMPLETE = (b";", b"{", b",", b"(", b"<", b"|", b"&", b"=", b"?", b":", b"=>")


def repair(source: bytes) -> bytes:
    """The source in a form that the grammar can read."""
    source = _TYPE_STAR.sub(b"    ", source)
    source = _VARIANCE.sub(lambda match: match[1] + b" " * len(match[2]), source)
    source = _AMPERSAND.sub(b"+", source)
    return _SIGNATURE.sub(_with_semicolon, source)


def _with_semicolon(match: re.Match[bytes]) -> bytes:
    """The match, with a semicolon before it where the line above ends a signature without one."""
    source, at = match.string, match.start() + 1
    line = source.rfind(b"\n", 0, at)
    if source[line + 1 : at].strip():
        return match[0]
    for _ in range(_MAX_COMMENT_LINES):
        end, line = line, source.rfind(b"\n", 0, max(line, 0))
        above = source[line + 1 : end].strip()
        if end < 0 or (above and not _COMMENT.match(above)):
            break
    else:
        return match[0]
    return match[0] if not above or above.endswith(_COMPLETE) else b";<"

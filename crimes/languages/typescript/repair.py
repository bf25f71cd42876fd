"""What the grammar of TypeScript trips over, written so that it reads it: as long as before, and nothing else changed."""

from __future__ import annotations

import re

from crimes.model.lazy_regex import regex

_TYPE_STAR = regex(rb"(?<=\bexport )type(?= +\*)")
_VARIANCE = regex(rb"(?<=[<,/])(\s*)(in out|in|out)(?= +[A-Z_$])")
_AMPERSAND = regex(
    rb"&(?=\w+=)"
)  # in the address of a link: it looks like the start of a character reference
# `<T>(key: T): T` on a line of its own, below a signature that no semicolon ends: it would be that one's type arguments.
_SIGNATURE = regex(rb"\s<(?=\s*(?:const\s+)?[A-Za-z_$][\w$]*\s*(?:extends\b|[,=>]))")
_COMMENT = regex(rb"[ \t]*(?://[^\n]*|/?\*[^\n]*)\Z")
_LOOK_BACK = 50  # lines of comment above a signature
_GOES_ON = (
    b";",
    b"{",
    b",",
    b"(",
    b"<",
    b"|",
    b"&",
    b"=",
    b"?",
    b":",
    b"=>",
)  # nothing is missing after these


def repair(source: bytes) -> bytes:
    """The source with all of that rewritten."""
    source = _TYPE_STAR.sub(b"    ", source)
    source = _VARIANCE.sub(lambda match: match[1] + b" " * len(match[2]), source)
    source = _AMPERSAND.sub(b"+", source)
    return _SIGNATURE.sub(_apart, source)


def _apart(match: re.Match[bytes]) -> bytes:
    """A semicolon before a signature, where the one above it goes on to the end of its line."""
    source, at = match.string, match.start() + 1
    line = source.rfind(b"\n", 0, at)
    if source[line + 1 : at].strip():
        return match[0]
    for _ in range(_LOOK_BACK):
        end, line = line, source.rfind(b"\n", 0, max(line, 0))
        above = source[line + 1 : end].strip()
        if end < 0 or (above and not _COMMENT.match(above)):
            break
    else:
        return match[0]
    return match[0] if not above or above.endswith(_GOES_ON) else b";<"

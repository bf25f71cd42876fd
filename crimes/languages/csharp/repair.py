"""What the grammar of C# trips over: preprocessor lines inside a statement, a list or a switch, or at the very end of a file.

Only a file that the grammar cannot read as it is comes here. Its directives are left out, and of each conditional all
branches but the first, so that what is left is whole: as long as before, line for line.
"""

from __future__ import annotations

import re

from crimes.model.lazy_regex import regex

_DIRECTIVE = regex(rb"^[ \t]*#[ \t]*(\w+)[^\n]*", re.MULTILINE)
_CODE = regex(rb"[^\s]")


def repair(source: bytes) -> bytes:
    """The source without all of that."""
    out = bytearray(source)
    left_out: list[
        int
    ] = []  # for each conditional that is open, where the branches to leave out begin; -1: not yet
    for match in _DIRECTIVE.finditer(source):
        word = match[1]
        if word == b"if":
            left_out.append(-1)
        elif word in (b"elif", b"else") and left_out and left_out[-1] < 0:
            left_out[-1] = match.start()
        elif word == b"endif" and left_out and (start := left_out.pop()) >= 0:
            out[start : match.start()] = _CODE.sub(b" ", source[start : match.start()])
        out[match.start() : match.end()] = _CODE.sub(b" ", match[0])
    return bytes(out)

"""A copy of C# source without preprocessor lines, which the grammar trips over inside a statement, a list or a switch.

Only files that the grammar cannot read as they are come here. Directives are blanked, and so is every branch of a
conditional but the first. Every byte keeps its offset.
"""

from __future__ import annotations

import re

from crimes.model.lazy_regex import regex

_DIRECTIVE = regex(rb"^[ \t]*#[ \t]*(\w+)[^\n]*", re.MULTILINE)
_NON_SPACE = regex(rb"\S")


def repair(source: bytes) -> bytes:
    """The source, equally long, with directives and all but first branches blanked out."""
    out = bytearray(source)
    # For each open conditional, the offset of the second branch; -1 before it is reached.
    second_branches: list[int] = []
    for match in _DIRECTIVE.finditer(source):
        word = match[1]
        if word == b"if":
            second_branches.append(-1)
        elif word in (b"elif", b"else") and second_branches and second_branches[-1] < 0:
            second_branches[-1] = match.start()
        elif word == b"endif" and second_branches and (start := second_branches.pop()) >= 0:
            out[start : match.start()] = _NON_SPACE.sub(b" ", source[start : match.start()])
        out[match.start() : match.end()] = _NON_SPACE.sub(b" ", match[0])
    return bytes(out)

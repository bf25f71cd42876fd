"""The shape of a function's lines with names and literals left out: what clones are found by.

A line's shape is what is left when each word becomes one letter and each string one quote. No grammar is asked: a few
substitutions over the text of long functions cost far less than tokens one by one, and what they blur (keywords look like names)
is looked at again where two places seem alike.
"""

from __future__ import annotations

import re
from struct import Struct
from zlib import crc32

from crimes.languages.lines import Lines
from crimes.languages.walk.frames import FunctionFrame
from crimes.model import Shape

SHORTEST = 12  # lines of code; a shorter function holds no clone
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*"' rb"|'(?:[^'\\\n]|\\.)*'" rb"|`(?:[^`\\\n]|\\.)*`")
_WORD = re.compile(rb"\d[\w.]*|[\w$\x80-\xff]+")
_BLANK = b" \t\r\f;,"  # a formatter adds and removes these
LINE = Struct("<IBB")  # hash of the shape, its length, lines since the one before
_MOST = 255


def shapes_of(functions: list[FunctionFrame], source: bytes, lines: Lines) -> tuple[Shape, ...]:
    """Shapes of the outermost functions that are long enough; what they hold is part of theirs."""
    shapes = []
    reached = 0
    for index, frame in enumerate(functions):
        if frame.start <= reached or lines.code(frame.start, frame.end) < SHORTEST:
            continue
        if frame.is_test:  # tests repeat themselves, and may
            continue
        reached = frame.end
        shapes.append(Shape(index, _packed(frame, source, lines)))
    return tuple(shapes)


def _packed(frame: FunctionFrame, source: bytes, lines: Lines) -> bytes:
    first = frame.start
    text = source[lines.starts[first - 1] : lines.starts[min(frame.end, lines.count)]]
    rows = _WORD.sub(b"a", _STRING.sub(b'"', text)).translate(None, _BLANK).split(b"\n")
    packed, before = [], first
    for line, row in enumerate(rows, first):
        if row and lines.is_code(line):
            packed.append(LINE.pack(crc32(row), min(len(row), _MOST), min(line - before, _MOST)))
            before = line
    return b"".join(packed)

"""The shape of a function's lines with names and literals left out: what clones are found by.

A line's shape is what is left when each word becomes one letter and each string one quote. No grammar is involved: a few
substitutions over the text cost far less than visiting tokens, and what they blur (keywords look like names) is compared
again where two places look alike.
"""

from __future__ import annotations

import re
from itertools import compress, repeat
from operator import sub
from struct import pack, unpack_from
from zlib import crc32

from crimes.languages.engine.lines import Lines
from crimes.languages.engine.walk.frames import FunctionFrame
from crimes.model.facts import Shape
from crimes.model.lazy_regex import regex

MIN_CODE_LINES = 12  # lines of code; a shorter function holds no clone
_STRING = regex(
    rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    rb"|`[^`\\\n]*+(?:\\.[^`\\\n]*+)*+`"
)
_DECIMAL = regex(rb"\d\.")
_NUMBER = regex(rb"(?<![\w$\x80-\xff])\d[\w.]*+")  # with its dots it is one word
_LETTERS = re.sub(rb"[\w$\x80-\xff]", b"a", bytes(range(256)))
_BLANK = b" \t\r\f;,"  # formatters add and remove these
_MAX_BYTE = 255


def shapes_of(functions: list[FunctionFrame], source: bytes, lines: Lines) -> tuple[Shape, ...]:
    """Shapes of the outermost functions that are long enough, nested functions included."""
    shapes = []
    reached = 0
    tests = _test_indexes(functions)  # tests may repeat themselves
    for index, frame in enumerate(functions):
        if frame.start <= reached or index in tests or lines.code(frame.start, frame.end) < MIN_CODE_LINES:
            continue
        reached = frame.end
        shapes.append(Shape(index, _pack(frame, source, lines)))
    return tuple(shapes)


def _test_indexes(functions: list[FunctionFrame]) -> set[int]:
    """Indexes of tests, and of functions that hold tests."""
    tests: set[int] = set()
    for index, frame in enumerate(functions):
        at = index if frame.is_test else -1
        while at >= 0 and at not in tests:
            tests.add(at)
            at = functions[at].parent
    return tests


def _pack(frame: FunctionFrame, source: bytes, lines: Lines) -> bytes:
    first = frame.start
    text = source[lines.starts[first - 1] : lines.starts[min(frame.end, lines.count)]]
    rows = _blur(_STRING.sub(b'"', text)).translate(None, _BLANK).split(b"\n")
    code = lines.code_from(first, len(rows))
    indexes = [at for at in compress(range(len(rows)), code) if rows[at]]
    shapes = [rows[at] for at in indexes]
    lengths = map(min, map(len, shapes), repeat(_MAX_BYTE))
    steps = map(min, map(sub, indexes, [0, *indexes]), repeat(_MAX_BYTE))
    return pack(f"<{len(shapes)}I", *map(crc32, shapes)) + bytes(lengths) + bytes(steps)


def columns(packed: bytes) -> tuple[tuple[int, ...], bytes, bytes]:
    """For each line of a packed shape: its hash, its length, and its distance in lines from the one before."""
    count = len(packed) // 6
    return unpack_from(f"<{count}I", packed), packed[4 * count : 5 * count], packed[5 * count :]


def _blur(text: bytes) -> bytes:
    """The text with one letter per word. A table and a few replacements take half the time of a pattern."""
    if _DECIMAL.search(text):
        text = _NUMBER.sub(b"a", text)
    text = text.translate(_LETTERS).replace(b"aaaa", b"a").replace(b"aa", b"a")
    while text.find(b"aa") >= 0:
        text = text.replace(b"aa", b"a")
    return text

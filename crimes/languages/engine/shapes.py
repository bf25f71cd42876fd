"""The shape of a function's lines with names and literals left out: what clones are found by.

A line's shape is what is left when each word becomes one letter and each string one quote. No grammar is asked: a few
substitutions over the text of long functions cost far less than tokens one by one, and what they blur (keywords look like names)
is looked at again where two places seem alike.
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

SHORTEST = 12  # lines of code; a shorter function holds no clone
_STRING = regex(
    rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    rb"|`[^`\\\n]*+(?:\\.[^`\\\n]*+)*+`"
)
_DECIMAL = regex(rb"\d\.")
_NUMBER = regex(rb"(?<![\w$\x80-\xff])\d[\w.]*+")  # with its dots it is one word
_LETTERS = re.sub(rb"[\w$\x80-\xff]", b"a", bytes(range(256)))
_BLANK = b" \t\r\f;,"  # a formatter adds and removes these
_MOST = 255


def shapes_of(functions: list[FunctionFrame], source: bytes, lines: Lines) -> tuple[Shape, ...]:
    """Shapes of the outermost functions that are long enough; what they hold is part of theirs."""
    shapes = []
    reached = 0
    tests = _tests(functions)  # they repeat themselves, and may
    for index, frame in enumerate(functions):
        if frame.start <= reached or index in tests or lines.code(frame.start, frame.end) < SHORTEST:
            continue
        reached = frame.end
        shapes.append(Shape(index, _packed(frame, source, lines)))
    return tuple(shapes)


def _tests(functions: list[FunctionFrame]) -> set[int]:
    """Tests, and functions that hold tests."""
    found: set[int] = set()
    for index, frame in enumerate(functions):
        at = index if frame.is_test else -1
        while at >= 0 and at not in found:
            found.add(at)
            at = functions[at].parent
    return found


def _packed(frame: FunctionFrame, source: bytes, lines: Lines) -> bytes:
    first = frame.start
    text = source[lines.starts[first - 1] : lines.starts[min(frame.end, lines.count)]]
    rows = _blurred(_STRING.sub(b'"', text)).translate(None, _BLANK).split(b"\n")
    code = lines.code_from(first, len(rows))
    kept = [at for at in compress(range(len(rows)), code) if rows[at]]
    shapes = [rows[at] for at in kept]
    lengths = map(min, map(len, shapes), repeat(_MOST))
    steps = map(min, map(sub, kept, [0, *kept]), repeat(_MOST))
    return pack(f"<{len(shapes)}I", *map(crc32, shapes)) + bytes(lengths) + bytes(steps)


def columns(packed: bytes) -> tuple[tuple[int, ...], bytes, bytes]:
    """Of each line of a shape: its hash, its length, and how many lines it stands below the one before."""
    count = len(packed) // 6
    return unpack_from(f"<{count}I", packed), packed[4 * count : 5 * count], packed[5 * count :]


def _blurred(text: bytes) -> bytes:
    """The text with one letter for each word: a table and a few replacements take half the time of a pattern."""
    if _DECIMAL.search(text):
        text = _NUMBER.sub(b"a", text)
    text = text.translate(_LETTERS).replace(b"aaaa", b"a").replace(b"aa", b"a")
    while text.find(b"aa") >= 0:
        text = text.replace(b"aa", b"a")
    return text

"""The hash of each line by which GitHub's code scanning distinguishes alerts.

It covers a hundred characters from the start of the line, without blanks and tabs, with every line end as one newline;
equal lines are numbered. If a value differs from GitHub's own, its upload warns about every result.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from itertools import accumulate

_WIDTH = 100
_BASE = 37
_MASK = (1 << 64) - 1
_DROPPED = _BASE**_WIDTH & _MASK  # weight of the character that leaves the window
_END = 0xFFFF  # marks the end of the file
_UTF16 = f"utf-16-{sys.byteorder[0]}e"  # as array("H") reads it


def line_hashes(content: bytes) -> list[str]:
    """The hashes of the file's lines, in order."""
    units = _units(content)
    length = len(units)
    units.extend([0] * _WIDTH)
    rolled = array("Q", accumulate(units, _roll, initial=0))
    starts = [0, *(at + 1 for at in range(length - 1) if units[at] == 10)]
    seen: Counter[int] = Counter()
    hashes = []
    for start in starts:
        value = (rolled[start + _WIDTH] - rolled[start] * _DROPPED) & _MASK
        seen[value] += 1
        hashes.append(f"{value:x}:{seen[value]}")
    return hashes


def _roll(value: int, unit: int) -> int:
    return (value * _BASE + unit) & _MASK


def _units(content: bytes) -> array[int]:
    """The UTF-16 units that are hashed, with the end mark."""
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    units = array("H")
    units.frombytes(text.replace(" ", "").replace("\t", "").encode(_UTF16))
    units.append(_END)
    return units

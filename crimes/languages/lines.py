"""Byte offsets to lines, and which lines hold code."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

_NEAR = 100


class Lines:
    """The lines of one source. `mask` takes comments and docstrings out of the code lines; then `seal`."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        rows = source.split(b"\n")
        self.starts = list(accumulate(map((1).__add__, map(len, rows)), initial=0))
        self._code = bytearray(map(bool, map(bytes.strip, rows)))
        self._sums: list[int] = []
        self.count = len(rows) if rows[-1] else len(rows) - 1

    def line(self, offset: int) -> int:
        """The 1-based line of a byte offset."""
        return bisect_right(self.starts, offset)

    def last_line(self, end: int) -> int:
        """The line the last byte before `end` stands on."""
        return bisect_right(self.starts, end - 1) if end else 1

    def first_on_line(self, offset: int) -> bool:
        """Whether nothing but white space stands before this offset on its line."""
        start = self.starts[bisect_right(self.starts, offset) - 1]
        if offset - start > _NEAR and self._source[offset - _NEAR : offset].strip():
            return False  # without reading a long line again for each comment on it
        return not self._source[start:offset].strip()

    def mask(self, start: int, end: int) -> None:
        """Take the lines that lie wholly inside a comment or docstring out of the code."""
        first, last = self.line(start), self.last_line(end)
        if not self.first_on_line(start):
            first += 1
        if self._source[end : self.starts[last] - 1].strip():
            last -= 1
        for line in range(first, last + 1):
            self._code[line - 1] = 0

    def code_from(self, first: int, count: int) -> bytearray:
        """Which of `count` lines hold code."""
        return self._code[first - 1 : first - 1 + count]

    def seal(self) -> None:
        """No more masking: counting may begin."""
        self._sums = [0, *accumulate(self._code)]

    def code(self, first: int, last: int) -> int:
        """Lines with code from first to last, both included."""
        if last < first:
            return 0
        return self._sums[min(last, len(self._code))] - self._sums[first - 1]

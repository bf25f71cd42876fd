"""Byte offsets to lines, and which lines hold code."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from operator import not_

_LOOKBACK_BYTES = 100


class Lines:
    """The lines of one source. `comment` takes comments and docstrings out of the code lines; then `seal`."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        # Split behind each line's end. NUL is a safe separator: source that holds one is never read.
        rows = source.replace(b"\n", b"\n\0").split(b"\0")
        self.starts = list(accumulate(map(len, rows), initial=0))
        self.starts[-1] += 1  # as if the last line had an end
        self._code = bytearray(map(not_, map(bytes.isspace, rows)))
        self._sums: list[int] = []
        self.count = len(rows)
        if not rows[-1]:
            self.count -= 1
            self._code[-1] = False

    def line(self, offset: int) -> int:
        """The 1-based line of a byte offset."""
        return bisect_right(self.starts, offset)

    def last_line(self, end: int) -> int:
        """The line the last byte before `end` stands on."""
        return bisect_right(self.starts, end - 1) if end else 1

    def first_on_line(self, offset: int) -> bool:
        """Whether only white space stands before this offset on its line."""
        start = self.starts[bisect_right(self.starts, offset) - 1]
        if offset - start > _LOOKBACK_BYTES and self._source[offset - _LOOKBACK_BYTES : offset].strip():
            return False  # without reading a long line again for each comment on it
        return not self._source[start:offset].strip()

    def comment(self, start: int, end: int) -> tuple[int, int, bool]:
        """First and last line of a comment, and whether no code stands before it.

        Lines that lie wholly inside one are taken out of the code.
        """
        starts, source = self.starts, self._source
        first, last = bisect_right(starts, start), bisect_right(starts, end - 1)
        begin = starts[first - 1]
        if start - begin > _LOOKBACK_BYTES and source[start - _LOOKBACK_BYTES : start].strip():
            alone = False  # without reading a long line again for each comment on it
        else:
            alone = start == begin or not source[begin:start].strip()
        whole_from = first if alone else first + 1
        if whole_from <= last:
            whole = last - 1 if source[end : starts[last] - 1].strip() else last
            if whole_from <= whole:
                self._code[whole_from - 1 : whole] = bytes(whole - whole_from + 1)
        return first, last, alone

    def code_from(self, first: int, count: int) -> bytearray:
        """Flags for `count` lines from `first`: whether each holds code."""
        return self._code[first - 1 : first - 1 + count]

    def seal(self) -> None:
        """Ends the adding of comments: `code` may be called from now on."""
        self._sums = [0, *accumulate(self._code)]

    def code(self, first: int, last: int) -> int:
        """Lines with code from first to last, both included."""
        if last < first:
            return 0
        return self._sums[min(last, len(self._code))] - self._sums[first - 1]

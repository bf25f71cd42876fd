"""Line numbers of places in a text, without counting from its start for each of them."""

from __future__ import annotations


class LineCounter:
    """The lines of offsets in a text, which are asked for in order: none lies before the one asked for last."""

    def __init__(self, text: str, first: int = 1) -> None:
        self._text, self._line, self._offset = text, first, 0

    def line(self, offset: int) -> int:
        """The line that an offset is in."""
        self._line += self._text.count("\n", self._offset, offset)
        self._offset = max(self._offset, offset)
        return self._line

"""Collects what one coverage file says: which lines of which files ran. Readers fill a Recorder."""

from __future__ import annotations

from crimes.model.line_coverage import Recorded

MAX_FILE_BYTES = 100_000_000
MAX_LINES = 5_000_000  # entries of one coverage file, including repeated ones
_MAX_LINE_NUMBER = 10_000_000
_MAX_NAME_CHARACTERS = 4_096
_MAX_DIGITS = 20  # of the largest 64-bit count


class Malformed(Exception):
    """The data cannot be used; the message says why, as the end of a sentence."""


def parse_count(text: str) -> int | None:
    """A count as written; None when it is not a plain number, or too long."""
    if len(text) <= _MAX_DIGITS and text.isascii() and text.isdigit():
        return int(text)
    return None


class Recorder:
    """Collects lines within bounds. A line listed several times ran if it ran once."""

    def __init__(self) -> None:
        self.files: dict[str, dict[int, bool]] = {}
        self.ignored = 0
        self._added = 0

    def file(self, name: str) -> None:
        """Add a file, which may have no lines."""
        if 0 < len(name) <= _MAX_NAME_CHARACTERS:
            self.files.setdefault(name, {})
        else:
            self.ignored += 1

    def add(self, name: str, line: int | None, hits: int | None) -> None:
        """Add one line of a file that was added."""
        lines = self.files.get(name)
        if lines is None or line is None or hits is None or hits < 0 or not 0 < line <= _MAX_LINE_NUMBER:
            self.ignored += 1
            return
        self._added += 1
        if self._added > MAX_LINES:
            raise Malformed(f"it lists more than {MAX_LINES:,} lines")
        lines[line] = hits > 0 or lines.get(line, False)

    def recorded(self, format: str, roots: tuple[str, ...] = (), made: int | None = None) -> Recorded:
        """Everything collected; Malformed when none of it made sense."""
        if self.ignored and not self.files:
            raise Malformed(f"it looks like {format}, but no entry in it can be read")
        return Recorded(format, self.files, self.ignored, roots, made)

"""What one coverage file says: which lines of which files ran. Readers fill a Recorder."""

from __future__ import annotations

from crimes.model.line_coverage import Recorded

MAX_FILE_BYTES = 100_000_000  # bytes of one coverage file
MAX_LINES = 5_000_000  # entries of one coverage file, repeated ones included
_MAX_LINE_NUMBER = 10_000_000
_MAX_NAME_CHARACTERS = 4_096
_MAX_DIGITS = 20  # digits of the largest 64-bit count


class Malformed(Exception):
    """The data cannot be used; the message says in what way, and goes on after a colon."""


def parse_count(text: str) -> int | None:
    """A count as written, None when it is no plain number or has no end."""
    if len(text) <= _MAX_DIGITS and text.isascii() and text.isdigit():
        return int(text)
    return None


class Recorder:
    """Gathers lines within bounds. A line that ran once did run, however often it is listed as missed."""

    def __init__(self) -> None:
        self.files: dict[str, dict[int, bool]] = {}
        self.ignored = 0
        self._added = 0

    def file(self, name: str) -> None:
        """A file is mentioned, with or without lines."""
        if 0 < len(name) <= _MAX_NAME_CHARACTERS:
            self.files.setdefault(name, {})
        else:
            self.ignored += 1

    def add(self, name: str, line: int | None, hits: int | None) -> None:
        """One line of a mentioned file."""
        lines = self.files.get(name)
        if lines is None or line is None or hits is None or hits < 0 or not 0 < line <= _MAX_LINE_NUMBER:
            self.ignored += 1
            return
        self._added += 1
        if self._added > MAX_LINES:
            raise Malformed(f"it lists more than {MAX_LINES:,} lines")
        lines[line] = hits > 0 or lines.get(line, False)

    def recorded(self, format: str, roots: tuple[str, ...] = (), made: int | None = None) -> Recorded:
        """All that was gathered; Malformed when nothing of it made sense."""
        if self.ignored and not self.files:
            raise Malformed(f"it begins like {format}, and nothing in it can be read")
        return Recorded(format, self.files, self.ignored, roots, made)

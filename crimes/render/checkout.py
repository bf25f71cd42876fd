"""What a format for hosts needs besides the report: where the scanned folder lies in its repository, and its files."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from crimes.model.report import Crime


def _nothing(path: str) -> bytes | None:
    return None


class Checkout(Struct, frozen=True):
    """`prefix` leads from the top of the git repository to the scanned folder; `read` gives a file, or None."""

    prefix: str = ""
    read: Callable[[str], bytes | None] = _nothing

    def path(self, file: str) -> str:
        """The file's name as a host knows it: from the top of the repository."""
        return self.prefix + file


NOWHERE = Checkout()


def first_line(crime: Crime) -> int:
    """The line a finding stands on. A report may come from a stranger, and hosts refuse a line 0."""
    return max(crime.lines.start, 1)

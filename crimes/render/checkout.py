"""What formats for code hosts need besides the report: where the scanned folder lies in its repository, and its files."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from crimes.model.report import Crime


def _read_nothing(path: str) -> bytes | None:
    return None


class Checkout(Struct, frozen=True):
    """`prefix` is the path from the top of the git repository to the scanned folder; `read` returns a file's bytes, or None."""

    prefix: str = ""
    read: Callable[[str], bytes | None] = _read_nothing

    def path(self, file: str) -> str:
        """The file's path as a host knows it: from the top of the repository."""
        return self.prefix + file


NOWHERE = Checkout()


def first_line(crime: Crime) -> int:
    """The first line of a finding, at least 1: hosts refuse line 0, which a foreign report may hold."""
    return max(crime.lines.start, 1)

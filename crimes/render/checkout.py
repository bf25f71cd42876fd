"""What formats for code hosts need besides the report: where the scanned folder lies in its repository, its files, and
where the host shows them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from msgspec import Struct

from crimes.model.report import Crime


def _read_nothing(path: str) -> bytes | None:
    return None


class Checkout(Struct, frozen=True):
    """`prefix` is the path from the top of the git repository to the scanned folder; `read` returns a file's bytes, or None.

    `address` is where the host shows the files of the scanned commit, without a slash at the end; empty where nobody says.
    """

    prefix: str = ""
    read: Callable[[str], bytes | None] = _read_nothing
    address: str = ""

    def path(self, file: str) -> str:
        """The file's path as a host knows it: from the top of the repository."""
        return self.prefix + file

    def link(self, file: str, line: int) -> str:
        """The address of a line on the host; empty where that is unknown."""
        if not self.address:
            return ""
        return f"{self.address}/{quote(self.path(file).encode('utf-8', 'surrogateescape'))}#L{line}"


NOWHERE = Checkout()


def first_line(crime: Crime) -> int:
    """The first line of a finding, at least 1: hosts refuse line 0, which a foreign report may hold."""
    return max(crime.lines.start, 1)

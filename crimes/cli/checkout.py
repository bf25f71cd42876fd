"""The repository behind a report, for formats that need its files or its place in git."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.output import notice
from crimes.errors import Unavailable

if TYPE_CHECKING:
    from crimes.report import Report
    from crimes.views.checkout import Checkout


def checkout_of(root: Path) -> Checkout:
    """The folder that was just scanned."""
    from crimes.git import find
    from crimes.inside import Inside
    from crimes.views.checkout import Checkout

    inside = Inside(root.resolve())

    def read(path: str) -> bytes | None:
        try:
            return inside.read(path, _LARGEST)
        except (OSError, ValueError):  # gone meanwhile, or a name that cannot be one
            return None

    try:
        prefix = find(root).prefix.decode("utf-8", "surrogateescape")
    except Unavailable:
        prefix = ""
    return Checkout(prefix, read)


def checkout_behind(report: Report, root: Path) -> Checkout:
    """The folder an older report is about, if it still stands at the commit the report names."""
    from crimes.git import find
    from crimes.revision import commit_of
    from crimes.views.checkout import NOWHERE

    try:
        head = commit_of(find(root), "HEAD")
    except Unavailable:
        head = ""
    if head and head == report.history.head:
        return checkout_of(root)
    notice(f"{root} is not at the commit of the report: paths are as in there, and no lines are looked up")
    return NOWHERE


_LARGEST = 50_000_000  # bytes of a file

"""Coverage data of other tools as they were read: which lines of which files ran."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Recorded(Struct, frozen=True):
    """Lines by the name a file has in the data; True for those that ran, False for those that could have."""

    format: str
    files: Mapping[str, Mapping[int, bool]]
    ignored: int  # entries that make no sense: negative lines, counts that are no numbers
    roots: tuple[str, ...] = ()  # folders the names may be relative to
    made: int | None = None  # when, in seconds since the epoch, where the data say so


class CoverageFile(Struct, frozen=True):
    """A coverage file that was read: its name for the report, the folder of the repository it lies in, its age."""

    name: str
    folder: str  # "" for the root, and for a file from elsewhere
    changed: float  # the file's own time
    recorded: Recorded

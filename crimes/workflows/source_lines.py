"""The code of a finding, read from the repository as it is now."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from crimes.system.safe_files import read_inside


class Source(Struct, frozen=True):
    """The file of the finding as it is now; `note` says why it is missing or may not be what was scanned."""

    lines: tuple[str, ...]
    note: str = ""


def read_source(root: Path, path: str, scanned_at: float) -> Source:
    """The file's lines. The path may come from a stranger's report: nothing outside the root is opened."""
    try:
        data = read_inside(root, path)
        changed = (root / path).lstat().st_mtime > scanned_at
    except FileNotFoundError:
        return Source((), "The file no longer exists.")
    except OSError as error:
        return Source((), f"The file cannot be read: {error.strerror}.")
    except ValueError:  # a NUL in the name, say
        return Source((), "The file's name is not valid.")
    note = "The file has changed since the scan, so lines may have moved." if changed else ""
    rows = data.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n").split(b"\n")
    return Source(tuple(row.decode("utf-8", "backslashreplace").removesuffix("\r") for row in rows), note)

"""The last scan of each repository, kept in the user's cache directory so that `explain` need not scan again.

Every fault is an EnvironmentFault, which a command shows as a notice: no command fails because of its cache.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from crimes import __version__
from crimes.model.codec import decode, encode
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Report
from crimes.system.user_dirs import drop_oldest, repository_file

if TYPE_CHECKING:
    from crimes.analyses.claims.lookup import Names


LARGEST = 500_000_000  # bytes of last scans, of all repositories


class Stored(Struct, frozen=True):
    """A scan from the store, and when it was made, in seconds since the epoch."""

    report: Report
    made: float


def save(root: Path, report: Report) -> None:
    """Keep this scan as the last one of the repository."""
    save_encoded(root, encode(report))


def save_encoded(root: Path, report: bytes) -> None:
    """The same with a report that is JSON already."""
    _write(_place(root), report)


def save_names(root: Path, names: Callable[[], Names], made_of: bytes) -> None:
    """Keep what the last scan found to name: paths and symbols, one a line, for the checks of `claims`.

    In any order: sorting them would take longer than all the rest, and nothing shows them. What was made of the same is
    left as it is.
    """
    place, first = _place(root, ".names"), f"{__version__} {made_of.hex()}"
    with suppress(OSError), place.open("rb") as file:
        if file.readline() == f"{first}\n".encode():
            os.utime(place)  # what was not used for long makes room
            return
    known = names()
    whole = (name for name in (*known.paths, "", *known.symbols) if "\n" not in name)
    _write(place, os.fsencode("\n".join((first, *whole))))


def load(root: Path) -> Stored | None:
    """The last scan of the repository, None when there is none."""
    place = _place(root)
    try:
        with place.open("rb") as file:
            made = os.fstat(file.fileno()).st_mtime
            report = decode(file.read())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EnvironmentFault(f"the last scan cannot be read: {_reason(error)}") from error
    except ValueError as error:
        raise EnvironmentFault(f"the last scan is set aside: {error}") from error
    if report.tool.version != __version__:
        raise EnvironmentFault(f"the last scan is set aside: crimes {report.tool.version} made it")
    return Stored(report, made)


def load_names(root: Path) -> Names | None:
    """What the last scan found to name, None when no scan of this version is kept."""
    try:
        version, *lines = os.fsdecode(_place(root, ".names").read_bytes()).split("\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EnvironmentFault(f"the names of the last scan cannot be read: {_reason(error)}") from error
    if version.partition(" ")[0] != __version__ or "" not in lines:
        return None
    from crimes.analyses.claims.lookup import Names

    end = lines.index("")
    return Names(frozenset(lines[:end]), frozenset(lines[end + 1 :]))


def _place(root: Path, extension: str = ".json") -> Path:
    return repository_file(root, "last-scan", extension)


def _write(target: Path, data: bytes) -> None:
    """All of it or nothing: a reader never sees half."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.stem, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
        drop_oldest(target.parent, LARGEST, target)
    except OSError as error:
        raise EnvironmentFault(f"the scan is not kept for explain: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    return f"{error.strerror or error}: {error.filename}" if error.filename else str(error)

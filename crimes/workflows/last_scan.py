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

import msgspec
from msgspec import Struct

from crimes import __version__
from crimes.model.codec import decode, encode
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Report
from crimes.system.user_dirs import drop_oldest, repository_file

if TYPE_CHECKING:
    from crimes.analyses.claims.lookup import DefinedNames, Names


MAX_TOTAL_BYTES = 500_000_000  # of the last scans of all repositories


class StoredScan(Struct, frozen=True):
    """A scan from the store, and its time in seconds since the epoch."""

    report: Report
    scanned_at: float


def save(root: Path, report: Report) -> None:
    """Keep this scan as the last one of the repository."""
    save_encoded(root, encode(report))


def save_encoded(root: Path, report: bytes) -> None:
    """The same for a report that is JSON already."""
    _write(_file_of(root), report)


def save_names(root: Path, collect: Callable[[], DefinedNames], digest: bytes) -> None:
    """Keep what the names of the last scan are made of, for the checks of `claims`, which puts them together.

    A file with the same digest is left as it is.
    """
    path, first = _file_of(root, ".names"), f"{__version__} {digest.hex()}"
    with suppress(OSError), path.open("rb") as file:
        if file.readline() == f"{first}\n".encode():
            os.utime(path)  # `drop_oldest` removes what was not used for long
            return
    names = collect()
    by_file = [(os.fsencode(name), defined) for name, defined in names.by_file.items()]
    table = msgspec.msgpack.encode(([os.fsencode(name) for name in names.paths], by_file))
    _write(path, f"{first}\n".encode() + table)


def load(root: Path) -> StoredScan | None:
    """The last scan of the repository, None when there is none."""
    try:
        with _file_of(root).open("rb") as file:
            scanned_at = os.fstat(file.fileno()).st_mtime
            report = decode(file.read())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EnvironmentFault(f"the last scan cannot be read: {_reason(error)}") from error
    except ValueError as error:
        raise EnvironmentFault(f"the last scan is ignored: it {error}") from error
    if report.tool.version != __version__:
        raise EnvironmentFault(f"the last scan is ignored: it was made by crimes {report.tool.version}")
    return StoredScan(report, scanned_at)


def load_names(root: Path) -> Names | None:
    """The names of the last scan, None when no scan of this version is kept."""
    try:
        first, _, table = _file_of(root, ".names").read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EnvironmentFault(f"the names of the last scan cannot be read: {_reason(error)}") from error
    if first.partition(b" ")[0] != __version__.encode():
        return None
    from crimes.analyses.claims.lookup import Defined, DefinedNames

    try:
        paths, by_file = msgspec.msgpack.decode(table, type=tuple[list[bytes], list[tuple[bytes, Defined]]])
    except msgspec.MsgspecError:
        return None
    defined = {os.fsdecode(name): names for name, names in by_file}
    return DefinedNames(frozenset(map(os.fsdecode, paths)), defined).names()


def _file_of(root: Path, extension: str = ".json") -> Path:
    return repository_file(root, "last-scan", extension)


def _write(target: Path, data: bytes) -> None:
    """Write all of it or nothing: a reader never sees half."""
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
        drop_oldest(target.parent, MAX_TOTAL_BYTES, target)
    except OSError as error:
        raise EnvironmentFault(f"the scan was not stored for `crimes explain`: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    return f"{error.strerror or error}: {error.filename}" if error.filename else str(error)

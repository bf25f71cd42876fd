"""The last scan and the last comparison of each repository, kept in the user's cache directory so that `explain` need not repeat them.

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
from crimes.model.change import ChangeItem
from crimes.model.codec import decode, encode
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Report
from crimes.system.user_dirs import drop_oldest, repository_file

if TYPE_CHECKING:
    from crimes.analyses.claims.lookup import DefinedNames, Names
    from crimes.incremental.answers import CachedAnswers

MAX_TOTAL_BYTES = 500_000_000  # of the last scans of all repositories


class StoredScan(Struct, frozen=True):
    """A scan from the store, and its time in seconds since the epoch."""

    report: Report
    scanned_at: float


class StoredChange(Struct, frozen=True):
    """What the last `check` or `diff` said is broken or worth a look, and between which states."""

    version: str
    states: str
    items: tuple[ChangeItem, ...]


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
    if _has_names(root, digest):
        return
    names = collect()
    by_file = [(os.fsencode(name), defined) for name, defined in names.by_file.items()]
    table = msgspec.msgpack.encode(([os.fsencode(name) for name in names.paths], by_file))
    _write(_file_of(root, ".names"), _first_line(digest) + table)


def cached_report(root: Path, answers: CachedAnswers) -> bytes | None:
    """The cached report on the tree as it is, as JSON; None if there is none, or if the names that are kept are of another tree.

    A scan that keeps no report (its tree was changing), or one with other options, leaves names that the cached report is not about.
    """
    if not answers.still_hold():
        return None
    digest = answers.names_digest()
    return answers.report() if digest is not None and _has_names(root, digest) else None


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


def save_change(root: Path, states: str, items: tuple[ChangeItem, ...]) -> None:
    """Keep what the last comparison said is broken or worth a look; nothing is kept if that is nothing."""
    if items:
        _write(_file_of(root, ".change"), msgspec.msgpack.encode(StoredChange(__version__, states, items)))
        return
    with suppress(OSError):
        _file_of(root, ".change").unlink()


def load_change(root: Path) -> StoredChange | None:
    """What the last comparison said, None when there was nothing or it cannot be read."""
    try:
        change = msgspec.msgpack.decode(_file_of(root, ".change").read_bytes(), type=StoredChange)
    except (OSError, msgspec.MsgspecError):
        return None
    return change if change.version == __version__ else None


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


def _has_names(root: Path, digest: bytes) -> bool:
    """Whether the names that are kept have this digest."""
    path = _file_of(root, ".names")
    try:
        with path.open("rb") as file:
            is_same = file.readline() == _first_line(digest)
    except OSError:
        return False
    with suppress(OSError):  # a user may have read access only
        os.utime(path)  # `drop_oldest` removes what was not used for long
    return is_same


def _first_line(digest: bytes) -> bytes:
    return f"{__version__} {digest.hex()}\n".encode()


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

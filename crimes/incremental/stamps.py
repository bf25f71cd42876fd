"""Whether a file or folder is what it was, told by its size, times and number; by its content where those may deceive.

A change within the same tick of a file system's clock leaves no trace in the times. So whatever was changed less than two
seconds before it was looked at is not trusted to be the same, and its content is compared.
"""

from __future__ import annotations

import os
import stat

from msgspec import Struct

from crimes.model.digests import digest_of

RACY = 2_000_000_000  # nanoseconds; the coarsest clock of a file system in use
_LARGEST = 64_000_000  # a watched file that is larger is not compared, and counts as changed
_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class FileStamp(Struct, frozen=True, array_like=True, gc=False):
    """What a file looked like before it was read. Without a digest its content is not known."""

    size: int
    changed: int  # nanoseconds
    status_changed: int
    number: int
    digest: bytes = b""


class FolderStamp(Struct, frozen=True, array_like=True, gc=False):
    """What a folder looked like. The digest is of the names in it, with their kinds."""

    changed: int
    status_changed: int
    number: int
    names: bytes


def stat_file(path: str, digest: bytes = b"") -> FileStamp | None:
    """A file as it is now; None when there is none that can be seen."""
    try:
        info = os.lstat(path)
    except (OSError, ValueError):
        return None
    return FileStamp(info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino, digest)


def has_same_stamp(now: FileStamp, before: FileStamp, taken: int) -> bool:
    """Whether nothing in its times and numbers differs, and they can be trusted. `taken`: a moment before the look."""
    return (
        now.size == before.size
        and now.changed == before.changed
        and now.status_changed == before.status_changed
        and now.number == before.number
        and max(now.changed, now.status_changed) < taken - RACY
    )


def restamp(
    path: str, before: FileStamp | None, taken: int, *, times_matter: bool = False
) -> FileStamp | None:
    """A file that is what it was, as it looks now; raises Changed. With `times_matter`, written again is changed."""
    now = stat_file(path)
    if now is None or before is None:
        if now is not before:
            raise Changed
        return None
    if has_same_stamp(now, before, taken):
        return before
    if not before.digest or now.size != before.size or (times_matter and now.changed != before.changed):
        raise Changed
    if content_digest(path) != before.digest:
        raise Changed
    return with_digest(now, before.digest)


class Changed(Exception):
    """A file is not what it was."""


def content_digest(path: str) -> bytes | None:
    """The digest of a regular file's content, None when there is none to read. Never through a link, never waiting."""
    try:
        descriptor = os.open(path, _READING)
    except (OSError, ValueError):
        return None
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > _LARGEST:
            return None
        pieces = []
        while piece := os.read(descriptor, 1 << 20):
            pieces.append(piece)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return digest_of(b"".join(pieces))


def stamp(path: str) -> FileStamp | None:
    """A file to be compared by its content when its times do not settle it. Looked at before it is read."""
    now = stat_file(path)
    return None if now is None else with_digest(now, content_digest(path) or b"")


def with_digest(seen: FileStamp, digest: bytes) -> FileStamp:
    return FileStamp(seen.size, seen.changed, seen.status_changed, seen.number, digest)


def folder_is_same(path: str, before: FolderStamp, taken: int) -> bool:
    """Whether the same names are in a folder."""
    try:
        info = os.lstat(path)
    except (OSError, ValueError):
        return False
    if is_as_before(info, before, taken):
        return True
    try:
        return names_digest(list_folder(path)) == before.names
    except OSError:
        return False


def is_as_before(info: os.stat_result, before: FolderStamp, taken: int) -> bool:
    """Whether a folder's times and number are what they were, and can be trusted."""
    return (
        info.st_mtime_ns == before.changed
        and info.st_ctime_ns == before.status_changed
        and info.st_ino == before.number
        and max(before.changed, before.status_changed) < taken - RACY
    )


def list_folder(path: str) -> dict[str, str]:
    """The names in a folder, each with its kind: folder, link, file, or anything else."""
    with os.scandir(path) as entries:
        return {entry.name: _kind(entry) for entry in entries}


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_file(follow_symlinks=False):
        return "f"
    return "l" if entry.is_symlink() else "d" if entry.is_dir(follow_symlinks=False) else "o"


def names_digest(names: dict[str, str]) -> bytes:
    return digest_of(os.fsencode("\0".join(f"{kind}{name}" for name, kind in sorted(names.items()))))

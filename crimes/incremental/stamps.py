"""Whether a file or folder is unchanged: by size, times and inode, and by content where those may deceive.

Two changes within one tick of a file system's clock have the same time. So a file that changed less than two seconds before
its stamp was taken is compared by content.
"""

from __future__ import annotations

import os
import stat

from msgspec import Struct

from crimes.model.digests import digest_of

RACY_NS = 2_000_000_000  # the coarsest clock of a file system in use
_MAX_COMPARED_BYTES = 64_000_000  # a larger file is not compared, and counts as changed
_OPEN_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class FileStamp(Struct, frozen=True, array_like=True, gc=False):
    """A file before it was read. Without a digest its content is not known."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    digest: bytes = b""


class FolderStamp(Struct, frozen=True, array_like=True, gc=False):
    """A folder, with a digest of the names in it and their kinds."""

    mtime_ns: int
    ctime_ns: int
    inode: int
    names: bytes


def stat_file(path: str, digest: bytes = b"") -> FileStamp | None:
    """The stamp of a file as it is now; None when it is missing or out of reach."""
    try:
        info = os.lstat(path)
    except (OSError, ValueError):
        return None
    return FileStamp(info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino, digest)


def has_same_stamp(now: FileStamp, before: FileStamp, taken: int) -> bool:
    """Whether size, times and inode agree and can be trusted. `taken`: a moment before `before` was made."""
    return (
        now.size == before.size
        and now.mtime_ns == before.mtime_ns
        and now.ctime_ns == before.ctime_ns
        and now.inode == before.inode
        and max(now.mtime_ns, now.ctime_ns) < taken - RACY_NS
    )


def restamp(
    path: str, before: FileStamp | None, taken: int, *, times_matter: bool = False
) -> FileStamp | None:
    """The present stamp of an unchanged file; raises Changed. With `times_matter`, a rewrite is a change."""
    now = stat_file(path)
    if now is None or before is None:
        if now is not before:
            raise Changed
        return None
    if has_same_stamp(now, before, taken):
        return before
    if not before.digest or now.size != before.size or (times_matter and now.mtime_ns != before.mtime_ns):
        raise Changed
    if content_digest(path) != before.digest:
        raise Changed
    return with_digest(now, before.digest)


class Changed(Exception):
    """A file is not what it was."""


def content_digest(path: str) -> bytes | None:
    """The digest of a regular file's content, None if it cannot be read. Follows no link and never blocks."""
    try:
        descriptor = os.open(path, _OPEN_FLAGS)
    except (OSError, ValueError):
        return None
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > _MAX_COMPARED_BYTES:
            return None
        chunks = []
        while chunk := os.read(descriptor, 1 << 20):
            chunks.append(chunk)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return digest_of(b"".join(chunks))


def stamp(path: str) -> FileStamp | None:
    """The stamp of a file with the digest of its content; the times are taken before the content is read."""
    now = stat_file(path)
    return None if now is None else with_digest(now, content_digest(path) or b"")


def with_digest(base: FileStamp, digest: bytes) -> FileStamp:
    return FileStamp(base.size, base.mtime_ns, base.ctime_ns, base.inode, digest)


def has_same_names(path: str, before: FolderStamp, taken: int) -> bool:
    """Whether a folder holds the same names."""
    try:
        info = os.lstat(path)
    except (OSError, ValueError):
        return False
    if has_same_folder_stamp(info, before, taken):
        return True
    try:
        return names_digest(list_folder(path)) == before.names
    except OSError:
        return False


def has_same_folder_stamp(info: os.stat_result, before: FolderStamp, taken: int) -> bool:
    """Whether a folder's times and inode agree and can be trusted."""
    return (
        info.st_mtime_ns == before.mtime_ns
        and info.st_ctime_ns == before.ctime_ns
        and info.st_ino == before.inode
        and max(before.mtime_ns, before.ctime_ns) < taken - RACY_NS
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

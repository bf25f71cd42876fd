"""Files that are there whole or not at all, and still there after a power cut. Every file of the user is written here."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path

ASIDE = ".crimes.new"  # one a folder, under the lock of the folder: what a killed process left is replaced
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_ASIDE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE_MODE = 0o666  # less what the user's mask takes away


def write_durably(path: Path, data: bytes, *, new: bool = False) -> None:
    """Write a file aside and move it into place, with its folders. OSError if the disk cannot take it: then nothing changed.

    A link is followed to the file it names. With `new`, FileExistsError if there is one already.
    """
    path = path if new else Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, _FOLDER_FLAGS)
    try:
        replace_in_folder(folder, path.name, data, new=new)
    finally:
        os.close(folder)


def replace_in_folder(folder: int, name: str, data: bytes, *, new: bool = False) -> None:
    """The same for a file of an open folder. A link at its place is replaced, not followed; its permissions stay."""
    fcntl.flock(folder, fcntl.LOCK_EX)
    mode = _mode_of(folder, name)
    if new and mode is not None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
    with suppress(FileNotFoundError):
        os.unlink(ASIDE, dir_fd=folder)
    descriptor = os.open(ASIDE, _ASIDE_FLAGS, _NEW_FILE_MODE, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None and stat.S_ISREG(mode):
                os.fchmod(descriptor, stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.replace(ASIDE, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(ASIDE, dir_fd=folder)
        raise
    os.fsync(folder)


def _mode_of(folder: int, name: str) -> int | None:
    """The type and permissions of what is there under a name; None if nothing is."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None


def sync_folder(folder: Path) -> None:
    """Make what was moved into a folder last."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

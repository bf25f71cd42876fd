"""Files of crimes in the repository, below `.crimes/`. The repository is a stranger's: no link is followed to write one."""

from __future__ import annotations

import os
from pathlib import Path

from crimes.model.errors import EnvironmentFault
from crimes.system.safe_files import LARGEST_READ, read_inside

FOLDER = ".crimes"


def read_own(root: Path, name: str, largest: int = LARGEST_READ) -> bytes | None:
    """The content of a file, None when there is none."""
    try:
        return read_inside(root.resolve(), f"{FOLDER}/{name}", largest)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise EnvironmentFault(f"{FOLDER}/{name} cannot be read: {error.strerror or error}") from error


def write_own(root: Path, name: str, data: bytes) -> None:
    """Write a file, all of it or nothing; a reader never sees half."""
    try:
        os.makedirs(root / FOLDER, exist_ok=True)
        folder = os.open(root / FOLDER, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            _write(folder, name, data)
        finally:
            os.close(folder)
    except OSError as error:
        raise EnvironmentFault(f"{FOLDER}/{name} cannot be written: {error.strerror or error}") from error


def _write(folder: int, name: str, data: bytes) -> None:
    waiting = f".{name}.{os.getpid()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(waiting, flags, 0o644, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(waiting, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(waiting, dir_fd=folder)
        raise

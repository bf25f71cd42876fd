"""Reading below a folder and nowhere else: links, devices and pipes are refused.

Also the files crimes keeps in a repository, below `.crimes/`. The repository is a stranger's: no link is followed to write one.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from crimes.model.errors import EnvironmentFault
from crimes.system.durable import replace_in_folder

MAX_READ_BYTES = 50_000_000  # manifests and settings files are read without having been listed as source
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_ENTER_FLAGS = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)


class SafeReader:
    """Reads regular files below a folder (resolved), never through a link at their end, and never waiting.

    The folder last read from stays open: most files come folder by folder, and it need not be checked again.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder: str | None = None
        self._descriptor = -1

    def __reduce__(self) -> tuple[type[SafeReader], tuple[Path]]:
        return SafeReader, (self._root,)  # another process has other descriptors

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Keep no folder open until the next read."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._folder, self._descriptor = None, -1

    def read(self, path: str, max_bytes: int) -> bytes:
        """The bytes of a file. OSError when there is no such file to read."""
        folder, name = os.path.split(path)
        if folder != self._folder:
            self._enter(folder, path)
        try:
            descriptor = os.open(name, _READ_FLAGS, dir_fd=self._descriptor)
        except OSError as error:
            error.filename = path  # which of the files of that name
            raise
        try:
            info = os.fstat(descriptor)
            if not stat.S_ISREG(info.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", path)
            # Asking for the most there may be would set that much memory aside for every small file.
            content = os.read(descriptor, min(info.st_size, max_bytes) + 1)
            while len(content) > info.st_size and len(content) <= max_bytes:  # it grew meanwhile
                more = os.read(descriptor, max_bytes + 1 - len(content))
                if not more:
                    break
                content += more
        finally:
            os.close(descriptor)
        if len(content) > max_bytes:
            raise OSError(errno.EFBIG, f"larger than {max_bytes} bytes", path)
        return content

    def _enter(self, folder: str, path: str) -> None:
        real = os.path.realpath(os.path.join(self._root, folder))
        if not is_inside(self._root, real):
            raise PermissionError(errno.EPERM, "outside the repository", path)
        descriptor = os.open(real, _ENTER_FLAGS)
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._folder, self._descriptor = folder, descriptor


def read_inside(root: Path, path: str, max_bytes: int = MAX_READ_BYTES) -> bytes:
    """One file below `root` (resolved), as safely as `SafeReader` reads many."""
    return SafeReader(root).read(path, max_bytes)


def is_inside(root: Path, resolved: str) -> bool:
    """Whether a resolved name is the folder or lies below it."""
    return resolved == str(root) or resolved.startswith(os.path.join(root, ""))


def read_own_file(root: Path, path: str, max_bytes: int = MAX_READ_BYTES) -> bytes | None:
    """The content of a file below `.crimes/`, None when there is none. `path` is relative to the root."""
    try:
        return read_inside(root.resolve(), path, max_bytes)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror or error}") from error


def write_own_file(root: Path, path: str, data: bytes) -> None:
    """Write a file below `.crimes/`, all of it or nothing; a reader never sees half."""
    directory, name = os.path.split(path)
    try:
        os.makedirs(root / directory, exist_ok=True)
        folder = os.open(root / directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            replace_in_folder(folder, name, data)
        finally:
            os.close(folder)
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be written: {error.strerror or error}") from error

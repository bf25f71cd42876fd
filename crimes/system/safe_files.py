"""Reading below a folder and nowhere else: links, devices and pipes are refused."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

LARGEST_READ = 50_000_000  # manifests and settings files are read without having been listed as source
READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
ENTERING = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)


class Inside:
    """Reads regular files below a folder (resolved), never through a link at their end, and never waiting.

    The folder last read from stays open: most files come folder by folder, and it need not be checked again.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder: str | None = None
        self._descriptor = -1

    def __reduce__(self) -> tuple[type[Inside], tuple[Path]]:
        return Inside, (self._root,)  # another process has other descriptors

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Keep no folder open until the next read."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._folder, self._descriptor = None, -1

    def read(self, path: str, largest: int) -> bytes:
        """The bytes of a file. OSError when there is no such file to read."""
        folder, name = os.path.split(path)
        if folder != self._folder:
            self._enter(folder, path)
        try:
            descriptor = os.open(name, READING, dir_fd=self._descriptor)
        except OSError as error:
            error.filename = path  # which of the files of that name
            raise
        try:
            info = os.fstat(descriptor)
            if not stat.S_ISREG(info.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", path)
            # Asking for the most there may be would set that much memory aside for every small file.
            content = os.read(descriptor, min(info.st_size, largest) + 1)
            while len(content) > info.st_size and len(content) <= largest:  # it grew meanwhile
                more = os.read(descriptor, largest + 1 - len(content))
                if not more:
                    break
                content += more
        finally:
            os.close(descriptor)
        if len(content) > largest:
            raise OSError(errno.EFBIG, f"larger than {largest} bytes", path)
        return content

    def _enter(self, folder: str, path: str) -> None:
        real = os.path.realpath(os.path.join(self._root, folder))
        if not is_inside(self._root, real):
            raise PermissionError(errno.EPERM, "outside the repository", path)
        descriptor = os.open(real, ENTERING)
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._folder, self._descriptor = folder, descriptor


def read_inside(root: Path, path: str, largest: int = LARGEST_READ) -> bytes:
    """One file below `root` (resolved), as safely as `Inside` reads many."""
    return Inside(root).read(path, largest)


def is_inside(root: Path, resolved: str) -> bool:
    """Whether a resolved name is the folder or lies below it."""
    return resolved == str(root) or resolved.startswith(os.path.join(root, ""))

"""Which process builds the briefings of a repository: one at a time, and others can wait for it.

A scan answers before it builds them. The lock is the system's own: it ends with the process that holds it, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

MAX_WAIT_SECONDS = 60.0  # for another process; a large repository takes a few
_SECONDS_BETWEEN_LOOKS = 0.01


def lock_file(database: Path) -> str:
    """The file that is locked while the briefings in a cache file are being built."""
    return f"{database}-building"


class Building:
    """The right to build the briefings that one cache file holds."""

    def __init__(self, database: Path) -> None:
        self._path = lock_file(database)
        self._descriptor: int | None = None

    def begin(self, seconds: float = MAX_WAIT_SECONDS) -> bool:
        """Take the right, waiting for another process; False if that takes longer, or if the folder is read-only."""
        try:
            os.makedirs(os.path.dirname(self._path), exist_ok=True, mode=0o700)
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return False
        if not _locked(self._descriptor, seconds):
            self.end()
            return False
        return True

    def end(self) -> None:
        """Give the right back."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_being_built(database: Path) -> bool:
    """Whether a process is building the briefings of a cache file."""
    return not wait_until_built(database, seconds=0)


def wait_until_built(database: Path, seconds: float = MAX_WAIT_SECONDS) -> bool:
    """Wait until no process builds the briefings of a cache file; False if one still does after so many seconds."""
    try:
        descriptor = os.open(lock_file(database), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # never built, or nothing that we may read
        return True
    try:
        return _locked(descriptor, seconds, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _locked(descriptor: int, seconds: float, kind: int = fcntl.LOCK_EX) -> bool:
    """Lock an open file; False if another process holds it for so long."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        else:
            return True

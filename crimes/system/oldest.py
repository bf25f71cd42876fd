"""Room for what is kept of repositories: the files nobody wrote for the longest time go first."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def drop_oldest(folder: Path, largest: int, in_use: Path) -> None:
    """Remove files until the rest takes no more than so many bytes; the one in use stays. OSError for the folder only."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # gone meanwhile
                info = entry.stat(follow_symlinks=False)
                found.append((info.st_mtime_ns, info.st_size, entry.path))
    over = sum(size for _, size, _ in found) - largest
    for _, size, path in sorted(found):
        if over <= 0:
            return
        if path != str(in_use):
            with suppress(OSError):
                os.unlink(path)
                over -= size

"""Where caches are kept, and how large they may grow. As plain strings too: the hook has no time for paths."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from crimes.model.digests import digest_of

if TYPE_CHECKING:
    from pathlib import Path


def cache_directory() -> Path:
    """Where caches go on this system; CRIMES_CACHE_DIR overrides it."""
    from pathlib import Path

    return Path(cache_directory_name())


def database_of(root: Path) -> Path:
    """The file that holds all that is kept of one repository (its resolved folder)."""
    from pathlib import Path

    return Path(database_name(os.fspath(root)))


def database_directory() -> Path:
    return cache_directory() / "repositories"


def mirrors_directory() -> Path:
    """Where the repositories of a fleet are fetched to."""
    return cache_directory() / "mirrors"


def repository_file(root: Path, folder: str, extension: str) -> Path:
    """A file about one repository, in a folder of the cache directory."""
    import hashlib

    key = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:32]
    return cache_directory() / folder / f"{key}{extension}"


def cache_directory_name() -> str:
    own = os.environ.get("CRIMES_CACHE_DIR")
    if own:
        return own
    if sys.platform == "darwin":
        return os.path.join(_base_directory("XDG_CACHE_HOME", "Library", "Caches"), "crimes")
    return os.path.join(_base_directory("XDG_CACHE_HOME", ".cache"), "crimes")


def database_name(root: str) -> str:
    key = digest_of(os.fsencode(root)).hex()
    return os.path.join(cache_directory_name(), "repositories", f"{key}.sqlite")


def _base_directory(variable: str, *default: str) -> str:
    """The folder a variable names, when it is absolute as the standard asks, else one below the home."""
    named = os.environ.get(variable, "")
    return named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), *default)


def drop_oldest(folder: Path, max_bytes: int, in_use: Path) -> None:
    """Remove the files that were written longest ago until the rest takes at most `max_bytes`; the one in use stays.

    Raises OSError for the folder only.
    """
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # gone meanwhile
                info = entry.stat(follow_symlinks=False)
                files.append((info.st_mtime_ns, info.st_size, entry.path))
    excess = sum(size for _, size, _ in files) - max_bytes
    for _, size, path in sorted(files):
        if excess <= 0:
            return
        if path != str(in_use):
            with suppress(OSError):
                os.unlink(path)
                excess -= size

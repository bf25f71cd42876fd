"""Where caches are kept."""

from __future__ import annotations

import os
import sys
from _blake2 import blake2b
from pathlib import Path


def cache_directory() -> Path:
    """Where caches go on this system; CRIMES_CACHE_DIR overrides it."""
    own = os.environ.get("CRIMES_CACHE_DIR")
    if own:
        return Path(own)
    if sys.platform == "win32":
        return _home("LOCALAPPDATA", "AppData", "Local") / "crimes" / "Cache"
    if sys.platform == "darwin":
        return _home("XDG_CACHE_HOME", "Library", "Caches") / "crimes"
    return _home("XDG_CACHE_HOME", ".cache") / "crimes"


def database_of(root: Path) -> Path:
    """The file that holds all that is kept of one repository (its resolved folder)."""
    key = blake2b(os.fsencode(root), digest_size=16).hexdigest()
    return databases() / f"{key}.sqlite"


def databases() -> Path:
    return cache_directory() / "repositories"


def _home(variable: str, *default: str) -> Path:
    """The folder a variable names, when it is absolute as the standard asks, else one below the home."""
    named = Path(os.environ.get(variable, ""))
    return named if named.is_absolute() else Path(os.path.expanduser("~"), *default)

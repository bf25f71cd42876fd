"""Where caches are kept. As plain strings too: the hook has no time for paths."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from crimes.model.digests import digest_of

if TYPE_CHECKING:
    from pathlib import Path


def cache_directory() -> Path:
    """Where caches go on this system; CRIMES_CACHE_DIR overrides it."""
    from pathlib import Path

    return Path(cache_folder())


def database_of(root: Path) -> Path:
    """The file that holds all that is kept of one repository (its resolved folder)."""
    from pathlib import Path

    return Path(database_name(os.fspath(root)))


def databases() -> Path:
    return cache_directory() / "repositories"


def cache_folder() -> str:
    own = os.environ.get("CRIMES_CACHE_DIR")
    if own:
        return own
    if sys.platform == "darwin":
        return os.path.join(_home("XDG_CACHE_HOME", "Library", "Caches"), "crimes")
    return os.path.join(_home("XDG_CACHE_HOME", ".cache"), "crimes")


def database_name(root: str) -> str:
    key = digest_of(os.fsencode(root)).hex()
    return os.path.join(cache_folder(), "repositories", f"{key}.sqlite")


def _home(variable: str, *default: str) -> str:
    """The folder a variable names, when it is absolute as the standard asks, else one below the home."""
    named = os.environ.get(variable, "")
    return named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), *default)

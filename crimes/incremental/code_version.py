"""What the kept results were made with: when any of it changes they are worth nothing.

Installed packages are told apart by the names of their metadata folders, which hold the version; our own files by size
and time, so that an edit to them counts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache

from crimes import __version__
from crimes.model.digests import digest_of

# All that `read_facts` is made of.
_FACTS = ("languages" + os.sep, "model.py", "roles.py")
_READERS = ("tree_sitter", "msgspec", "markdown_it")
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@cache
def facts_engine() -> bytes:
    """A digest of what turns the bytes of a file into facts."""
    ours = [row for row in _own_files(_HERE, "") if row.startswith(_FACTS)]
    return _digest([*_interpreter(), *ours, *(name for name in _installed() if name.startswith(_READERS))])


@cache
def whole_engine() -> bytes:
    """A digest of all code a report comes from: ours, the detectors, and every package that could bring one."""
    return _digest([*_interpreter(), *_own_files(_HERE, ""), *_detectors(), *_installed(), *_surroundings()])


def _interpreter() -> tuple[str, str]:
    return __version__, sys.version


def _surroundings() -> Iterator[str]:
    """What decides which git is run, and how that is configured from outside the repository."""
    for name, value in sorted(os.environ.items()):
        if name.startswith("GIT_") or name in ("HOME", "XDG_CONFIG_HOME"):
            yield f"{name}={value}"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder and os.access(os.path.join(folder, "git"), os.X_OK):
            yield f"{folder} {os.stat(os.path.join(folder, 'git')).st_mtime_ns}"
            return


def _detectors() -> Iterator[str]:
    """The files of the package of detectors, found without importing it."""
    beside = os.path.join(os.path.dirname(_HERE), "detectors")  # in a checkout
    places = {os.path.realpath(os.path.join(entry, "crimes_detectors")) for entry in (*sys.path, beside)}
    for folder in sorted(filter(os.path.isdir, places)):
        yield from _own_files(folder, folder + os.sep)


def _own_files(folder: str, start: str) -> list[str]:
    """Name, size and time of every file below a folder, sorted."""
    rows: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            if entry.is_dir():
                rows += _own_files(entry.path, f"{start}{entry.name}{os.sep}")
            else:
                info = entry.stat()
                rows.append(f"{start}{entry.name} {info.st_size} {info.st_mtime_ns}")
    return sorted(rows)


@cache
def _installed() -> tuple[str, ...]:
    """The metadata folders of installed packages: name and version of each."""
    found: set[str] = set()
    for entry in sys.path:
        try:
            names = os.listdir(entry)
        except OSError:  # a zip file, or a folder that is not there
            continue
        found.update(name for name in names if name.endswith((".dist-info", ".egg-info", ".egg-link")))
    return tuple(sorted(found))


def _digest(parts: list[str]) -> bytes:
    return digest_of("\0".join(parts).encode("utf-8", "surrogateescape"))

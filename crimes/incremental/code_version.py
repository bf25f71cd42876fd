"""Which code made the kept results: when any of it changes they are worth nothing.

Installed packages are told apart by the names of their metadata folders, which hold the version; our own files by size
and time, so that an edit to them counts.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import BYTECODE_SUFFIXES, SOURCE_SUFFIXES

from crimes import __version__
from crimes.model.digests import DIGEST_BYTES, digest_of

# Where the making of facts begins.
READERS = ("crimes.languages", "crimes.languages.engine.facts", "crimes.languages.engine.native")
_READING_PACKAGES = ("tree_sitter", "msgspec", "markdown_it", "crimes_native")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_IMPORT = r"^[ \t]*(?:from (crimes[\w.]*) import (\([^)]*\)|[^\n]*)|import (crimes[\w.]*))"


def facts_version() -> bytes:
    """A digest of all that turns the bytes of a file into facts, and the names of our own files among it.

    The names are found by following import statements, which takes too long to do for every question. They need not be
    found again to compare: while none of the files changed, none of them imports another one than before.
    """
    names = sorted(files_behind(READERS))
    return _facts_digest(names) + "\0".join(names).encode()


def is_facts_version(version: bytes) -> bool:
    """Whether a version of the past is that of the present code."""
    names = version[DIGEST_BYTES:].decode("utf-8", "replace").split("\0")
    return version[:DIGEST_BYTES] == _facts_digest(names)


def files_behind(modules: Iterable[str]) -> set[str]:
    """The files of these modules and of all of ours that they import, with the data that lies beside them."""
    imports = re.compile(_IMPORT, re.MULTILINE)
    files: set[str] = set()
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        file = _file_of(module)
        if file is None or file in files:
            continue
        files.add(file)
        waiting.append(module.rpartition(".")[0])  # its package is imported before it
        with open(os.path.join(_PACKAGE, file), encoding="utf-8") as source:
            for origin, names, module in imports.findall(source.read()):
                waiting.append(origin or module)
                waiting.extend(f"{origin}.{name}" for name in re.findall(r"\w+", names))
    folders = {os.path.dirname(file) for file in files}
    code = (*SOURCE_SUFFIXES, *BYTECODE_SUFFIXES)
    return files | {
        file for file in _own_rows() if not file.endswith(code) and os.path.dirname(file) in folders
    }


def _file_of(module: str) -> str | None:
    """A module's file below our package, None when there is none: the name is that of something in a module."""
    stem = module.partition(".")[2].replace(".", os.sep)
    candidates = (f"{stem}.py", os.path.join(stem, "__init__.py"))
    return next((file for file in candidates if file in _own_rows()), None)


def _facts_digest(names: Iterable[str]) -> bytes:
    rows = _own_rows()
    readers = (name for name in _installed() if name.startswith(_READING_PACKAGES))
    return _digest([*_interpreter(), *(f"{name} {rows.get(name)}" for name in names), *readers])


@cache
def code_version() -> bytes:
    """A digest of all code a report comes from: ours, the detectors, and every package that could bring one."""
    ours = [f"{name} {row}" for name, row in _own_rows().items()]
    return _digest([*_interpreter(), *ours, *_detectors(), *_installed(), *_surroundings()])


@cache
def portable_version() -> str:
    """A digest of the same, equal on every machine with the same code: by content, not by time, and without git's settings."""
    detectors = next(iter(_detector_folders()), "")
    files = [os.path.join(_PACKAGE, name) for name in _own_rows()]
    files += [os.path.join(detectors, name) for name in _rows(detectors)] if detectors else []
    digests = []
    for file in files:
        with open(file, "rb") as content:
            digests.append(f"{os.path.basename(file)} {digest_of(content.read()).hex()}")
    packages = (name for name in _installed() if name.startswith(_READING_PACKAGES) or _has_plugins(name))
    python = ".".join(map(str, sys.version_info[:2]))
    return _digest([__version__, python, *digests, *packages]).hex()


def _has_plugins(name: str) -> bool:
    """Whether an installed package may bring detectors, after the name of its metadata folder."""
    for entry in sys.path:
        try:
            with open(os.path.join(entry, name, "entry_points.txt"), "rb") as file:
                return b"crimes.detectors" in file.read()
        except OSError:  # it has none, or lies elsewhere
            continue
    return False


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
    for folder in _detector_folders():
        yield from (f"{folder}{os.sep}{name} {row}" for name, row in _rows(folder).items())


def _detector_folders() -> list[str]:
    beside = os.path.join(os.path.dirname(_PACKAGE), "detectors")  # in a checkout
    places = {os.path.realpath(os.path.join(entry, "crimes_detectors")) for entry in (*sys.path, beside)}
    return sorted(filter(os.path.isdir, places))


@cache
def _own_rows() -> dict[str, str]:
    return _rows(_PACKAGE)


def _rows(folder: str, prefix: str = "") -> dict[str, str]:
    """Size and time of every file below a folder, by name, sorted."""
    rows: dict[str, str] = {}
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name == "__pycache__":
                continue
            if entry.is_dir():
                rows |= _rows(entry.path, f"{prefix}{entry.name}{os.sep}")
            else:
                info = entry.stat()
                rows[prefix + entry.name] = f"{info.st_size} {info.st_mtime_ns}"
    return rows


def is_installed(package: str, version: str) -> bool:
    """Whether exactly this version of a package is installed."""
    return f"{package}-{version}.dist-info" in _installed()


@cache
def _installed() -> tuple[str, ...]:
    """The metadata folders of installed packages: name and version of each; and a native reader that was built here."""
    found: set[str] = set()
    for entry in sys.path:
        try:
            names = os.listdir(entry)
        except OSError:  # a zip file, or a folder that is not there
            continue
        found.update(name for name in names if name.endswith((".dist-info", ".egg-info", ".egg-link")))
        for name in names:
            if name.startswith("crimes_native.") and name.endswith(".so"):
                info = os.stat(os.path.join(entry, name))
                found.add(f"{name} {info.st_size} {info.st_mtime_ns}")
    return tuple(sorted(found))


def _digest(parts: list[str]) -> bytes:
    return digest_of("\0".join(parts).encode("utf-8", "surrogateescape"))

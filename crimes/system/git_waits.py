"""Why git may wait for ever: a pipe, a socket or a device stands where it reads a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import islice

MAX_ENTRIES_LOOKED_AT = 300_000
MAX_INCLUDE_DEPTH = 10
MAX_CONFIG_BYTES = 1_000_000
_READ_IN_TREE = frozenset({".gitignore", ".gitattributes", ".gitmodules", ".mailmap"})


def find_endless_file(top: str | os.PathLike[str]) -> str | None:
    """The first file that git reads in the work tree `top` and whose end never comes; relative to `top` if it lies in it."""
    top = os.fspath(top)
    for path in islice(_files_git_reads(top), MAX_ENTRIES_LOOKED_AT):
        if _is_endless(path):
            return os.path.relpath(path, top) if path.startswith(top + os.sep) else path
    return None


def _files_git_reads(top: str) -> Iterator[str]:
    own = os.path.join(top, ".git")
    yield own
    for folder in _git_directories(own):
        for name in _names_in(folder):
            yield os.path.join(folder, name)
        for name in ("info", "refs", "objects/info"):
            for parent, _, files in os.walk(os.path.join(folder, name)):
                yield from (os.path.join(parent, file) for file in files)
        yield from _included(os.path.join(folder, "config"), MAX_INCLUDE_DEPTH)
    for parent, folders, files in os.walk(top):
        if parent == top and ".git" in folders:
            folders.remove(".git")
        yield from (os.path.join(parent, file) for file in files if file in _READ_IN_TREE)


def _git_directories(own: str) -> list[str]:
    """The git directory of a work tree, and the one it shares with others."""
    directory = own
    if not os.path.isdir(own):
        directory = _named_in(own, "gitdir: ")
    common = _named_in(os.path.join(directory, "commondir"), "")
    return [folder for folder in dict.fromkeys((directory, common)) if folder]


def _named_in(path: str, prefix: str) -> str:
    """The folder that a one-line file names, or nothing."""
    text = _read_config(path).strip()
    if not text.startswith(prefix) or not text:
        return ""
    return os.path.normpath(os.path.join(os.path.dirname(path), text.removeprefix(prefix)))


def _included(config: str, depth: int) -> Iterator[str]:
    """Files that a configuration includes, and those that they include."""
    for line in _read_config(config).splitlines():
        key, separator, value = line.partition("=")
        if separator and key.strip().lower() == "path":
            name = os.path.expanduser(value.strip().strip('"'))
            path = os.path.normpath(os.path.join(os.path.dirname(config), name))
            yield path
            if depth > 0:
                yield from _included(path, depth - 1)


def _read_config(path: str) -> str:
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(MAX_CONFIG_BYTES))
    except OSError:
        return ""


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_endless(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)

"""Folders to search for includes, from `compile_commands.json`.

Its paths are those of the machine that wrote it: what they have in common with the files of the tree says where the tree
was. Folders outside of it are left out.
"""

from __future__ import annotations

import json
import posixpath
import shlex
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, field

NAME = "compile_commands.json"
MOST_ENTRIES = 20_000
MOST_FOLDERS = 200
_OPTIONS = ("-I", "-isystem", "-iquote", "-idirafter", "/I")


class IncludeFolders(Struct, frozen=True):
    """Folders by file, and those of all files together, for headers."""

    of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    all: tuple[str, ...] = ()

    def for_file(self, path: str) -> tuple[str, ...]:
        return self.of.get(path, self.all)


def include_folders(paths: frozenset[str], read: Callable[[str], bytes]) -> IncludeFolders:
    """What the compilation databases of the tree say; a broken one says nothing."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(paths):
        if posixpath.basename(path) == NAME:
            for file, folders in _entries(path, paths, read):
                found[file] = tuple(dict.fromkeys((*found.get(file, ()), *folders)))[:MOST_FOLDERS]
    everything = dict.fromkeys(folder for folders in found.values() for folder in folders)
    return IncludeFolders(found, tuple(everything)[:MOST_FOLDERS])


def _entries(
    path: str, paths: frozenset[str], read: Callable[[str], bytes]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    try:
        data = json.loads(read(path))
    except (OSError, ValueError, RecursionError):
        return
    for entry in data[:MOST_ENTRIES] if isinstance(data, list) else ():
        folder, file = _text(entry, "directory"), _text(entry, "file")
        whole = posixpath.normpath(posixpath.join(folder.replace("\\", "/"), file.replace("\\", "/")))
        inside = _in_tree(whole, paths)
        if inside is None:
            continue
        root = whole[: len(whole) - len(inside)]
        folders = (posixpath.normpath(posixpath.join(folder, one)) + "/" for one in _searched(entry))
        yield inside, tuple(one[len(root) :].rstrip("/") for one in folders if one.startswith(root))


def _text(entry: Any, key: str) -> str:
    value = entry.get(key) if isinstance(entry, dict) else None
    return value if isinstance(value, str) else ""


def _in_tree(path: str, paths: frozenset[str]) -> str | None:
    """The longest end of an absolute path that is a file of the tree."""
    rest = path.lstrip("/")
    while rest:
        if rest in paths:
            return rest
        _, slash, rest = rest.partition("/")
        if not slash:
            break
    return None


def _searched(entry: Any) -> Iterator[str]:
    arguments = entry.get("arguments")
    if not isinstance(arguments, list):
        try:
            arguments = shlex.split(_text(entry, "command"))
        except ValueError:
            return
    words = [word for word in arguments if isinstance(word, str)]
    for at, word in enumerate(words):
        for option in _OPTIONS:
            if word == option and at + 1 < len(words):
                yield words[at + 1].replace("\\", "/")
            elif word.startswith(option) and len(word) > len(option):
                yield word[len(option) :].replace("\\", "/")
                break

"""Folders to search for includes, from `compile_commands.json`.

Its absolute paths come from the machine that wrote it. Where they end in a path of the tree, the part before that is
where the tree was checked out. Folders outside the checkout are left out.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, field

from crimes.model.safe_parsing import split_command

FILE_NAME = "compile_commands.json"
MAX_ENTRIES = 20_000
MAX_FOLDERS = 200
_INCLUDE_OPTIONS = ("-I", "-isystem", "-iquote", "-idirafter", "/I")


class IncludeFolders(Struct, frozen=True):
    """Include folders by source file, and all of them together, for headers."""

    by_file: dict[str, tuple[str, ...]] = field(default_factory=dict)
    all: tuple[str, ...] = ()

    def for_file(self, path: str) -> tuple[str, ...]:
        return self.by_file.get(path, self.all)


def include_folders(paths: frozenset[str], read: Callable[[str], bytes]) -> IncludeFolders:
    """Include folders of every compilation database in the tree; a broken one is skipped."""
    by_file: dict[str, tuple[str, ...]] = {}
    for path in sorted(paths):
        if posixpath.basename(path) == FILE_NAME:
            for file, folders in _entries(path, paths, read):
                by_file[file] = tuple(dict.fromkeys((*by_file.get(file, ()), *folders)))[:MAX_FOLDERS]
    all_folders = dict.fromkeys(folder for folders in by_file.values() for folder in folders)
    return IncludeFolders(by_file, tuple(all_folders)[:MAX_FOLDERS])


def _entries(
    database: str, paths: frozenset[str], read: Callable[[str], bytes]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    try:
        data = json.loads(read(database))
    except (OSError, ValueError, RecursionError):
        return
    for entry in data[:MAX_ENTRIES] if isinstance(data, list) else ():
        folder, file = _text(entry, "directory"), _text(entry, "file")
        absolute = posixpath.normpath(posixpath.join(folder.replace("\\", "/"), file.replace("\\", "/")))
        file_in_tree = _suffix_in_tree(absolute, paths)
        if file_in_tree is None:
            continue
        root = absolute[: len(absolute) - len(file_in_tree)]
        searched = (
            posixpath.normpath(posixpath.join(folder, path)) + "/" for path in _include_options(entry)
        )
        yield file_in_tree, tuple(path[len(root) :].rstrip("/") for path in searched if path.startswith(root))


def _text(entry: Any, key: str) -> str:
    value = entry.get(key) if isinstance(entry, dict) else None
    return value if isinstance(value, str) else ""


def _suffix_in_tree(path: str, paths: frozenset[str]) -> str | None:
    """The longest end of an absolute path that is a file of the tree."""
    suffix = path.lstrip("/")
    while suffix:
        if suffix in paths:
            return suffix
        _, slash, suffix = suffix.partition("/")
        if not slash:
            break
    return None


def _include_options(entry: Any) -> Iterator[str]:
    """Folders that the options of one compiler call name."""
    arguments = entry.get("arguments")
    if not isinstance(arguments, list):
        try:
            arguments = split_command(_text(entry, "command"))
        except ValueError:
            return
    words = [word for word in arguments if isinstance(word, str)]
    for at, word in enumerate(words):
        for option in _INCLUDE_OPTIONS:
            if word == option and at + 1 < len(words):
                yield words[at + 1].replace("\\", "/")
            elif word.startswith(option) and len(word) > len(option):
                yield word[len(option) :].replace("\\", "/")
                break

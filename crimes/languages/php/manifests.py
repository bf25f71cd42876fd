"""What composer.json declares: the folders of namespaces, and required packages."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct


class Composer(Struct, frozen=True):
    """One composer.json. Folders are relative to the root, without a trailing slash."""

    folder: str
    # Pairs of dotted namespace, with a trailing dot, and folder; longest first.
    psr4: tuple[tuple[str, str], ...]
    psr0: tuple[tuple[str, str], ...]  # the namespace is repeated below the folder
    requires: frozenset[str]


def load_manifests(paths: frozenset[str], read: Callable[[str], bytes]) -> tuple[Composer, ...]:
    """Every readable composer.json of the tree, outermost first."""
    composers = []
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        if posixpath.basename(path) == "composer.json":
            settings = read_settings(path, read)
            if settings is not None:  # otherwise its files are found by their definitions
                composers.append(_composer(posixpath.dirname(path), settings))
    return tuple(composers)


def read_settings(path: str, read: Callable[[str], bytes]) -> dict[str, Any] | None:
    """The object in composer.json or composer.lock; None if it is broken."""
    try:
        settings = json.loads(read(path))
    except (OSError, ValueError, RecursionError):
        return None
    return settings if isinstance(settings, dict) else None


def _composer(folder: str, settings: dict[str, Any]) -> Composer:
    autoloads = [table(settings, key) for key in ("autoload", "autoload-dev")]
    requires = [name.lower() for key in ("require", "require-dev") for name in table(settings, key)]
    return Composer(
        folder=folder,
        psr4=_longest_first(pair for load in autoloads for pair in _roots(folder, load.get("psr-4"))),
        psr0=_longest_first(pair for load in autoloads for pair in _roots(folder, load.get("psr-0"))),
        requires=frozenset(requires),
    )


def table(settings: dict[str, Any], key: str) -> dict[str, Any]:
    """A table of composer.json; empty if the value is anything else."""
    value = settings.get(key)
    return value if isinstance(value, dict) else {}


def _roots(folder: str, namespaces: object) -> Iterator[tuple[str, str]]:
    if not isinstance(namespaces, dict):
        return
    for namespace, paths in namespaces.items():
        for path in paths if isinstance(paths, list) else [paths]:
            if isinstance(path, str):
                yield str(namespace).replace("\\", "."), _join(folder, path)


def _longest_first(pairs: Iterator[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(set(pairs), key=lambda pair: (-len(pair[0]), pair)))


def _join(folder: str, path: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, path))
    return "" if joined == "." else joined

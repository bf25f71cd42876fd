"""What composer.json says: where namespaces live, and what is needed from outside."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct


class Composer(Struct, frozen=True):
    """One composer.json. Folders are root-relative, without a slash at the end."""

    folder: str
    prefixes: tuple[tuple[str, str], ...]  # PSR-4: dotted namespace with its dot, folder; longest first
    flat: tuple[tuple[str, str], ...]  # PSR-0: the namespace is repeated below the folder
    requires: frozenset[str]


def manifests(paths: frozenset[str], read: Callable[[str], bytes]) -> tuple[Composer, ...]:
    """Every readable composer.json of the tree, outermost first."""
    found = []
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        if posixpath.basename(path) == "composer.json":
            settings = read_settings(path, read)
            if settings is not None:  # else its files are found by what they define
                found.append(_composer(posixpath.dirname(path), settings))
    return tuple(found)


def read_settings(path: str, read: Callable[[str], bytes]) -> dict[str, Any] | None:
    """The object in composer.json or composer.lock; None where it is broken."""
    try:
        settings = json.loads(read(path))
    except (OSError, ValueError, RecursionError):
        return None
    return settings if isinstance(settings, dict) else None


def _composer(folder: str, settings: dict[str, Any]) -> Composer:
    loads = [table(settings, key) for key in ("autoload", "autoload-dev")]
    return Composer(
        folder,
        _longest_first(pair for load in loads for pair in _roots(folder, load.get("psr-4"))),
        _longest_first(pair for load in loads for pair in _roots(folder, load.get("psr-0"))),
        frozenset(name.lower() for key in ("require", "require-dev") for name in table(settings, key)),
    )


def table(settings: dict[str, Any], key: str) -> dict[str, Any]:
    """A table of composer.json; empty where there is something else."""
    value = settings.get(key)
    return value if isinstance(value, dict) else {}


def _roots(folder: str, loaded: object) -> Iterator[tuple[str, str]]:
    if not isinstance(loaded, dict):
        return
    for namespace, places in loaded.items():
        for place in places if isinstance(places, list) else [places]:
            if isinstance(place, str):
                yield str(namespace).replace("\\", "."), _joined(folder, place)


def _longest_first(pairs: Iterator[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(set(pairs), key=lambda pair: (-len(pair[0]), pair)))


def _joined(folder: str, place: str) -> str:
    joined = posixpath.normpath(posixpath.join(folder, place))
    return "" if joined == "." else joined

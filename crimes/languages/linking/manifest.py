"""What a manifest asks for, in words all languages share."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable

from msgspec import Struct

from crimes.languages.linking.versions import Dialect, allows


class Asked(Struct, frozen=True):
    """One dependency: its name as its registry compares names, and the versions asked for as written."""

    name: str
    versions: str = ""
    conditional: bool = False  # for some platforms or versions of the language only


class Manifest(Struct, frozen=True):
    """A file that asks for dependencies, and the folder whose files it speaks for."""

    path: str
    folder: str
    asks: tuple[Asked, ...]


class Pin(Struct, frozen=True):
    """One dependency that a manifest asks for, held against the lockfile beside it."""

    manifest: str
    lock: str
    name: str
    asked: str
    locked: tuple[str, ...]  # versions; none when it is absent
    fits: bool  # one of them is what the manifest asks for, or that cannot be told


def pin(manifest: str, lock: str, ask: Asked, locked: Iterable[str], dialect: Dialect | None) -> Pin:
    """An entry held against the versions of a lockfile. Without a dialect any of them fits."""
    versions = tuple(sorted(set(locked)))
    fits = dialect is None or any(allows(ask.versions, one, dialect) is not False for one in versions)
    return Pin(manifest, lock, ask.name, ask.versions, versions, fits and bool(versions))


class Declarations:
    """The manifests of a tree, asked for by folder: what was asked once is remembered."""

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self._by_folder: dict[str, list[Manifest]] = {}
        for manifest in manifests:
            self._by_folder.setdefault(manifest.folder, []).append(manifest)
        self.everywhere = frozenset(
            ask.name for own in self._by_folder.values() for manifest in own for ask in manifest.asks
        )
        self._above: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}

    def above(self, folder: str) -> tuple[tuple[str, ...], frozenset[str]]:
        """The manifests that speak for a folder, the nearest first, and all the names they ask for."""
        if folder not in self._above:
            paths, names = self.above(posixpath.dirname(folder)) if folder else ((), frozenset())
            own = self._by_folder.get(folder, ())
            self._above[folder] = (
                (*(manifest.path for manifest in own), *paths),
                names.union(ask.name for manifest in own for ask in manifest.asks),
            )
        return self._above[folder]


def named(paths: Iterable[str], *names: str) -> list[str]:
    """The files that are called so, in whatever folder, sorted."""
    return sorted(path for path in paths if path.endswith(names) and path.rpartition("/")[2] in names)


def text_of(path: str, read: Callable[[str], bytes]) -> str:
    """The text of a manifest; empty where it cannot be had."""
    try:
        return read(path).decode("utf-8", "replace")
    except OSError:
        return ""

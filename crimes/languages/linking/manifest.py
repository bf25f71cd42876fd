"""What a manifest requires, in terms that all languages share."""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from crimes.languages.linking.versions import Dialect, allows


class Requirement(Struct, frozen=True):
    """One dependency: its name as its registry compares names, and the required versions as written."""

    name: str
    versions: str = ""
    conditional: bool = False  # for some platforms or versions of the language only


class Manifest(Struct, frozen=True):
    """A file that lists dependencies, and the folder whose files it covers."""

    path: str
    folder: str
    requirements: tuple[Requirement, ...]


class Pin(Struct, frozen=True):
    """One requirement of a manifest, compared with the lockfile beside it."""

    manifest: str
    lock: str
    name: str
    asked: str
    locked: tuple[str, ...]  # versions; none when it is absent
    fits: bool  # one of them satisfies the manifest, or may: what cannot be decided fits


def check_pin(
    manifest: str, lock: str, requirement: Requirement, locked: Iterable[str], dialect: Dialect | None
) -> Pin:
    """A requirement compared with the versions of a lockfile. Without a dialect any of them fits."""
    versions = tuple(sorted(set(locked)))
    fits = dialect is None or any(
        allows(requirement.versions, version, dialect) is not False for version in versions
    )
    return Pin(manifest, lock, requirement.name, requirement.versions, versions, fits and bool(versions))


class Declarations:
    """The manifests of a tree, looked up by folder."""

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self._by_folder: dict[str, list[Manifest]] = {}
        for manifest in manifests:
            self._by_folder.setdefault(manifest.folder, []).append(manifest)
        self.everywhere = frozenset(
            requirement.name
            for own in self._by_folder.values()
            for manifest in own
            for requirement in manifest.requirements
        )
        self._above: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}

    def above(self, folder: str) -> tuple[tuple[str, ...], frozenset[str]]:
        """The manifests that cover a folder, nearest first, and all names they require."""
        if folder not in self._above:
            paths, names = self.above(posixpath.dirname(folder)) if folder else ((), frozenset())
            own = self._by_folder.get(folder, ())
            self._above[folder] = (
                (*(manifest.path for manifest in own), *paths),
                names.union(requirement.name for manifest in own for requirement in manifest.requirements),
            )
        return self._above[folder]


def files_named(paths: Iterable[str], *names: str) -> list[str]:
    """The files with one of these names, in any folder, sorted."""
    return sorted(path for path in paths if path.endswith(names) and path.rpartition("/")[2] in names)


def manifest_text(path: str, read: Callable[[str], bytes], max_bytes: int | None = None) -> str:
    """The text of a manifest, or its start; empty if it cannot be read."""
    try:
        return read(path)[:max_bytes].decode("utf-8", "replace")
    except OSError:
        return ""


def read_toml(path: str, read: Callable[[str], bytes]) -> dict[str, Any]:
    """The tables of a TOML file; none if it is broken."""
    try:
        return tomllib.loads(read(path).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def at(data: object, *keys: str) -> Any:
    """The value under nested keys; None if there is none."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def lock_pairs(paths: frozenset[str], lock: str, manifest: str) -> Iterator[tuple[str, str]]:
    """Each lockfile of that name with the manifest beside it."""
    for path in files_named(paths, lock):
        beside = posixpath.join(posixpath.dirname(path), manifest)
        if beside in paths:
            yield path, beside

"""What a manifest requires, in terms that all languages share."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

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

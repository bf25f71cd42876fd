"""The packages of the repository, and which of them a file gets by name: its own, a listed or a loose one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from posixpath import commonpath

from msgspec import Struct, field

from crimes.languages.javascript.globs import matches
from crimes.languages.javascript.jsonc import texts
from crimes.languages.javascript.manifest import Package
from crimes.languages.javascript.pnpm import pnpm_packages
from crimes.languages.javascript.tree import Tree, join
from crimes.model.repository import Undeclared

MANIFEST = "package.json"
BY_PATH = ("file", "link", "portal")  # versions that name a folder


class Workspace(Struct, frozen=True):
    """A folder whose listed packages can import each other by name."""

    folder: str
    patterns: tuple[str, ...]

    def lists(self, folder: str) -> bool:
        if folder == self.folder:
            return True
        below = folder.removeprefix(self.folder).lstrip("/")
        listed = False
        for pattern in self.patterns:
            if pattern.startswith("!"):
                listed = listed and not matches(pattern[1:], below)
            else:
                listed = listed or matches(pattern, below)
        return listed


class Packages(Struct, frozen=True, dict=True):
    """All packages of the tree outside node_modules."""

    tree: Tree
    _nearest: dict[str, Package | None] = field(default_factory=dict)

    @cached_property
    def by_folder(self) -> dict[str, Package]:
        found = {}
        for path in sorted(self.tree.paths):
            folder, _, name = path.rpartition("/")
            if name == MANIFEST and "node_modules" not in folder.split("/"):
                found[folder] = Package(folder, self.tree.settings(path))
        return found

    @cached_property
    def by_name(self) -> dict[str, list[Package]]:
        named: dict[str, list[Package]] = {}
        for package in self.by_folder.values():
            if package.name:
                named.setdefault(package.name, []).append(package)
        return named

    @cached_property
    def workspaces(self) -> dict[str, Workspace]:
        found = {}
        for folder, package in self.by_folder.items():
            listed = package.manifest.get("workspaces")
            patterns = texts(listed.get("packages") if isinstance(listed, dict) else listed)
            patterns += texts(self.tree.settings(f"{folder}/lerna.json".lstrip("/")).get("packages"))
            patterns += self._pnpm(f"{folder}/pnpm-workspace.yaml".lstrip("/"))
            if patterns:
                found[folder] = Workspace(folder, patterns)
        return found

    def _pnpm(self, path: str) -> tuple[str, ...]:
        try:
            return pnpm_packages(self.tree.read(path)) if path in self.tree.paths else ()
        except OSError:
            return ()

    def nearest(self, folder: str) -> Package | None:
        """The package a folder belongs to."""
        passed = []
        while folder not in self._nearest and folder not in self.by_folder and folder:
            passed.append(folder)
            folder = folder.rpartition("/")[0]
        found = self._nearest.get(folder) or self.by_folder.get(folder)
        self._nearest.update(dict.fromkeys((*passed, folder), found))
        return found

    def above(self, folder: str) -> Iterator[Package]:
        """The package a folder belongs to, then those around it."""
        package = self.nearest(folder)
        while package is not None:
            yield package
            package = self.nearest(package.folder.rpartition("/")[0]) if package.folder else None

    def depends_on(self, name: str, folder: str) -> bool:
        """Whether code in a folder states the dependency."""
        return self._asked(name, folder) is not None

    def undeclared(self, name: str, folder: str) -> Undeclared | None:
        """What the packages around a folder state, when none of the tree states this dependency or its types."""
        around = tuple(self.above(folder))
        types = "@types/" + name.removeprefix("@").replace("/", "__")
        if not any(one.asks for one in around) or not self._asked_for.isdisjoint((name, types)):
            return None
        known = {asked for one in around for asked in one.asks}
        manifests = tuple(f"{one.folder}/{MANIFEST}".lstrip("/") for one in around)
        return Undeclared(manifests, tuple(sorted(known)), (name,))

    @cached_property
    def _asked_for(self) -> frozenset[str]:
        """What any package of the tree depends on: one folder holds it for all."""
        return frozenset(name for package in self.by_folder.values() for name in package.asks)

    def named(self, name: str, folder: str) -> Package | None:
        """The package code in the folder gets by this name; the closest when several could be meant."""
        asker, version = self._asked(name, folder) or (None, "")
        kind, _, path = version.partition(":")
        if asker and kind in BY_PATH:
            target = join(asker.folder, path)
            return None if target is None else self.by_folder.get(target)
        reachable = [one for one in self.by_name.get(name, ()) if self._reaches(folder, one, version)]
        return min(reachable, key=lambda p: (-len(commonpath((p.folder, folder))), p.folder), default=None)

    def _asked(self, name: str, folder: str) -> tuple[Package, str] | None:
        """The package around a folder that states a dependency, and the version it asks for."""
        stated = (
            (one, version) for one in self.above(folder) if (version := one.dependency(name)) is not None
        )
        return next(stated, None)

    def _reaches(self, folder: str, package: Package, version: str) -> bool:
        """Whether code in the folder gets this package: its own, or one it can see.

        A version asked for comes from a registry, unless a workspace lists the package and holds the folder.
        A package below a workspace that does not list it (a fixture, say) is not found by its name.
        """
        own = next((one for one in self.above(folder) if one.name), None)
        if own is package or version.startswith("workspace:"):
            return True
        above = (self.workspaces.get(one.folder) for one in self.above(package.folder))
        around = next(filter(None, above), None)
        if around is None:
            return not version
        return around.lists(package.folder) and (not version or _within(folder, around.folder))


def _within(folder: str, outer: str) -> bool:
    return not outer or folder == outer or folder.startswith(outer + "/")

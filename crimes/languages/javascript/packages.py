"""The packages of the repository, and which of them code gets by name: its own, a listed or a loose one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from posixpath import commonpath

from msgspec import Struct, field

from crimes.languages.javascript.globs import matches
from crimes.languages.javascript.jsonc import texts
from crimes.languages.javascript.manifest import Package
from crimes.languages.javascript.pnpm import pnpm_packages
from crimes.languages.javascript.tree import Tree
from crimes.languages.linking.tree_paths import join_inside
from crimes.model.repository import Undeclared

MANIFEST = "package.json"
PATH_PROTOCOLS = ("file", "link", "portal")  # versions that name a folder


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
        packages = {}
        for path in sorted(self.tree.paths):
            folder, _, name = path.rpartition("/")
            if name == MANIFEST and "node_modules" not in folder.split("/"):
                packages[folder] = Package(folder, self.tree.settings(path))
        return packages

    @cached_property
    def by_name(self) -> dict[str, list[Package]]:
        packages: dict[str, list[Package]] = {}
        for package in self.by_folder.values():
            if package.name:
                packages.setdefault(package.name, []).append(package)
        return packages

    @cached_property
    def workspaces(self) -> dict[str, Workspace]:
        workspaces = {}
        for folder, package in self.by_folder.items():
            listed = package.manifest.get("workspaces")
            patterns = texts(listed.get("packages") if isinstance(listed, dict) else listed)
            patterns += texts(self.tree.settings(f"{folder}/lerna.json".lstrip("/")).get("packages"))
            patterns += self._pnpm_patterns(f"{folder}/pnpm-workspace.yaml".lstrip("/"))
            if patterns:
                workspaces[folder] = Workspace(folder, patterns)
        return workspaces

    def _pnpm_patterns(self, path: str) -> tuple[str, ...]:
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
        package = self._nearest.get(folder) or self.by_folder.get(folder)
        self._nearest.update(dict.fromkeys((*passed, folder), package))
        return package

    def above(self, folder: str) -> Iterator[Package]:
        """The package a folder belongs to, then those around it."""
        package = self.nearest(folder)
        while package is not None:
            yield package
            package = self.nearest(package.folder.rpartition("/")[0]) if package.folder else None

    def depends_on(self, name: str, folder: str) -> bool:
        """Whether a package around a folder asks for the dependency."""
        return self._dependent(name, folder) is not None

    def undeclared(self, name: str, folder: str) -> Undeclared | None:
        """What the packages around a folder ask for, when none in the tree asks for this dependency or its types."""
        around = tuple(self.above(folder))
        types = "@types/" + name.removeprefix("@").replace("/", "__")
        known = {dependency for package in around for dependency in package.dependencies}
        if not known or not self._all_dependencies.isdisjoint((name, types)):
            return None
        manifests = tuple(f"{package.folder}/{MANIFEST}".lstrip("/") for package in around)
        return Undeclared(manifests, tuple(sorted(known)), (name,))

    @cached_property
    def _all_dependencies(self) -> frozenset[str]:
        """What any package of the tree depends on: a hoisted node_modules serves all of them."""
        return frozenset(name for package in self.by_folder.values() for name in package.dependencies)

    def find(self, name: str, folder: str) -> Package | None:
        """The package that code in the folder gets by this name; the closest of several."""
        dependent, version = self._dependent(name, folder) or (None, "")
        kind, _, path = version.partition(":")
        if dependent and kind in PATH_PROTOCOLS:
            target = join_inside(dependent.folder, path)
            return None if target is None else self.by_folder.get(target)
        candidates = self.by_name.get(name, ())
        reachable = [package for package in candidates if self._reaches(folder, package, version)]
        return min(reachable, key=lambda p: (-len(commonpath((p.folder, folder))), p.folder), default=None)

    def _dependent(self, name: str, folder: str) -> tuple[Package, str] | None:
        """The nearest package around a folder with a dependency, and the version it asks for."""
        for package in self.above(folder):
            if (version := package.dependency(name)) is not None:
                return package, version
        return None

    def _reaches(self, folder: str, package: Package, version: str) -> bool:
        """Whether code in the folder gets this package by name: its own package, or one it can see.

        A dependency with a version comes from a registry, unless a workspace lists the package and holds the folder.
        A package below a workspace that does not list it (a fixture, say) is not found by name.
        """
        own = next((above for above in self.above(folder) if above.name), None)
        if own is package or version.startswith("workspace:"):
            return True
        workspaces = (self.workspaces.get(above.folder) for above in self.above(package.folder))
        workspace = next(filter(None, workspaces), None)
        if workspace is None:
            return not version
        return workspace.lists(package.folder) and (not version or _within(folder, workspace.folder))


def _within(folder: str, outer: str) -> bool:
    return not outer or folder == outer or folder.startswith(outer + "/")

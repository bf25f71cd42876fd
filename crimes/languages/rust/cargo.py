"""Cargo manifests: packages, the root files of their crates, and which crates each may name.

A dependency without a path counts as the package of that name in the tree, if there is one: most such entries are
patched to it. A broken manifest is a package without a name, whose dependencies are unknown.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from crimes.languages.linking.manifest_files import at, read_toml
from crimes.languages.linking.tree_paths import join_inside, nearest_folder
from crimes.model.lazy_regex import regex

# Crates of the standard library, and primitive types: `use u8 as Byte` renames one.
STANDARD = frozenset(
    {
        *("alloc", "core", "proc_macro", "std", "test"),
        *("bool", "char", "f32", "f64", "str"),
        *("i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"),
    }
)
_MANIFEST = "Cargo.toml"
_SECTIONS = (
    "dependencies",
    "dev-dependencies",
    "dev_dependencies",
    "build-dependencies",
    "build_dependencies",
)
_TARGET_KINDS = ("bin", "example", "test", "bench")
# Root files of crates that the manifest need not name.
_ROOT = regex(r"src/(?:lib|main)\.rs|build\.rs|(src/bin|examples|tests|benches)/(?:[^/]+|[^/]+/main)\.rs")
_DISCOVERY = {
    "src/bin": "autobins",
    "examples": "autoexamples",
    "tests": "autotests",
    "benches": "autobenches",
}


class Package(Struct, frozen=True):
    """One package. `crates` maps the names its code may use to the folder of a package here, or "" for one outside."""

    folder: str
    library: str  # the name of its library crate
    library_root: str  # the root file of its library, "" without one
    roots: tuple[str, ...]  # the root files of all its crates, the library's first
    readable: bool  # whether its manifest could be read
    old: bool  # before the 2018 edition: paths of `use` begin at the crate's root
    crates: Mapping[str, str]


def crate_name(name: str) -> str:
    """A package's name as code writes it."""
    return name.replace("-", "_")


def find_packages(paths: frozenset[str], read: Callable[[str], bytes]) -> dict[str, Package]:
    """The packages of a tree by folder."""
    manifests = read_manifests(paths, read)
    by_folder = {folder: data for folder, data in manifests.items() if "package" in data or not data}
    folders_by_crate: dict[str, list[str]] = {}
    for folder, data in by_folder.items():
        folders_by_crate.setdefault(crate_name(text_at(data, "package.name")), []).append(folder)
    roots: dict[str, list[str]] = {folder: [] for folder in by_folder}
    for path in sorted(paths):
        if path.endswith(".rs"):
            owner = nearest_folder(path, by_folder)
            match = _ROOT.fullmatch(path[len(owner) :].lstrip("/")) if owner is not None else None
            if owner is not None and match is not None:
                setting = _DISCOVERY.get(match[1] or "", "")
                if at(by_folder[owner], f"package.{setting}") is not False:
                    roots[owner].append(path)
    return {
        folder: _build_package(folder, data, roots[folder], paths, _CrateIndex(manifests, folders_by_crate))
        for folder, data in by_folder.items()
    }


def read_manifests(paths: frozenset[str], read: Callable[[str], bytes]) -> dict[str, dict[str, Any]]:
    """Every Cargo.toml by its folder; a broken one is empty."""
    return {
        posixpath.dirname(path): read_toml(path, read)
        for path in sorted(paths)
        if posixpath.basename(path) == _MANIFEST
    }


def text_at(data: object, dotted: str) -> str:
    """The text under nested keys; empty when there is none."""
    value = at(data, dotted)
    return value if isinstance(value, str) else ""


class _CrateIndex(Struct, frozen=True):
    """Finds the packages that dependencies name."""

    manifests: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, list[str]]  # crate name -> folders of packages called so

    def workspace(self, folder: str) -> str | None:
        """The folder of the workspace a package belongs to."""
        above: str | None = folder
        while above is not None:
            if "workspace" in self.manifests.get(above, {}):
                return above
            above = posixpath.dirname(above) if above else None
        return None

    def visible_to(self, folder: str, data: Mapping[str, Any]) -> dict[str, str]:
        """Crates a package may name, each with the folder of its package here or ""."""
        folders: dict[str, str] = {}
        for name, spec in dependencies(data):
            base = folder
            if at(spec, "workspace") is True:
                above = self.workspace(folder)
                base = folder if above is None else above
                shared = at(self.manifests.get(base, {}), "workspace.dependencies")
                spec = shared.get(name) if isinstance(shared, dict) else None
            package = text_at(spec, "package") or name
            folders[crate_name(name)] = self._package_folder(base, package, text_at(spec, "path"))
        return folders

    def _package_folder(self, base: str, name: str, path: str) -> str:
        stated = join_inside(base, path) if path else None
        if stated is not None and stated in self.manifests:
            return stated
        folders = self.names.get(crate_name(name), ())
        return folders[0] if len(folders) == 1 else ""

    def edition(self, folder: str, data: Mapping[str, Any]) -> str:
        stated = at(data, "package.edition")
        if isinstance(stated, dict):
            above = self.workspace(folder)
            stated = at(self.manifests.get(above or "", {}), "workspace.package.edition")
        return stated if isinstance(stated, str) else "2015"


def dependencies(data: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Every dependency of a manifest with its specification."""
    platforms = at(data, "target")
    tables = [data, *(platforms.values() if isinstance(platforms, dict) else ())]
    for table in tables:
        for section in _SECTIONS:
            listed = at(table, section)
            yield from listed.items() if isinstance(listed, dict) else ()


def _build_package(
    folder: str, data: Mapping[str, Any], discovered: list[str], paths: frozenset[str], crates: _CrateIndex
) -> Package:
    def existing(path_text: str) -> list[str]:
        path = join_inside(folder, path_text) if path_text else None
        return [path] if path is not None and path in paths else []

    library = existing(text_at(data, "lib.path") or "src/lib.rs")
    target_lists = [data[kind] for kind in _TARGET_KINDS if isinstance(data.get(kind), list)]
    targets = [target for listed in target_lists for target in listed]
    stated = [path for target in targets for path in existing(text_at(target, "path"))]
    stated += existing(text_at(data, "package.build"))
    name = text_at(data, "lib.name") or text_at(data, "package.name")
    return Package(
        folder=folder,
        library=crate_name(name),
        library_root=library[0] if library else "",
        roots=tuple(dict.fromkeys((*library, *stated, *discovered))),
        readable=bool(data),
        old=crates.edition(folder, data) == "2015",
        crates=crates.visible_to(folder, data),
    )

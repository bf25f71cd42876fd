"""What Cargo manifests say: packages, the files their crates begin with, and which crates each may name.

A dependency without a path counts as the package of that name in the tree, if there is one: most such entries are
patched to it. A broken manifest is a package without a name, and says nothing of what lies outside.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from crimes.model.lazy_regex import regex

STANDARD = frozenset({"alloc", "core", "proc_macro", "std", "test"})
_MANIFEST = "Cargo.toml"
_SECTIONS = (
    "dependencies",
    "dev-dependencies",
    "dev_dependencies",
    "build-dependencies",
    "build_dependencies",
)
_TARGETS = ("bin", "example", "test", "bench")
# Files that begin a crate without being named in the manifest.
_ROOT = regex(r"src/(?:lib|main)\.rs|build\.rs|(src/bin|examples|tests|benches)/(?:[^/]+|[^/]+/main)\.rs")
_AUTOMATIC = {
    "src/bin": "autobins",
    "examples": "autoexamples",
    "tests": "autotests",
    "benches": "autobenches",
}


class Package(Struct, frozen=True):
    """One package. `crates` maps the names its code may use to the folder of a package here, or "" for one outside."""

    folder: str
    library: str  # the name of its library crate
    library_root: str  # the file it begins with, "" without one
    roots: tuple[str, ...]  # the files all its crates begin with, the library's first
    readable: bool  # whether its manifest could be read
    old: bool  # before the 2018 edition: paths of `use` begin at the crate's root
    crates: Mapping[str, str]


def crate_name(name: str) -> str:
    """A package's name as code writes it."""
    return name.replace("-", "_")


def packages(paths: frozenset[str], read: Callable[[str], bytes]) -> dict[str, Package]:
    """The packages of a tree by folder."""
    manifests = read_manifests(paths, read)
    stated = {folder: data for folder, data in manifests.items() if "package" in data or not data}
    names: dict[str, list[str]] = {}
    for folder, data in stated.items():
        names.setdefault(crate_name(text_at(data, "package", "name")), []).append(folder)
    found: dict[str, list[str]] = {folder: [] for folder in stated}
    for path in sorted(paths):
        if path.endswith(".rs"):
            above = holder(path, stated)
            match = _ROOT.fullmatch(path[len(above) :].lstrip("/")) if above is not None else None
            if above is not None and match is not None:
                setting = _AUTOMATIC.get(match[1] or "", "")
                if at(stated[above], "package", setting) is not False:
                    found[above].append(path)
    return {
        folder: _package(folder, data, found[folder], paths, _Crates(manifests, names))
        for folder, data in stated.items()
    }


def read_manifests(paths: frozenset[str], read: Callable[[str], bytes]) -> dict[str, dict[str, Any]]:
    """Every Cargo.toml by its folder; a broken one is empty."""
    return {
        posixpath.dirname(path): _parsed(path, read)
        for path in sorted(paths)
        if posixpath.basename(path) == _MANIFEST
    }


def holder(path: str, folders: Mapping[str, Any]) -> str | None:
    """The nearest of some folders that a file lies in."""
    while path:
        path = posixpath.dirname(path)
        if path in folders:
            return path
    return None


def _parsed(path: str, read: Callable[[str], bytes]) -> dict[str, Any]:
    try:
        return tomllib.loads(read(path).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def at(data: object, *keys: str) -> Any:
    """What stands under nested keys, None where nothing does."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def text_at(data: object, *keys: str) -> str:
    """The text under nested keys; empty where none is."""
    value = at(data, *keys)
    return value if isinstance(value, str) else ""


def _inside(folder: str, written: str) -> str:
    """A path of a manifest, counted from the tree; one that leads out of it is found nowhere."""
    joined = posixpath.normpath(posixpath.join(folder, written))
    return "" if joined == "." else joined


class _Crates(Struct, frozen=True):
    """Looks names of dependencies up."""

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

    def of(self, folder: str, data: Mapping[str, Any]) -> dict[str, str]:
        """Crates a package may name, with the folder of each that is here."""
        found: dict[str, str] = {}
        for name, spec in dependencies(data):
            base = folder
            if at(spec, "workspace") is True:
                above = self.workspace(folder)
                base = folder if above is None else above
                spec = at(self.manifests.get(base, {}), "workspace", "dependencies", name)
            found[crate_name(name)] = self._place(
                base, text_at(spec, "package") or name, text_at(spec, "path")
            )
        return found

    def _place(self, base: str, name: str, path: str) -> str:
        if path and _inside(base, path) in self.manifests:
            return _inside(base, path)
        named = self.names.get(crate_name(name), ())
        return named[0] if len(named) == 1 else ""

    def edition(self, folder: str, data: Mapping[str, Any]) -> str:
        stated = at(data, "package", "edition")
        if isinstance(stated, dict):
            above = self.workspace(folder)
            stated = at(self.manifests.get(above or "", {}), "workspace", "package", "edition")
        return stated if isinstance(stated, str) else "2015"


def dependencies(data: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Every dependency of a manifest with what is said of it."""
    platforms = at(data, "target")
    tables = [data, *(platforms.values() if isinstance(platforms, dict) else ())]
    for table in tables:
        for section in _SECTIONS:
            listed = at(table, section)
            yield from listed.items() if isinstance(listed, dict) else ()


def _package(
    folder: str, data: Mapping[str, Any], found: list[str], paths: frozenset[str], crates: _Crates
) -> Package:
    def existing(written: str) -> list[str]:
        path = _inside(folder, written)
        return [path] if written and path in paths else []

    library = existing(text_at(data, "lib", "path") or "src/lib.rs")
    listed = [data[kind] for kind in _TARGETS if isinstance(data.get(kind), list)]
    stated = [path for targets in listed for target in targets for path in existing(text_at(target, "path"))]
    stated += existing(text_at(data, "package", "build"))
    name = text_at(data, "lib", "name") or text_at(data, "package", "name")
    return Package(
        folder=folder,
        library=crate_name(name),
        library_root=library[0] if library else "",
        roots=tuple(dict.fromkeys((*library, *stated, *found))),
        readable=bool(data),
        old=crates.edition(folder, data) == "2015",
        crates=crates.of(folder, data),
    )

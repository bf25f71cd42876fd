"""package.json compared with the lockfiles of npm, pnpm, yarn and bun."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from crimes.languages.javascript.jsonc import read_object
from crimes.languages.javascript.manifest import Package
from crimes.languages.javascript.packages import MANIFEST, Packages
from crimes.languages.javascript.pnpm import pnpm_importers
from crimes.languages.javascript.tree import Tree
from crimes.languages.linking.manifest import Pin, Requirement, check_pin
from crimes.languages.linking.manifest_files import files_named, manifest_text
from crimes.languages.linking.tree_paths import nearest_folder
from crimes.languages.linking.versions import NPM
from crimes.model.lazy_regex import regex

_SECTIONS = ("dependencies", "devDependencies")
# A version range; anything else names a path, an address, a catalogue or another package.
_RANGE = regex(r"[\d^~<>=*xv|.\s\w+-]*")
_ELSEWHERE = regex(r"(?<![a-z])[a-z]{2,}+:|/|^[a-z]++$")
_YARN_ENTRY = regex(r'^(?P<keys>"?[^\s#"][^\n]*):\n\s+version:? "?(?P<version>[^"\n]+)"?$', re.MULTILINE)
_YARN_KEY = regex(r'"?((?:@|(?<![^@,"\s]))[^@,"\s]++)@(?:npm:)?([^,"]*+)"?')

Versions = Mapping[str, tuple[str, ...]]  # by the name of the package
FolderVersions = Callable[[str], Versions | None]


class Lock(NamedTuple):
    """A lockfile: its versions for a folder of the workspace, None when it does not list the folder."""

    path: str
    versions_for: FolderVersions


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """Dependencies of every package, with the versions in the lockfile at the root of its workspace."""
    packages = Packages(Tree(paths, read))
    locks = {
        posixpath.dirname(path): Lock(path, _READERS[posixpath.basename(path)](manifest_text(path, read)))
        for path in files_named(paths, *_READERS)
        if "node_modules" not in path.split("/")
    }
    for folder, package in packages.by_folder.items():
        lock_folder = nearest_folder(posixpath.join(folder, MANIFEST), locks)
        if lock_folder is not None:
            root = packages.by_folder.get(lock_folder)
            workspace = packages.workspaces.get(lock_folder)
            if root and (folder == lock_folder or (workspace and workspace.lists(folder))):
                yield from _package_pins(package, root, locks[lock_folder], packages)


def _package_pins(package: Package, root: Package, lock: Lock, packages: Packages) -> Iterator[Pin]:
    below = posixpath.relpath(package.folder or ".", root.folder or ".")
    locked = lock.versions_for("" if below == "." else below)
    if locked is None:
        return
    overridden = _overridden(root.manifest)
    for name, versions in package.dependencies_in(_SECTIONS).items():
        if name in packages.by_name or _ELSEWHERE.search(versions) or not _RANGE.fullmatch(versions):
            continue
        dialect = None if name in overridden else NPM
        manifest = posixpath.join(package.folder, MANIFEST)
        yield check_pin(manifest, lock.path, Requirement(name, versions), locked.get(name, ()), dialect)


def _overridden(manifest: dict[str, Any]) -> set[str]:
    """Names whose version the root overrides."""
    pnpm = manifest.get("pnpm")
    tables = [manifest.get("overrides"), manifest.get("resolutions")]
    tables.append(pnpm.get("overrides") if isinstance(pnpm, dict) else None)
    keys = [key for table in tables if isinstance(table, dict) for key in table]
    return {re.sub(r"(?<=.)@.*", "", key.rpartition(">")[2].removeprefix("**/")) for key in keys}


def _read_npm(text: str) -> FolderVersions:
    data = read_object(text.encode())
    packages = data.get("packages")
    if not isinstance(packages, dict):
        listed = data.get("dependencies")
        flat = {name: _version(spec) for name, spec in listed.items()} if isinstance(listed, dict) else {}
        return lambda folder: None if folder or not flat else flat

    def versions_for(folder: str) -> Versions | None:
        if folder not in packages:
            return None
        versions: dict[str, tuple[str, ...]] = {}
        for start in ("node_modules/", *((f"{folder}/node_modules/",) if folder else ())):
            versions |= {
                path.removeprefix(start): _version(spec)
                for path, spec in packages.items()
                if path.startswith(start)
            }
        return versions

    return versions_for


def _version(spec: object) -> tuple[str, ...]:
    version = spec.get("version") if isinstance(spec, dict) else None
    return (version,) if isinstance(version, str) else ("",)


def _read_yarn(text: str) -> FolderVersions:
    versions: dict[str, tuple[str, ...]] = {}
    for entry in _YARN_ENTRY.finditer(text.replace("\r\n", "\n")):
        for name in {name for name, _ in _YARN_KEY.findall(entry["keys"])}:
            versions[name] = (*versions.get(name, ()), entry["version"])
    return lambda folder: versions or None


def _read_pnpm(text: str) -> FolderVersions:
    return pnpm_importers(text).get


def _read_bun(text: str) -> FolderVersions:
    data = read_object(text.encode())
    folders, packages = data.get("workspaces"), data.get("packages")
    if not isinstance(folders, dict) or not isinstance(packages, dict):
        return lambda folder: None
    versions: dict[str, tuple[str, ...]] = {}
    for spec in packages.values():
        if isinstance(spec, list) and spec:
            name, _, version = str(spec[0]).rpartition("@")
            versions[name] = (*versions.get(name, ()), version)
    return lambda folder: versions if folder in folders else None


_READERS: Mapping[str, Callable[[str], FolderVersions]] = {
    "package-lock.json": _read_npm,
    "yarn.lock": _read_yarn,
    "pnpm-lock.yaml": _read_pnpm,
    "bun.lock": _read_bun,
}

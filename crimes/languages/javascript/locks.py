"""package.json held against the lockfiles of npm, pnpm, yarn and bun."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from crimes.languages.javascript.jsonc import read_object
from crimes.languages.javascript.manifest import Package
from crimes.languages.javascript.packages import Packages
from crimes.languages.javascript.pnpm import pnpm_importers
from crimes.languages.javascript.tree import Tree
from crimes.languages.linking.manifest import Asked, Pin, named, pin, text_of
from crimes.languages.linking.versions import NPM
from crimes.model.lazy_regex import regex

_SECTIONS = ("dependencies", "devDependencies")
# A version, and nothing that names another place: a path, an address, a catalogue, another package.
_RANGE = regex(r"[\d^~<>=*xv|.\s\w+-]*")
_ELSEWHERE = regex(r"[a-z]{2,}:|/|^[a-z]+$")
_YARN = regex(r'^(?P<keys>"?[^\s#"][^\n]*):\n\s+version:? "?(?P<version>[^"\n]+)"?$', re.MULTILINE)
_KEY = regex(r'"?(@?[^@,"\s]+)@(?:npm:)?([^,"]*)"?')

Locked = Mapping[str, tuple[str, ...]]  # versions by name


class Lock(NamedTuple):
    """A lockfile: what it has for a folder of its workspace, None when it does not know the folder."""

    path: str
    of: Callable[[str], Locked | None]


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """What every package asks for, with what the lockfile at the root of its workspace has."""
    packages = Packages(Tree(paths, read))
    locks = {
        posixpath.dirname(path): Lock(path, _READERS[posixpath.basename(path)](text_of(path, read)))
        for path in named(paths, *_READERS)
        if "node_modules" not in path.split("/")
    }
    for folder, package in packages.by_folder.items():
        around = folder
        while around and around not in locks:
            around = posixpath.dirname(around)
        if around in locks:
            root = packages.by_folder.get(around)
            workspace = packages.workspaces.get(around)
            if root and (folder == around or (workspace and workspace.lists(folder))):
                yield from _pins(package, root, locks[around], packages)


def _pins(package: Package, root: Package, lock: Lock, packages: Packages) -> Iterator[Pin]:
    below = posixpath.relpath(package.folder or ".", root.folder or ".")
    locked = lock.of("" if below == "." else below)
    if locked is None:
        return
    forced = _forced(root.manifest)
    for name, versions in package.asked(_SECTIONS).items():
        if name in packages.by_name or _ELSEWHERE.search(versions) or not _RANGE.fullmatch(versions):
            continue
        dialect = None if name in forced else NPM
        manifest = posixpath.join(package.folder, "package.json")
        yield pin(manifest, lock.path, Asked(name, versions), locked.get(name, ()), dialect)


def _forced(manifest: dict[str, Any]) -> set[str]:
    """Names that the root gives another version on purpose."""
    pnpm = manifest.get("pnpm")
    tables = [manifest.get("overrides"), manifest.get("resolutions")]
    tables.append(pnpm.get("overrides") if isinstance(pnpm, dict) else None)
    keys = [key for table in tables if isinstance(table, dict) for key in table]
    return {re.sub(r"(?<=.)@.*", "", key.rpartition(">")[2].removeprefix("**/")) for key in keys}


def _npm(text: str) -> Callable[[str], Locked | None]:
    data = read_object(text.encode())
    packages = data.get("packages")
    if not isinstance(packages, dict):
        listed = data.get("dependencies")
        known = listed if isinstance(listed, dict) else {}
        flat = {name: _version(spec) for name, spec in known.items()}
        return lambda folder: None if folder or not flat else flat

    def of(folder: str) -> Locked | None:
        if folder not in packages:
            return None
        found: dict[str, tuple[str, ...]] = {}
        for start in ("node_modules/", *((f"{folder}/node_modules/",) if folder else ())):
            found |= {
                path.removeprefix(start): _version(spec)
                for path, spec in packages.items()
                if path.startswith(start)
            }
        return found

    return of


def _version(spec: object) -> tuple[str, ...]:
    version = spec.get("version") if isinstance(spec, dict) else None
    return (version,) if isinstance(version, str) else ("",)


def _yarn(text: str) -> Callable[[str], Locked | None]:
    found: dict[str, tuple[str, ...]] = {}
    for entry in _YARN.finditer(text.replace("\r\n", "\n")):
        for name in {name for name, _ in _KEY.findall(entry["keys"])}:
            found[name] = (*found.get(name, ()), entry["version"])
    return lambda folder: found or None


def _pnpm(text: str) -> Callable[[str], Locked | None]:
    return pnpm_importers(text).get


def _bun(text: str) -> Callable[[str], Locked | None]:
    data = read_object(text.encode())
    folders, packages = data.get("workspaces"), data.get("packages")
    if not isinstance(folders, dict) or not isinstance(packages, dict):
        return lambda folder: None
    found: dict[str, tuple[str, ...]] = {}
    for spec in packages.values():
        if isinstance(spec, list) and spec:
            name, _, version = str(spec[0]).rpartition("@")
            found[name] = (*found.get(name, ()), version)
    return lambda folder: found if folder in folders else None


_READERS: Mapping[str, Callable[[str], Callable[[str], Locked | None]]] = {
    "package-lock.json": _npm,
    "npm-shrinkwrap.json": _npm,
    "yarn.lock": _yarn,
    "pnpm-lock.yaml": _pnpm,
    "bun.lock": _bun,
}

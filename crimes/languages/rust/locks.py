"""Cargo.toml compared with Cargo.lock."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterator, Mapping
from fnmatch import fnmatchcase

from crimes.languages.linking.manifest import Pin, Requirement, check_pin
from crimes.languages.linking.manifest_files import at, files_named, manifest_text
from crimes.languages.linking.tree_paths import nearest_folder
from crimes.languages.linking.versions import CARGO
from crimes.languages.rust.cargo import dependencies, read_manifests, text_at
from crimes.model.lazy_regex import regex

_PACKAGE = regex(r'^\[\[package\]\]\r?\nname = "([^"]+)"\r?\nversion = "([^"]+)"', re.MULTILINE)


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """Dependencies of each package that the lockfile above it lists, with the versions it has for them."""
    locks: dict[str, dict[str, list[str]]] = {}
    for path in files_named(paths, "Cargo.lock"):
        versions_by_name = locks.setdefault(posixpath.dirname(path), {})
        for name, version in _PACKAGE.findall(manifest_text(path, read)):
            versions_by_name.setdefault(name, []).append(version)
    manifests = read_manifests(paths, read) if locks else {}
    for folder, data in manifests.items():
        manifest = posixpath.join(folder, "Cargo.toml")
        root = _workspace_of(folder, locks, manifests)
        if root is None:
            root = nearest_folder(manifest, locks)
        if root is None or text_at(data, "package.name") not in locks[root]:
            continue
        shared = at(manifests.get(root, {}), "workspace.dependencies")
        for name, spec in dependencies(data):
            if at(spec, "workspace") is True:
                spec = shared.get(name) if isinstance(shared, dict) else None
            if at(spec, "path") is None and at(spec, "git") is None and spec is not None:
                versions = spec if isinstance(spec, str) else text_at(spec, "version")
                requirement = Requirement(text_at(spec, "package") or name, versions)
                lock = posixpath.join(root, "Cargo.lock")
                yield check_pin(manifest, lock, requirement, locks[root].get(requirement.name, ()), CARGO)


def _workspace_of(
    folder: str, locks: Container[str], manifests: Mapping[str, Mapping[str, object]]
) -> str | None:
    """The folder above with the workspace that a crate is a member of: Cargo reads no lockfile of a member."""
    above = folder
    while above:
        above = posixpath.dirname(above)
        members = at(manifests.get(above, {}), "workspace.members")
        inside = posixpath.relpath(folder, above or ".")
        patterns = members if above in locks and isinstance(members, list) else ()
        if any(
            isinstance(pattern, str) and fnmatchcase(inside, posixpath.normpath(pattern))
            for pattern in patterns
        ):
            return above
    return None

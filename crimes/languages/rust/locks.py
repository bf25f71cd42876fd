"""Cargo.toml held against Cargo.lock."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from crimes.languages.linking.manifest import Asked, Pin, named, pin, text_of
from crimes.languages.linking.versions import CARGO
from crimes.languages.rust.cargo import at, dependencies, holder, read_manifests, text_at
from crimes.model.lazy_regex import regex

_PACKAGE = regex(r'^\[\[package\]\]\r?\nname = "([^"]+)"\r?\nversion = "([^"]+)"', re.MULTILINE)


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """What packages ask for, with what the lockfile of their workspace has. One it does not know is in another."""
    locks: dict[str, dict[str, list[str]]] = {}
    for path in named(paths, "Cargo.lock"):
        known = locks.setdefault(posixpath.dirname(path), {})
        for name, version in _PACKAGE.findall(text_of(path, read)):
            known.setdefault(name, []).append(version)
    manifests = read_manifests(paths, read) if locks else {}
    for folder, data in manifests.items():
        manifest = posixpath.join(folder, "Cargo.toml")
        root = holder(manifest, locks)
        if root is None or text_at(data, "package", "name") not in locks[root]:
            continue
        shared = at(manifests.get(root, {}), "workspace", "dependencies")
        for name, spec in dependencies(data):
            if at(spec, "workspace") is True:
                spec = at(shared, name)
            if at(spec, "path") is None and at(spec, "git") is None and spec is not None:
                versions = spec if isinstance(spec, str) else text_at(spec, "version")
                ask = Asked(text_at(spec, "package") or name, versions)
                lock = posixpath.join(root, "Cargo.lock")
                yield pin(manifest, lock, ask, locks[root].get(ask.name, ()), CARGO)

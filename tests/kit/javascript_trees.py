"""Trees of JavaScript files given as data, and where an import in them leads."""

from __future__ import annotations

import json
from typing import Any

from crimes.languages.javascript.resolve import javascript_resolver
from crimes.languages.spec import ResolveInput, Resolver
from crimes.model.facts import EdgeKind, FileFacts, Import, ImportedName

CODE = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
UNRESOLVED = "unresolved"


def resolver_of(tree: dict[str, Any], roots: tuple[str, ...] = ()) -> Resolver:
    """A resolver over path -> content; anything but text and bytes is written as JSON."""

    def read(path: str) -> bytes:
        content = tree[path]
        if isinstance(content, OSError):
            raise content
        if isinstance(content, bytes):
            return content
        return (content if isinstance(content, str) else json.dumps(content)).encode()

    facts = {path: FileFacts("typescript", 1, 1, "") for path in tree if path.endswith(CODE)}
    return javascript_resolver(ResolveInput(frozenset(tree), facts, roots, read))


def imported(target: str, *names: str, kind: EdgeKind = EdgeKind.RUNTIME) -> Import:
    pairs = tuple(ImportedName(name, name) for name in names)
    return Import(target, 1, kind, pairs, "", -1, False)


def outcome(resolver: Resolver, path: str, target: str) -> str:
    """The file found, "external:package", or "unresolved"."""
    resolution = resolver.resolve(path, imported(target))
    if resolution.targets:
        assert not resolution.external
        return resolution.targets[0].path
    return f"external:{resolution.package}" if resolution.external else UNRESOLVED


def lead(tree: dict[str, Any], path: str, target: str) -> str:
    return outcome(resolver_of(tree), path, target)

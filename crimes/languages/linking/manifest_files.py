"""Manifests and lockfiles of a tree: where they are, and what they hold. One that cannot be read holds nothing."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from crimes.model.safe_parsing import parse_toml


def files_named(paths: Iterable[str], *names: str) -> list[str]:
    """The files with one of these names, in any folder, sorted."""
    return sorted(path for path in paths if path.endswith(names) and path.rpartition("/")[2] in names)


def manifest_text(path: str, read: Callable[[str], bytes], max_bytes: int | None = None) -> str:
    """The text of a manifest, or its start; empty if it cannot be read."""
    try:
        return read(path)[:max_bytes].decode("utf-8", "replace")
    except OSError:
        return ""


def read_toml(path: str, read: Callable[[str], bytes]) -> dict[str, Any]:
    """The tables of a TOML file; none if it is broken."""
    try:
        return parse_toml(read(path).decode("utf-8"))
    except (OSError, ValueError):
        return {}


def at(data: object, dotted: str) -> Any:
    """The value under nested keys, `project.name`; None if there is none."""
    for key in dotted.split("."):
        data = data.get(key) if isinstance(data, dict) else None
    return data


def lock_pairs(paths: frozenset[str], lock: str, manifest: str) -> Iterator[tuple[str, str]]:
    """Each lockfile of that name with the manifest beside it."""
    for path in files_named(paths, lock):
        beside = posixpath.join(posixpath.dirname(path), manifest)
        if beside in paths:
            yield path, beside

"""Paths of a tree: from its top, with slashes. The top itself is the empty string."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Sequence


def join_inside(folder: str, path: str) -> str | None:
    """A path relative to a folder, as a path of the tree; None if it leads out of the tree."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined == ".." or joined.startswith(("/", "../")):
        return None
    return "" if joined == "." else joined


def nearest_folder(path: str, folders: Container[str]) -> str | None:
    """The nearest of `folders` above a file; None if none is."""
    while path:
        path = posixpath.dirname(path)
        if path in folders:
            return path
    return None


def shared_folders(path: str, other: str) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for left, right in zip(path.split("/"), other.split("/"), strict=False):
        if left != right or not left:
            break
        count += 1
    return count


def nearest_paths(paths: Sequence[str], other: str) -> list[str]:
    """Those of `paths` that have the most leading folders in common with the other."""
    if len(paths) < 2:
        return list(paths)
    most = max(shared_folders(path, other) for path in paths)
    return [path for path in paths if shared_folders(path, other) == most]

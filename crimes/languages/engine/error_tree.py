"""The built-in error types of a language, written as lines of a parent and its children."""

from __future__ import annotations


def parents_of(tree: str) -> dict[str, str]:
    """By error type its parent, which is empty for the root, the parent of the first line: `Exception: ValueError OSError`."""
    parents: dict[str, str] = {}
    for line in tree.strip().splitlines():
        parent, _, children = line.partition(":  ")
        parents.setdefault(parent.strip(), "")
        parents |= dict.fromkeys(children.split(), parent.strip())
    return parents

"""The tree of a commit without a checkout: the work tree, with the files that differ taken from a folder that holds them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.config.schema import Config
from crimes.discovery.discover import (
    Sorter,
    Tree,
    build_tree,
    extensions_of,
    has_attributes,
    list_names,
    read_attributes,
)
from crimes.model.errors import Unavailable
from crimes.system.tree_walk import TreeEntry

if TYPE_CHECKING:
    from crimes.languages.spec import Language

EMPTY_TREE = Tree(Path(os.devnull), (), frozenset(), (), {}, git=False, warnings=())


def discover_part(
    root: Path, others: Iterable[str], config: Config, languages: Mapping[str, Language]
) -> Tree:
    """The tree of a folder that holds a part of a repository, without ignore rules; `others` name the rest of it."""
    root = root.resolve()
    names = _names_below(root)
    sorter = Sorter(root, config, languages, extensions_of(languages, (*others, *names)))
    for name in names:
        sorter.add(TreeEntry(name))
    return build_tree(root, [sorter], config, {}, git=False)


class OverlaidTree(Tree, frozen=True, dict=True):
    """A commit: the work tree, with the files that differ taken from a folder that holds them."""

    work: Tree = EMPTY_TREE
    part: Tree = EMPTY_TREE
    differing: frozenset[str] = frozenset()

    def read(self, path: str) -> bytes:
        """The bytes of a file as they were at the commit. OSError as with any tree."""
        return (self.part if path in self.differing else self.work).read(path)

    def close(self) -> None:
        self.part.close()
        self.work.close()


def discover_overlaid(
    top: Path,
    root: Path,
    part: Path,
    differing: frozenset[str],
    config: Config,
    languages: Mapping[str, Language],
) -> OverlaidTree | None:
    """The tree of a commit: that of `root` without the files that differ, and those below `part`; it is named as `top`.

    None where git did not list the files or cannot tell their attributes, or where those of the commit may be others.
    """
    work_tree, listed, _ = list_names(root)
    if work_tree is None:
        return None
    names = _names_below(part)
    extensions = extensions_of(
        languages, (*(entry.path for entry in listed if entry.path not in differing), *names)
    )
    kept, changed = (Sorter(place, config, languages, extensions) for place in (root, part))
    for entry in listed:
        if entry.path not in differing:
            kept.add(entry)
    for name in names:
        changed.add(TreeEntry(name))
    if any(name.endswith(".gitattributes") for name in differing):
        return None
    attributes: Mapping[str, Mapping[str, bool]] = {}
    if has_attributes(work_tree, kept.paths):
        try:
            attributes = read_attributes(
                work_tree, [candidate.path for sorter in (kept, changed) for candidate in sorter.candidates]
            )
        except Unavailable:
            return None
    tree = build_tree(top, [kept, changed], config, attributes, git=True)
    return OverlaidTree(
        **{field: getattr(tree, field) for field in tree.__struct_fields__},
        work=build_tree(root, [kept], config, attributes, git=True),
        part=build_tree(part, [changed], config, attributes, git=False),
        differing=differing,
    )


def _names_below(folder: Path) -> list[str]:
    return sorted(
        Path(place, name).relative_to(folder).as_posix()
        for place, _, files in os.walk(folder)
        for name in files
    )

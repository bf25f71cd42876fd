"""Modules of a tree: what go.mod and go.work files say, and which folder an import path names.

A module of the tree is taken from the tree, also where its importer would build with a published version: it is the
same code, one release apart. Broken lines say nothing.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from crimes.model.lazy_regex import regex
from crimes.model.repository import Undeclared

_COMMENT = regex(r"//.*")
_PASSED_OVER = regex(
    r"(?:^|/)(?:testdata|vendor|[._][^/]*)(?=/|$)"
)  # by the go tool, unless it is told to look


class Module(Struct, frozen=True):
    """One go.mod: its import path and folder, the modules it asks for, and those it takes from folders of the tree."""

    path: str
    folder: str
    requires: tuple[str, ...]
    replaced: Mapping[str, str]


class Modules:
    """All modules of a tree; a file belongs to the nearest one above it."""

    def __init__(self, paths: frozenset[str], read: Callable[[str], bytes], imported: Iterable[str]) -> None:
        """`imported` are all import paths of the tree: without a go.mod, they tell what the tree itself is called."""
        self._by_folder: dict[str, Module] = {}
        everywhere: dict[str, str] = {}
        for path in sorted(paths, key=lambda path: (path.count("/"), path)):
            folder, _, name = path.rpartition("/")
            if name == "go.mod":
                self._by_folder[folder] = _module(folder, path, read)
            elif name == "go.work":
                everywhere |= _replaced(folder, directives(path, read))
        shared = {
            module.path: folder
            for folder, module in reversed(self._by_folder.items())
            if module.path and not _PASSED_OVER.search(folder)
        }
        if not shared:
            shared = _unstated(paths, imported)
        self._everywhere = shared | everywhere
        self._owners: dict[str, Module | None] = {}

    def of(self, folder: str) -> Module | None:
        """The module a folder belongs to."""
        if folder not in self._owners:
            found = self._by_folder.get(folder)
            if found is None and folder:
                found = self.of(folder.rpartition("/")[0])
            self._owners[folder] = found
        return self._owners[folder]

    def folder(self, importer: str, target: str) -> str | None:
        """The folder that an import in the folder `importer` names; None when no module of the tree has such a path."""
        if target.startswith(("./", "../")):
            return _below(importer, target)
        own = self.of(importer)
        known = self._everywhere
        if own is not None:
            known = {**known, **own.replaced, own.path: own.folder}
        prefix = target
        while prefix:
            base = known.get(prefix)
            found = _below(base, target[len(prefix) :].lstrip("/")) if base is not None else None
            if base is not None and found is not None and self.of(found) is self.of(base):
                return found  # a folder with a go.mod of its own is not part of the module around it
            prefix = prefix.rpartition("/")[0]
        return None

    def package(self, importer: str, target: str) -> str:
        """The module outside the tree that an import is taken from, as far as the manifest says."""
        own = self.of(importer)
        asked = [path for path in own.requires if f"{target}/".startswith(f"{path}/")] if own else []
        parts = target.split("/")
        return max(asked, key=len) if asked else "/".join(parts[:3] if "." in parts[0] else parts[:1])

    def undeclared(self, importer: str, target: str) -> Undeclared | None:
        """What the manifest of the importer asks for, when no module of it holds the imported package."""
        own = self.of(importer)
        if own is None or not own.path or "." not in target.partition("/")[0]:
            return None
        if any(f"{target}/".startswith(f"{path}/") for path in (own.path, *own.requires, *own.replaced)):
            return None
        manifest = f"{own.folder}/go.mod".lstrip("/")
        return Undeclared((manifest,), tuple(sorted(own.requires)), (self.package(importer, target),))


def _module(folder: str, path: str, read: Callable[[str], bytes]) -> Module:
    said = directives(path, read)
    name = next((words[0] for words in said["module"]), "")
    return Module(name, folder, tuple(words[0] for words in said["require"]), _replaced(folder, said))


def _unstated(paths: frozenset[str], imported: Iterable[str]) -> dict[str, str]:
    """The path before which most imports go on with a folder of the tree."""
    folders = {path.rpartition("/")[0] for path in paths if path.endswith(".go")}
    votes: Counter[str] = Counter()
    for target in imported:
        parts = target.split("/")
        for length in range(1, len(parts)):
            if "." in parts[0] and "/".join(parts[length:]) in folders:
                votes["/".join(parts[:length])] += 1
    best = max(votes, key=lambda path: (votes[path], path), default="")
    return {best: ""} if best else {}


def _replaced(folder: str, said: Mapping[str, list[list[str]]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for words in said["replace"]:
        given = words[words.index("=>") + 1 :] if "=>" in words else []
        if given and given[0].startswith("."):
            where = _below(folder, given[0])
            if where is not None:
                found[words[0]] = where
    return found


def directives(path: str, read: Callable[[str], bytes]) -> defaultdict[str, list[list[str]]]:
    """The words of each line by its directive; `require ( … )` gives every line inside its own."""
    found: defaultdict[str, list[list[str]]] = defaultdict(list)
    for directive, words in _lines(path, read):
        if words:
            found[directive].append([word.strip('"`') for word in words])
    return found


def _lines(path: str, read: Callable[[str], bytes]) -> Iterator[tuple[str, list[str]]]:
    try:
        text = read(path).decode("utf-8", "replace")
    except OSError:
        return
    block = ""
    for line in text.splitlines():
        words = _COMMENT.sub("", line).split()
        if block:
            block = "" if words == [")"] else block
            if block:
                yield block, words
        elif words[1:2] == ["("]:
            block = words[0]
        elif words:
            yield words[0], words[1:]


def _below(folder: str, name: str) -> str | None:
    """`name` from a folder, counted from the tree; None when outside it."""
    joined = posixpath.normpath(posixpath.join(folder, name))
    if joined == ".." or joined.startswith(("/", "../")):
        return None
    return "" if joined == "." else joined

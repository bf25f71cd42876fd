"""Go modules of a tree, from go.mod and go.work files, and the folders that import paths name.

An import of a module of the tree leads into the tree, even if its importer would build with a published version: it is the
same code, one release apart. Malformed lines are skipped.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from crimes.languages.linking.manifest_files import manifest_text
from crimes.languages.linking.tree_paths import join_inside
from crimes.model.lazy_regex import regex
from crimes.model.repository import Undeclared

_COMMENT = regex(r"//.*")
# Folders that the go tool ignores by default.
_IGNORED_FOLDER = regex(r"(?:^|/)(?:testdata|vendor|[._][^/]*)(?=/|$)")


class Module(Struct, frozen=True):
    """One go.mod: its import path and folder, required modules, and folders of the tree that replace modules."""

    path: str
    folder: str
    requires: tuple[str, ...]
    replaced: Mapping[str, str]


class Modules:
    """All modules of a tree; a file belongs to the nearest one above it."""

    def __init__(self, paths: frozenset[str], read: Callable[[str], bytes], imported: Iterable[str]) -> None:
        """`imported` are all import paths of the tree: without a go.mod, they reveal the module path of the tree."""
        self._by_folder: dict[str, Module] = {}
        workspace: dict[str, str] = {}
        for path in sorted(paths, key=lambda path: (path.count("/"), path)):
            folder, _, name = path.rpartition("/")
            if name == "go.mod":
                self._by_folder[folder] = _module(folder, path, read)
            elif name == "go.work":
                workspace |= _replaced_folders(folder, read_directives(path, read))
        folders = {
            module.path: folder
            for folder, module in reversed(self._by_folder.items())
            if module.path and not _IGNORED_FOLDER.search(folder)
        }
        if not folders:
            folders = _guess_module(paths, imported)
        self._folders = folders | workspace
        self._owners: dict[str, Module | None] = {}

    def module_of(self, folder: str) -> Module | None:
        """The module a folder belongs to."""
        if folder not in self._owners:
            module = self._by_folder.get(folder)
            if module is None and folder:
                module = self.module_of(folder.rpartition("/")[0])
            self._owners[folder] = module
        return self._owners[folder]

    def folder_of(self, importer: str, target: str) -> str | None:
        """The folder that an import in the folder `importer` names; None if it is not in a module of the tree."""
        if target.startswith(("./", "../")):
            return join_inside(importer, target)
        own = self.module_of(importer)
        folders = self._folders
        if own is not None:
            folders = {**folders, **own.replaced, own.path: own.folder}
        prefix = target
        while prefix:
            base = folders.get(prefix)
            folder = join_inside(base, target[len(prefix) :].lstrip("/")) if base is not None else None
            if base is not None and folder is not None and self.module_of(folder) is self.module_of(base):
                return folder  # a folder with a go.mod of its own is not part of the module around it
            prefix = prefix.rpartition("/")[0]
        return None

    def package_of(self, importer: str, target: str) -> str:
        """The external module that provides an import: the one that go.mod requires, else a guess from the path."""
        own = self.module_of(importer)
        required = [path for path in own.requires if f"{target}/".startswith(f"{path}/")] if own else []
        parts = target.split("/")
        return max(required, key=len) if required else "/".join(parts[:3] if "." in parts[0] else parts[:1])

    def undeclared(self, importer: str, target: str) -> Undeclared | None:
        """What the go.mod of the importer requires, if none of it provides the imported package; else None."""
        own = self.module_of(importer)
        if own is None or not own.path or "." not in target.partition("/")[0]:
            return None
        if any(f"{target}/".startswith(f"{path}/") for path in (own.path, *own.requires, *own.replaced)):
            return None
        manifest = f"{own.folder}/go.mod".lstrip("/")
        return Undeclared((manifest,), tuple(sorted(own.requires)), (self.package_of(importer, target),))


def _module(folder: str, path: str, read: Callable[[str], bytes]) -> Module:
    directives = read_directives(path, read)
    return Module(
        path=next((words[0] for words in directives["module"]), ""),
        folder=folder,
        requires=tuple(words[0] for words in directives["require"]),
        replaced=_replaced_folders(folder, directives),
    )


def _guess_module(paths: frozenset[str], imported: Iterable[str]) -> dict[str, str]:
    """The module path that most imports have in front of a folder of the tree."""
    folders = {path.rpartition("/")[0] for path in paths if path.endswith(".go")}
    votes: Counter[str] = Counter()
    for target in imported:
        parts = target.split("/")
        for length in range(1, len(parts)):
            if "." in parts[0] and "/".join(parts[length:]) in folders:
                votes["/".join(parts[:length])] += 1
    best = max(votes, key=lambda path: (votes[path], path), default="")
    return {best: ""} if best else {}


def _replaced_folders(folder: str, directives: Mapping[str, list[list[str]]]) -> dict[str, str]:
    """Folders of the tree by the module that they replace."""
    folders: dict[str, str] = {}
    for words in directives["replace"]:
        replacement = words[words.index("=>") + 1 :] if "=>" in words else []
        if replacement and replacement[0].startswith("."):
            local = join_inside(folder, replacement[0])
            if local is not None:
                folders[words[0]] = local
    return folders


def read_directives(path: str, read: Callable[[str], bytes]) -> defaultdict[str, list[list[str]]]:
    """The words of each line by directive; every line of a `require ( … )` block counts as its own."""
    directives: defaultdict[str, list[list[str]]] = defaultdict(list)
    for directive, words in _lines(path, read):
        if words:
            directives[directive].append([word.strip('"`') for word in words])
    return directives


def _lines(path: str, read: Callable[[str], bytes]) -> Iterator[tuple[str, list[str]]]:
    block = ""
    for line in manifest_text(path, read).splitlines():
        words = _COMMENT.sub("", line).split()
        if block:
            block = "" if words == [")"] else block
            if block:
                yield block, words
        elif words[1:2] == ["("]:
            block = words[0]
        elif words:
            yield words[0], words[1:]

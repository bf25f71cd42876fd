"""Module trees: which file is which module of which crate.

A crate is named by its root file. A module may have several files (one for each platform), and a file may belong to
several crates (`mod common;` of many tests).
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from crimes.languages.linking.tree_paths import nearest_folder
from crimes.languages.rust.cargo import Package
from crimes.model.facts import FileFacts, Import

MAX_MODULES_PER_FILE = 4


class Module(Struct, frozen=True):
    """A module: the root file of its crate, and the module names below it."""

    crate: str
    path: tuple[str, ...] = ()

    def child(self, *names: str) -> Module:
        return Module(self.crate, (*self.path, *names))

    def parent(self) -> Module:
        return Module(self.crate, self.path[:-1])


class ModuleTrees(Struct):
    """Files by module, modules by file, and files by `mod` declaration."""

    files: dict[Module, tuple[str, ...]] = field(default_factory=dict)
    modules: dict[str, tuple[Module, ...]] = field(default_factory=dict)
    declared: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)  # by file and declaration
    compiled: frozenset[str] = frozenset()  # the files that the root files of packages reach

    def add_file(self, module: Module, file: str) -> None:
        known = self.files.get(module, ())
        self.files[module] = known if file in known else (*known, file)

    def add_module(self, file: str, module: Module) -> None:
        known = self.modules.get(file, ())
        if module not in known and len(known) < MAX_MODULES_PER_FILE:
            self.modules[file] = (*known, module)


def is_declaration(item: Import) -> bool:
    """`mod name;`, with or without a path of its own."""
    return item.target.startswith("mod ") or (bool(item.alias) and item.target.endswith(".rs"))


def is_inclusion(item: Import) -> bool:
    """`include!("file.rs")`."""
    return not item.alias and not item.names and item.target.endswith(".rs")


def build_trees(facts: Mapping[str, FileFacts], packages: Mapping[str, Package]) -> ModuleTrees:
    """All module trees: from the root files of packages, then from files these do not reach."""
    trees = ModuleTrees()
    for package in packages.values():
        for root in package.roots:
            _grow(trees, facts, Module(root), root, posixpath.dirname(root))
    trees.compiled = frozenset(trees.modules)
    for path in sorted(facts, key=lambda path: (path.count("/"), not path.endswith("/lib.rs"), path)):
        if path not in trees.modules:
            module, folder = _guess_module(path, trees, packages)
            _grow(trees, facts, module, path, folder)
    return trees


def _guess_module(path: str, trees: ModuleTrees, packages: Mapping[str, Package]) -> tuple[Module, str]:
    """The module of an undeclared file (by its path below `src`, else a crate of its own), and its folder."""
    folder, name = posixpath.split(path)
    is_root = name in ("mod.rs", "lib.rs", "main.rs")
    below = folder if is_root else posixpath.join(folder, name.removesuffix(".rs"))
    package = packages.get(nearest_folder(path, packages) or "")
    root = package.roots[0] if package is not None and package.roots else ""
    source = posixpath.dirname(root)
    if root and below.startswith(f"{source}/") and source.endswith("src"):
        module = Module(root, tuple(below[len(source) + 1 :].split("/")))
        if module not in trees.files:
            return module, below
    return Module(path), folder


def _grow(trees: ModuleTrees, facts: Mapping[str, FileFacts], module: Module, file: str, folder: str) -> None:
    """Add a file and all it declares; `folder` holds its submodules. A crate takes each file in once."""
    trees.add_file(module, file)
    seen = {file}
    queue = deque([(module, file, folder)])
    while queue:
        module, file, folder = queue.popleft()
        trees.add_module(file, module)
        for item in facts[file].imports if file in facts else ():
            if is_inclusion(item):
                for included in _existing((_join(posixpath.dirname(file), item.target),), facts):
                    trees.add_module(included, module)
            elif is_declaration(item):
                names, candidates = _candidates(item, file, folder)
                for depth in range(1, len(names)):
                    trees.add_file(module.child(*names[:depth]), file)  # an inline module around it
                files = _existing(candidates, facts)
                trees.declared[file, item.target] = files
                for submodule in files:
                    trees.add_file(module.child(*names), submodule)
                    if submodule not in seen:
                        seen.add(submodule)
                        queue.append((module.child(*names), submodule, _submodule_folder(submodule, item)))


def _candidates(item: Import, file: str, folder: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a declared module, and the files it may have."""
    if not item.target.startswith("mod "):
        return (item.alias,), (_join(posixpath.dirname(file), item.target), _join(folder, item.target))
    names = tuple(item.target[4:].split("::"))
    base = posixpath.join(folder, *names)
    return names, (f"{base}.rs", f"{base}/mod.rs")


def _submodule_folder(module: str, item: Import) -> str:
    """The folder of a module's submodules: its own for `mod.rs` and for a stated path, else one of its name."""
    if module.endswith("/mod.rs") or not item.target.startswith("mod "):
        return posixpath.dirname(module)
    return module.removesuffix(".rs")


def _join(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))


def _existing(options: Iterable[str], facts: Mapping[str, FileFacts]) -> tuple[str, ...]:
    return tuple(path for path in options if path in facts)[:1]

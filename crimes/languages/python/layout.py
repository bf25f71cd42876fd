"""Where Python imports start from: the modules of a tree, its packages, and the roots each file searches.

A root is a folder imports start from: the parent of a topmost package, `src/`, `lib/`, what manifests and the
configuration state, and the repository itself. A file searches its own root first, then the folders above it,
then the other roots, nearest first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from crimes.languages.python.manifests import below, stated_roots
from crimes.languages.spec import ResolveInput

# What may stand behind a module name, best first. The last ones are builds and sources of compiled modules.
_EXTENSIONS = {ext: rank for rank, ext in enumerate(("py", "pyi", "pyx", "so", "pyd", "c", "cpp"))}
_PYTHON = frozenset({"py", "pyi", "pyx"})
_C_SOURCES = frozenset({"c", "cpp"})
_NAMED_ROOTS = frozenset({"src", "lib"})
# A package below one of these serves the files beside it, not the rest of the repository.
_PRIVATE = frozenset(
    {"build", "dist", "doc", "docs", "example", "examples", "fixture", "fixtures", "sample", "samples"}
    | {"stubs", "template", "templates", "test", "test_data", "testdata", "testing", "tests", "third_party"}
    | {"typings", "vendor", "vendored"}
)


class Usage(Struct, frozen=True):
    """What the tree's own imports say about names of its modules and folders."""

    dotted: frozenset[str]  # every name and prefix that an absolute import spells out
    relative: frozenset[str]  # folders whose files import relatively
    users: Mapping[str, frozenset[str]]  # folders that import a top name


class Layout:
    """Modules by key (`src/pkg/mod`; a package's key is its folder), and the roots each folder searches."""

    def __init__(self, given: ResolveInput) -> None:
        self.modules = _modules(given.paths)
        self.folders = _folders_with_python(given.paths)
        self._children: dict[str, list[str]] = defaultdict(list)
        for key in {*self.modules, *self.folders} - {""}:
            self._children[parent(key)].append(key.rpartition("/")[2])
        self._regular = {key for key, file in self.modules.items() if key and is_init(file)}
        self.usage = _usage(given, {name for names in self._children.values() for name in names})
        stated = stated_roots(given.paths, given.read)
        configured = (below("", root) for root in given.roots)
        self._stated = stated.everywhere | {root for root in configured if root is not None}
        self._stated_below = stated.below
        self._known_roots = self._stated.union(*stated.below.values())
        self._packages: dict[str, bool] = {"": False}
        self._near: dict[str, tuple[str, ...]] = {}
        self._holders = self._top_names()

    def near(self, folder: str) -> tuple[str, ...]:
        """The own root of a folder's files, then it and those above without an `__init__`, or stated there."""
        if folder not in self._near:
            found = [self._own_root(folder)]
            for up in (folder, *parents(folder)):
                if up not in self._regular:
                    found.append(up)
                found.extend(self._stated_below.get(up, ()))
            self._near[folder] = tuple(dict.fromkeys(found))
        return self._near[folder]

    def roots(self, near: tuple[str, ...], top: str) -> tuple[str, ...]:
        """Near roots and then the others that hold the top name, the closest first."""
        own = near[0]
        far = (root for root in self._holders.get(top, ()) if root not in near)
        visible = (root for root in far if root in self._stated or not _is_private(root, own))
        return (*near, *sorted(visible, key=lambda root: (-_shared(root, own), root)))

    def has_longer_name(self, root: str, top: str) -> bool:
        """Whether `top` is known as part of a namespace package, and files elsewhere mean another by the bare name."""
        if root in self._known_roots or not self._is_package(root):
            return False
        full = join(root, top)[len(self._own_root(root)) :].strip("/").replace("/", ".")
        users = self.usage.users.get(top, frozenset())
        return full in self.usage.dotted and any(not f"{user}/".startswith(f"{root}/") for user in users)

    def _own_root(self, folder: str) -> str:
        while self._is_package(folder):
            folder = parent(folder)
        return folder

    def _is_package(self, folder: str) -> bool:
        if folder not in self._packages:
            self._packages[folder] = folder in self._regular or self._is_namespace(folder)
        return self._packages[folder]

    def _is_namespace(self, folder: str) -> bool:
        """A folder without an `__init__` that imports use as a package: they reach into it by its name."""
        if folder in self.usage.relative:
            return True
        parts = folder.split("/")
        names = [".".join(parts[start:]) for start in range(len(parts))]
        return any(
            f"{name}.{child}" in self.usage.dotted
            for name in names
            if name in self.usage.dotted
            for child in self._children.get(folder, ())
        )

    def _top_names(self) -> dict[str, list[str]]:
        """Top names with the roots that hold them, for searches from elsewhere."""
        named = {
            folder for folder in self.folders if folder.rpartition("/")[2] in _NAMED_ROOTS
        } - self._regular
        roots = {self._own_root(folder) for folder in self._regular}
        holders: dict[str, list[str]] = defaultdict(list)
        for root in roots | named | self._stated:
            whole = root in named or root in self._stated
            for top in self._children.get(root, ()):
                # A module beside a package is a script of its own, unless the folder is known to be a root.
                if whole or join(root, top) in self.folders:
                    holders[top].append(root)
        return holders


def is_init(path: str) -> bool:
    """Whether a file is its folder's package file."""
    return path.rpartition("/")[2].startswith("__init__.")


def parent(path: str) -> str:
    """The folder of a file or folder; the tree itself is the empty string."""
    return path.rpartition("/")[0]


def parents(path: str) -> Iterator[str]:
    """Every folder above, nearest first, the tree itself last."""
    while path:
        path = parent(path)
        yield path


def join(folder: str, name: str) -> str:
    """A name below a folder."""
    return f"{folder}/{name}" if folder else name


def _modules(paths: frozenset[str]) -> dict[str, str]:
    """A package wins over a module of its name, as in Python; sources win over stubs, stubs over builds."""
    best: dict[str, tuple[int, bool, str]] = {}
    packages = {parent(path) for path in paths if is_init(path)}
    for path in paths:
        stem, _, ext = path.rpartition(".")
        if ext not in _EXTENSIONS or (ext in _C_SOURCES and parent(path) not in packages):
            continue
        folder, _, name = stem.rpartition("/")
        if ext in ("so", "pyd"):
            name = name.partition(".")[0]  # the rest says which interpreter it was built for
        init = name == "__init__"
        key = folder if init else join(folder, name)
        found = (_EXTENSIONS[ext], not init, path)
        best[key] = min(best.get(key, found), found)
    return {key: path for key, (_, _, path) in best.items()}


def _folders_with_python(paths: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for path in paths:
        if path.rpartition(".")[2] in _PYTHON:
            for folder in parents(path):
                if folder in found:
                    break
                found.add(folder)
    return frozenset(found)


def _usage(given: ResolveInput, known: set[str]) -> Usage:
    """`known` are the last parts of names that mean something: no other is asked for."""
    seen: set[str] = set()
    dotted: set[str] = set()
    relative: set[str] = set()
    users: dict[str, set[str]] = defaultdict(set)
    for path, facts in given.facts.items():
        folder = parent(path)
        for item in facts.imports:
            name = item.target
            if name.startswith("."):
                relative.add(folder)
                continue
            top = name.partition(".")[0]
            if top in known:
                users[top].add(folder)
            dotted.update(f"{name}.{imported.name}" for imported in item.names if imported.name in known)
            while name and name not in seen:
                seen.add(name)
                name, _, last = name.rpartition(".")
                if last in known:
                    dotted.add(f"{name}.{last}" if name else last)
    return Usage(
        frozenset(dotted), frozenset(relative), {top: frozenset(folders) for top, folders in users.items()}
    )


def _is_private(root: str, folder: str) -> bool:
    """Whether the way down to the root passes a place for others of its kind only: tests may use other tests."""
    way = root.split("/")[_shared(root, folder) :]
    return not _PRIVATE.intersection(way).issubset(folder.split("/"))


def _shared(a: str, b: str) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for left, right in zip(a.split("/"), b.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count

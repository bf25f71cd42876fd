"""Where Python imports start from: the modules of a tree, its packages, and the roots each file searches.

A root is a folder imports start from: the parent of a topmost package, `src/`, `lib/`, what manifests and the
configuration state, and the repository itself. A file searches its own root first, then the folders above it,
then the other roots, nearest first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from crimes.languages.linking.tree_paths import join_inside, shared_folders
from crimes.languages.python.manifests import stated_roots
from crimes.languages.spec import ResolveInput

# Extensions of modules, best first; the last ones are builds and sources of compiled modules.
_EXTENSIONS = {ext: rank for rank, ext in enumerate(("py", "pyi", "pyx", "so", "pyd", "c", "cpp"))}
_PYTHON = frozenset({"py", "pyi", "pyx"})
_C_SOURCES = frozenset({"c", "cpp"})
_NAMED_ROOTS = frozenset({"src", "lib"})
# A package below one of these serves the files beside it, not the rest of the repository.
_PRIVATE_FOLDERS = frozenset(
    {"build", "dist", "doc", "docs", "example", "examples", "fixture", "fixtures", "sample", "samples"}
    | {"stubs", "template", "templates", "test", "test_data", "testdata", "testing", "tests", "third_party"}
    | {"typings", "vendor", "vendored"}
)


class Usage(Struct, frozen=True):
    """How the tree's own imports use the names of its modules and folders."""

    dotted: frozenset[str]  # every name and prefix that an absolute import spells out
    relative: frozenset[str]  # folders whose files import relatively
    users: Mapping[str, frozenset[str]]  # folders that import a top name


class Layout:
    """Modules by key (`src/pkg/mod`; a package's key is its folder), and the roots each folder searches."""

    def __init__(self, inputs: ResolveInput) -> None:
        self.modules = _modules_by_key(inputs.paths)
        self.folders = _folders_with_python(inputs.paths)
        self._children: dict[str, list[str]] = defaultdict(list)
        for key in {*self.modules, *self.folders} - {""}:
            self._children[parent(key)].append(key.rpartition("/")[2])
        self._regular = {key for key, file in self.modules.items() if key and is_init(file)}
        self.usage = _import_usage(inputs, {name for names in self._children.values() for name in names})
        stated = stated_roots(inputs.paths, inputs.read)
        configured = (join_inside("", root) for root in inputs.roots)
        self._stated = stated.everywhere | {root for root in configured if root is not None}
        self._stated_by_folder = stated.by_folder
        self._known_roots = self._stated.union(*stated.by_folder.values())
        self._packages: dict[str, bool] = {"": False}
        self._near: dict[str, tuple[str, ...]] = {}
        self._holders = self._find_holders()

    def near(self, folder: str) -> tuple[str, ...]:
        """A folder's own root first; then, going up, each folder without an `__init__` and the roots stated there."""
        if folder not in self._near:
            roots = [self._own_root(folder)]
            for up in (folder, *parents(folder)):
                if up not in self._regular:
                    roots.append(up)
                roots.extend(self._stated_by_folder.get(up, ()))
            self._near[folder] = tuple(dict.fromkeys(roots))
        return self._near[folder]

    def roots(self, near: tuple[str, ...], top: str) -> tuple[str, ...]:
        """Near roots, then the others that hold the top name, the closest first."""
        own = near[0]
        far = (root for root in self._holders.get(top, ()) if root not in near)
        visible = (root for root in far if root in self._stated or not _is_private(root, own))
        return (*near, *sorted(visible, key=lambda root: (-shared_folders(root, own), root)))

    def has_longer_name(self, root: str, top: str) -> bool:
        """Whether imports spell `top` with its namespace package, and files elsewhere mean another by the bare name."""
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
        """Whether imports reach into a folder without an `__init__` by its name."""
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

    def _find_holders(self) -> dict[str, list[str]]:
        """Roots by the top names they hold, for searches from elsewhere."""
        named = {
            folder for folder in self.folders if folder.rpartition("/")[2] in _NAMED_ROOTS
        } - self._regular
        roots = {self._own_root(folder) for folder in self._regular}
        holders: dict[str, list[str]] = defaultdict(list)
        for root in roots | named | self._stated:
            is_root = root in named or root in self._stated
            for top in self._children.get(root, ()):
                # A module beside a package is a script of its own, unless the folder is known to be a root.
                if is_root or join(root, top) in self.folders:
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


def _modules_by_key(paths: frozenset[str]) -> dict[str, str]:
    """Files by module key. Packages win over modules, as in Python; sources over stubs, stubs over builds."""
    best: dict[str, tuple[int, bool, str]] = {}
    packages = {parent(path) for path in paths if "__init__." in path and is_init(path)}
    for path in paths:
        stem, _, ext = path.rpartition(".")
        if ext not in _EXTENSIONS or (ext in _C_SOURCES and parent(path) not in packages):
            continue
        folder, _, name = stem.rpartition("/")
        if ext in ("so", "pyd"):
            name = name.partition(".")[0]  # the rest says which interpreter it was built for
        is_package = name == "__init__"
        key = folder if is_package else join(folder, name)
        candidate = (_EXTENSIONS[ext], not is_package, path)
        best[key] = min(best.get(key, candidate), candidate)
    return {key: path for key, (_, _, path) in best.items()}


def _folders_with_python(paths: frozenset[str]) -> frozenset[str]:
    folders: set[str] = set()
    for path in paths:
        if path.rpartition(".")[2] in _PYTHON:
            for folder in parents(path):
                if folder in folders:
                    break
                folders.add(folder)
    return frozenset(folders)


def _import_usage(inputs: ResolveInput, known: set[str]) -> Usage:
    """How imports use names; `known` holds every last part of a name that is looked up."""
    seen: set[str] = set()
    dotted: set[str] = set()
    relative: set[str] = set()
    users: dict[str, set[str]] = defaultdict(set)
    for path, facts in inputs.facts.items():
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
    """Whether the root is below a private folder that `folder` is not in too: tests may use other tests."""
    parts = root.split("/")[shared_folders(root, folder) :]
    return not _PRIVATE_FOLDERS.intersection(parts).issubset(folder.split("/"))

"""The module that a file belongs to: a target of Package.swift, else the tree of an Xcode project.

Manifests are programs; they are read by pattern and never run. Names that they compute are unknown.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from crimes.languages.linking.manifest_files import manifest_text
from crimes.model.lazy_regex import regex

_MANIFEST = regex(r"(?:^|/)Package(?:@swift-[\d.]+)?\.swift$")
_COMMENT = regex(r"/\*.*?(?:\*/|\Z)|(?<!:)//[^\n]*", re.DOTALL)
_TARGET = regex(
    r"\.(?P<kind>target|executableTarget|testTarget|macro|plugin|binaryTarget|systemLibrary)\s*\(\s*name\s*:\s*"
    r'"(?P<name>[^"\\\n]+)"'
)
_PATH = regex(r'\bpath\s*:\s*"([^"\\\n]*)"')
_BRACKETS = regex(r'"(?:[^"\\\n]|\\.)*"|[()\[\]]')
_NATIVE = regex(r"isa = PBXNativeTarget;((?:(?!isa = PBXNativeTarget;).){0,4000}?)\n\t*+\};", re.DOTALL)
_NATIVE_NAME = regex(r'\b(?:name|productName) = "?([^";\n]+)"?;')
_MODULE_NAME = regex(r'PRODUCT_MODULE_NAME = "?([^";\n$]+)"?;')
_NON_WORD = regex(r"\W")
NO_FOLDER = "?"  # a target whose folder is not in the tree
_MAX_MANIFEST_BYTES = 8_000_000
_MAX_TARGET_LENGTH = 20_000
_SOURCES = ("Sources", "Source", "src", "srcs")
_PARENT_FOLDERS = {"testTarget": ("Tests", *_SOURCES), "plugin": ("Plugins", *_SOURCES)}


class Modules(Struct, frozen=True):
    """Modules, identified by their folders; several may share a name."""

    folders: frozenset[str]  # of targets
    trees: frozenset[str]  # project folders: a file in no target belongs to the nearest one
    by_name: dict[str, tuple[str, ...]]  # module name -> folders, or NO_FOLDER

    def module_of(self, path: str) -> str:
        """The module of a file: the folder of its target, else that of its project with a slash at the end."""
        folder = posixpath.dirname(path)
        tree = ""
        while folder:
            if folder in self.folders:
                return folder
            if not tree and folder in self.trees:
                tree = folder
            folder = posixpath.dirname(folder)
        return "" if "" in self.folders else f"{tree}/"


def load_modules(paths: frozenset[str], read: Callable[[str], bytes]) -> Modules:
    """All modules that the manifests and projects of the tree define."""
    folders, trees = set(), {""}
    by_name: dict[str, list[str]] = {}
    tree_folders = _all_folders(paths)
    for path in sorted(paths):
        if _MANIFEST.search(path):
            package = posixpath.dirname(path)
            trees.add(package)
            text = manifest_text(path, read, _MAX_MANIFEST_BYTES)
            for name, folder in _targets(package, text, tree_folders):
                if folder is not None:
                    folders.add(folder)
                by_name.setdefault(name, []).append(folder if folder is not None else NO_FOLDER)
        elif path.endswith(".xcodeproj/project.pbxproj"):
            tree = posixpath.dirname(posixpath.dirname(path))
            trees.add(tree)
            for name in _xcode_modules(manifest_text(path, read, _MAX_MANIFEST_BYTES)):
                by_name.setdefault(name, []).append(f"{tree}/")
    return Modules(
        frozenset(folders),
        frozenset(trees),
        {name: tuple(dict.fromkeys(modules)) for name, modules in by_name.items()},
    )


def _all_folders(paths: frozenset[str]) -> frozenset[str]:
    folders: set[str] = set()
    for path in paths:
        folder = posixpath.dirname(path)
        while folder and folder not in folders:
            folders.add(folder)
            folder = posixpath.dirname(folder)
    return frozenset(folders)


def _targets(package: str, text: str, tree_folders: frozenset[str]) -> Iterator[tuple[str, str | None]]:
    """Names and folders of a manifest's targets; the folder is None if it is not in the tree.

    A dependency on a target looks like a target without a path: the entry with a path, or with a more specific kind, wins.
    """
    text = _COMMENT.sub("", text)
    targets: dict[str, tuple[str, str]] = {}
    for match in _TARGET.finditer(text):
        path = _PATH.search(_arguments(text, match.end()))
        name, kind = match["name"], match["kind"]
        if path is not None or name not in targets or (targets[name] == ("target", "") and kind != "target"):
            targets[name] = (kind, path.group(1) if path else "")
    is_only = sum(kind != "testTarget" for kind, _ in targets.values()) == 1
    for name, (kind, path_written) in sorted(targets.items()):
        if kind not in ("binaryTarget", "systemLibrary"):
            folder = _target_folder(package, name, kind, path_written, tree_folders, is_only=is_only)
            yield _NON_WORD.sub("_", name), folder


def _arguments(text: str, start: int) -> str:
    """The rest of a call's arguments, without the contents of nested brackets."""
    depth, pieces, last = 1, [], start
    for match in _BRACKETS.finditer(text, start, start + _MAX_TARGET_LENGTH):
        if match.group() in "([":
            if depth == 1:
                pieces.append(text[last : match.start()])
            depth += 1
        elif match.group() in ")]":
            depth -= 1
            if depth == 1:
                last = match.end()
            if depth == 0:
                pieces.append(text[last : match.start()])
                break
    return " ".join(pieces)


def _target_folder(
    package: str, name: str, kind: str, path: str, tree_folders: frozenset[str], *, is_only: bool
) -> str | None:
    if path:
        folder = posixpath.normpath(posixpath.join(package, path))
        folder = "" if folder == "." else folder
        return folder if folder in tree_folders or not folder else None
    parents = _PARENT_FOLDERS.get(kind, _SOURCES)
    folders = [posixpath.join(package, parent, name) for parent in parents]
    if is_only and kind != "testTarget":
        folders += [posixpath.join(package, parent) for parent in _SOURCES]
    return next((folder for folder in folders if folder in tree_folders), None)


def _xcode_modules(project: str) -> Iterator[str]:
    """Module names of an Xcode project's targets."""
    for block in _NATIVE.findall(project):
        yield from (_NON_WORD.sub("_", name) for name in _NATIVE_NAME.findall(block))
    yield from (_NON_WORD.sub("_", name) for name in _MODULE_NAME.findall(project))

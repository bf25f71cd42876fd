"""Which module a file belongs to: the targets of Package.swift, else the tree of an Xcode project.

Manifests are programs; they are read by pattern and never run. A name that only running one would tell is not known.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from crimes.model.lazy_regex import regex

_MANIFEST = regex(r"(?:^|/)Package(?:@swift-[\d.]+)?\.swift$")
_COMMENT = regex(r"/\*.*?(?:\*/|\Z)|(?<!:)//[^\n]*", re.DOTALL)
_TARGET = regex(
    r"\.(?P<kind>target|executableTarget|testTarget|macro|plugin|binaryTarget|systemLibrary)\s*\(\s*name\s*:\s*"
    r'"(?P<name>[^"\\\n]+)"'
)
_PATH = regex(r'\bpath\s*:\s*"([^"\\\n]*)"')
_BRACKETS = regex(r'"(?:[^"\\\n]|\\.)*"|[()\[\]]')
_NATIVE = regex(r"isa = PBXNativeTarget;(.{0,4000}?)\n\t*\};", re.DOTALL)
_NATIVE_NAME = regex(r'\b(?:name|productName) = "?([^";\n]+)"?;')
_MODULE_NAME = regex(r'PRODUCT_MODULE_NAME = "?([^";\n$]+)"?;')
_NO_WORD = regex(r"\W")
_LARGEST = 8_000_000
_LONGEST_TARGET = 20_000
_SOURCES = ("Sources", "Source", "src", "srcs")
_PLACES = {"testTarget": ("Tests", *_SOURCES), "plugin": ("Plugins", *_SOURCES)}


class Modules(Struct, frozen=True):
    """Modules are known by their folders; several may have one name."""

    folders: frozenset[str]  # of targets
    trees: frozenset[str]  # folders of projects: what no target claims belongs to the nearest
    by_name: dict[str, tuple[str, ...]]  # module name -> folders

    def of(self, path: str) -> str:
        """The module of a file: the folder of its target, or with a slash at its end the tree it stands in."""
        folder = posixpath.dirname(path)
        tree = ""
        while folder:
            if folder in self.folders:
                return folder
            if not tree and folder in self.trees:
                tree = folder
            folder = posixpath.dirname(folder)
        return "" if "" in self.folders else f"{tree}/"


def modules_of(paths: frozenset[str], read: Callable[[str], bytes]) -> Modules:
    """All modules the manifests and projects of the tree speak of."""
    folders, trees = set(), {""}
    by_name: dict[str, list[str]] = {}
    known = _folders(paths)
    for path in sorted(paths):
        if _MANIFEST.search(path):
            package = posixpath.dirname(path)
            trees.add(package)
            for name, folder in _targets(package, _text(path, read), known):
                if folder is not None:
                    folders.add(folder)
                by_name.setdefault(name, []).append(folder if folder is not None else "?")
        elif path.endswith(".xcodeproj/project.pbxproj"):
            tree = posixpath.dirname(posixpath.dirname(path))
            trees.add(tree)
            for name in _native(_text(path, read)):
                by_name.setdefault(name, []).append(f"{tree}/")
    return Modules(
        frozenset(folders),
        frozenset(trees),
        {name: tuple(dict.fromkeys(places)) for name, places in by_name.items()},
    )


def _text(path: str, read: Callable[[str], bytes]) -> str:
    try:
        return read(path)[:_LARGEST].decode("utf-8", "replace")
    except OSError:
        return ""  # its files are then one tree


def _folders(paths: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for path in paths:
        folder = posixpath.dirname(path)
        while folder and folder not in found:
            found.add(folder)
            folder = posixpath.dirname(folder)
    return frozenset(found)


def _targets(package: str, text: str, known: frozenset[str]) -> Iterator[tuple[str, str | None]]:
    """Names and folders of a manifest's targets; no folder for what is built elsewhere.

    A dependency on a target is written like a target without a path; the one with a path is the target.
    """
    text = _COMMENT.sub("", text)
    stated: dict[str, tuple[str, str]] = {}
    for match in _TARGET.finditer(text):
        path = _PATH.search(_arguments(text, match.end()))
        name, kind = match["name"], match["kind"]
        if path is not None or name not in stated or (stated[name] == ("target", "") and kind != "target"):
            stated[name] = (kind, path.group(1) if path else "")
    alone = sum(kind != "testTarget" for kind, _ in stated.values()) == 1
    for name, (kind, path_written) in sorted(stated.items()):
        if kind not in ("binaryTarget", "systemLibrary"):
            yield _NO_WORD.sub("_", name), _place(package, name, kind, path_written, known, alone=alone)


def _arguments(text: str, start: int) -> str:
    """What is left of a call's own arguments, without what stands in brackets inside."""
    depth, kept, last = 1, [], start
    for match in _BRACKETS.finditer(text, start, start + _LONGEST_TARGET):
        if match.group() in "([":
            if depth == 1:
                kept.append(text[last : match.start()])
            depth += 1
        elif match.group() in ")]":
            depth -= 1
            if depth == 1:
                last = match.end()
            if depth == 0:
                kept.append(text[last : match.start()])
                break
    return " ".join(kept)


def _place(
    package: str, name: str, kind: str, path: str, known: frozenset[str], *, alone: bool
) -> str | None:
    if path:
        folder = posixpath.normpath(posixpath.join(package, path))
        folder = "" if folder == "." else folder
        return folder if folder in known or not folder else None
    places = _PLACES.get(kind, _SOURCES)
    folders = [posixpath.join(package, place, name) for place in places]
    if alone and kind != "testTarget":
        folders += [posixpath.join(package, place) for place in _SOURCES]
    return next((folder for folder in folders if folder in known), None)


def _native(project: str) -> Iterator[str]:
    """Module names of an Xcode project's targets."""
    for block in _NATIVE.findall(project):
        yield from (_NO_WORD.sub("_", name) for name in _NATIVE_NAME.findall(block))
    yield from (_NO_WORD.sub("_", name) for name in _MODULE_NAME.findall(project))

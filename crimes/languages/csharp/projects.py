"""What project files say: which packages are needed, and which namespaces every file of a project sees."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from msgspec import Struct

from crimes.model.lazy_regex import regex

# Project files are XML that may be anything; the few elements we need are read by pattern, so that nothing in them is expanded.
_PACKAGE = regex(r"""<(?:PackageReference|PackageVersion|Reference)\s[^>]*?\bInclude\s*=\s*["']([\w.-]+)""")
_USING = regex(r"""<Using\s[^>]*?\bInclude\s*=\s*["']([\w.]+)""")
_COMMENT = regex(r"<!--.*?-->", re.DOTALL)
_LARGEST = 1_000_000


class Projects(Struct, frozen=True):
    """Project folders, what they see without saying so, and the packages of all of them in lower case."""

    folders: frozenset[str]
    usings: dict[str, tuple[str, ...]]  # by project folder
    packages: frozenset[str]

    def of(self, path: str) -> str:
        """The folder of the project a file belongs to; the root where none is found."""
        folder = posixpath.dirname(path)
        while folder and folder not in self.folders:
            folder = posixpath.dirname(folder)
        return folder


def projects(paths: frozenset[str], read: Callable[[str], bytes]) -> Projects:
    """Every project file of the tree. What Directory.Build.props states holds for the folders below it."""
    folders: set[str] = set()
    usings: dict[str, tuple[str, ...]] = {}
    packages: set[str] = set()
    for path in sorted(paths):
        if not path.endswith((".csproj", ".props", ".targets")):
            continue
        try:
            text = _COMMENT.sub("", read(path)[:_LARGEST].decode("utf-8", "replace"))
        except OSError:
            continue
        folder = posixpath.dirname(path)
        if path.endswith(".csproj"):
            folders.add(folder)
        packages.update(name.lower() for name in _PACKAGE.findall(text))
        found = tuple(_USING.findall(text))
        if found:
            usings[folder] = (*usings.get(folder, ()), *found)
    return Projects(frozenset(folders), usings, frozenset(packages))

"""What project files declare: required packages, and namespaces that every file of a project sees."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from msgspec import Struct

from crimes.languages.linking.tree_paths import nearest_folder
from crimes.model.lazy_regex import regex

# Project files are untrusted XML: the few elements needed are read by pattern, so that no entity is expanded.
_PACKAGE = regex(
    r"""<(?:PackageReference|PackageVersion|Reference)\s[^<>]*?\bInclude\s*+=\s*+["']([\w.-]+)"""
)
_USING = regex(r"""<Using\s[^<>]*?\bInclude\s*+=\s*+["']([\w.]+)""")
_COMMENT = regex(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MAX_PROJECT_BYTES = 1_000_000


class Projects(Struct, frozen=True):
    """Project folders, their implicit usings, and the packages of all projects in lower case."""

    folders: frozenset[str]
    usings: dict[str, tuple[str, ...]]  # by project folder
    packages: frozenset[str]

    def folder_of(self, path: str) -> str:
        """The folder of the project a file belongs to; the root if there is none."""
        return nearest_folder(path, self.folders) or ""


def load_projects(paths: frozenset[str], read: Callable[[str], bytes]) -> Projects:
    """All project files of the tree. A Directory.Build.props applies to the folders below it."""
    folders: set[str] = set()
    usings: dict[str, tuple[str, ...]] = {}
    packages: set[str] = set()
    for path in sorted(paths):
        if not path.endswith((".csproj", ".props", ".targets")):
            continue
        try:
            text = _COMMENT.sub("", read(path)[:_MAX_PROJECT_BYTES].decode("utf-8", "replace"))
        except OSError:
            continue
        folder = posixpath.dirname(path)
        if path.endswith(".csproj"):
            folders.add(folder)
        packages.update(name.lower() for name in _PACKAGE.findall(text))
        if names := _USING.findall(text):
            usings[folder] = (*usings.get(folder, ()), *names)
    return Projects(frozenset(folders), usings, frozenset(packages))

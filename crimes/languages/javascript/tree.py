"""Which file of the tree a path without extension, a folder, or a build output stands for."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from crimes.languages.javascript.jsonc import read_object

# Code that runs comes before declarations of it: an edit there is what breaks the importer.
EXTENSIONS = (
    *(".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"),
    *(".d.ts", ".d.mts", ".d.cts", ".vue", ".svelte", ".astro", ".json"),
)
# TypeScript code names the file that will be emitted.
WRITTEN_FOR = {
    ".js": (".ts", ".tsx", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
MAIN_FIELDS = ("source", "module", "main", "types", "typings")


def join(folder: str, path: str) -> str | None:
    """The root-relative path, "" for the root itself; None when it leaves the tree."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined.startswith(("../", "/")) or joined == "..":
        return None
    return "" if joined == "." else joined


@dataclass(frozen=True)
class Tree:
    """The files of the repository, by name only; settings files are read through it."""

    paths: frozenset[str]
    read: Callable[[str], bytes]
    _settings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def settings(self, path: str) -> dict[str, Any]:
        """A JSON file of the tree; empty when it is absent, broken, or gone since the tree was listed."""
        if path not in self.paths:
            return {}
        if path not in self._settings:
            try:
                self._settings[path] = read_object(self.read(path))
            except OSError:
                self._settings[path] = {}
        return self._settings[path]

    def find(self, base: str | None) -> str | None:
        """A file by its name, by the name TypeScript writes for it, without its extension, or as a folder."""
        return None if base is None else self.file(base) or self.folder(base)

    def file(self, base: str) -> str | None:
        if base in self.paths:
            return base
        stem, extension = posixpath.splitext(base)
        swapped = (stem + other for other in WRITTEN_FOR.get(extension, ()))
        added = (base + other for other in EXTENSIONS)
        return next((path for path in (*swapped, *added) if path in self.paths), None)

    def module(self, base: str) -> str | None:
        """A file, or the index of a folder whatever its package.json says."""
        return self.file(base) or self.file(posixpath.join(base, "index"))

    def folder(self, base: str) -> str | None:
        """What a folder stands for: the entry its package.json names, else its index."""
        return self.main(base, self.settings(posixpath.join(base, "package.json")))

    def main(self, base: str, manifest: dict[str, Any]) -> str | None:
        """The entry of a package by its main fields: as named, else the source it is built from."""
        named = [join(base, manifest[field]) for field in MAIN_FIELDS if isinstance(manifest.get(field), str)]
        inside = [path for path in named if path]
        found = next(filter(None, map(self.module, inside)), None)
        found = found or next(filter(None, (self.source_of(base, path) for path in inside)), None)
        entries = ("index", "src/index") if manifest else ("index",)
        return found or next(
            filter(None, (self.file(posixpath.join(base, entry)) for entry in entries)), None
        )

    def source_of(self, base: str, target: str, keep: int = 0) -> str | None:
        """The source of a build output that is not in the tree: dist/esm/x.js comes from src/x.ts, or x.ts.

        At least `keep` of the last names must be the same: @org/lib/a/types is not built from src/types.ts.
        """
        ending = next((e for e in sorted(EXTENSIONS, key=len, reverse=True) if target.endswith(e)), "")
        parts = posixpath.relpath(target.removesuffix(ending), base or ".").split("/")
        if parts[-1] == "index":
            parts.pop()
        for start in range(len(parts) - keep + 1):
            rest = parts[start:]
            found = self.module(posixpath.join(base, "src", *rest))
            if not found and start and rest:
                found = self.module(posixpath.join(base, *rest))
            if found:
                return found
        return None

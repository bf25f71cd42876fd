"""Finds the file of the tree that a path without extension, a folder, or a build output means."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from crimes.languages.javascript.jsonc import read_object
from crimes.languages.linking.tree_paths import join_inside

# Code comes before its declarations: an edit there is what breaks the importer.
EXTENSIONS = (
    *(".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"),
    *(".d.ts", ".d.mts", ".d.cts", ".vue", ".svelte", ".astro", ".json"),
)
# TypeScript imports name the emitted file: extensions of its source, by that of the output.
SOURCE_EXTENSIONS = {
    ".js": (".ts", ".tsx", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_EXTENSIONS_BY_LENGTH = sorted(EXTENSIONS, key=len, reverse=True)
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
MAIN_FIELDS = ("source", "module", "main", "types", "typings")


class Tree(Struct, frozen=True):
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
        for other in SOURCE_EXTENSIONS.get(extension, ()):
            if stem + other in self.paths:
                return stem + other
        for other in EXTENSIONS:
            if base + other in self.paths:
                return base + other
        return None

    def module(self, base: str) -> str | None:
        """A file, or the index of a folder whatever its package.json says."""
        return self.file(base) or self.file(posixpath.join(base, "index"))

    def folder(self, base: str) -> str | None:
        """The file that a folder means: the entry its package.json names, else its index."""
        return self.main(base, self.settings(posixpath.join(base, "package.json")))

    def main(self, base: str, manifest: dict[str, Any], types: bool = False) -> str | None:
        """The entry of a package by its main fields, else its index."""
        targets = [manifest[field] for field in MAIN_FIELDS if isinstance(manifest.get(field), str)]
        entries = ("index", "src/index") if manifest else ("index",)
        indexes = (self.file(posixpath.join(base, entry)) for entry in entries)
        return self.entry(base, targets, types=types) or next(filter(None, indexes), None)

    def entry(self, base: str, targets: list[str], keep: int = 0, types: bool = False) -> str | None:
        """The file that a package means by its targets: code, else the source of a build output, else declarations.

        With `types`, declarations come first.
        """
        inside = [path for path in (join_inside(base, target) for target in targets) if path]
        files = [path for path in map(self.module, inside) if path]
        fitting = (path for path in files if path.endswith(DECLARATIONS) is types)
        if first := next(fitting, None):
            return first
        if types and files:
            return files[0]
        sources = (self.source_of(base, path, keep) for path in inside)
        return next(filter(None, sources), None) or next(iter(files), None)

    def source_of(self, base: str, target: str, keep: int = 0) -> str | None:
        """The source of a build output that is not in the tree: dist/esm/x.js comes from src/x.ts, or x.ts.

        At least the last `keep` names must be the same: @org/lib/a/types is not built from src/types.ts.
        """
        ending = next((extension for extension in _EXTENSIONS_BY_LENGTH if target.endswith(extension)), "")
        parts = target.removesuffix(ending).removeprefix(base).lstrip("/").split("/")
        if keep and parts[-1] == "index":
            parts.pop()
        for start in range(len(parts) - max(keep, 1) + 1):
            rest = parts[start:]
            file = self.module(posixpath.join(base, "src", *rest))
            if not file and start:
                file = self.module(posixpath.join(base, *rest))
            if file:
                return file
        return None

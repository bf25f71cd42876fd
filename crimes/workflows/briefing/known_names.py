"""Where the names of a file are known outside of it: which can be used elsewhere, and who passes them on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from posixpath import basename, dirname, join
from typing import NamedTuple

from crimes.analyses.import_graph import ImportGraph
from crimes.model.facts import EdgeKind, Role
from crimes.model.repository import File, Repo
from crimes.workflows.briefing.command import stem

_PACKAGE_FILES = frozenset({"__init__.py"})
# What the main file of a package is called, and the manifest in its folder, or beside its folder of sources.
_MANIFESTS = {"index": "package.json", "lib": "Cargo.toml"}
_SOURCE_FOLDERS = frozenset({"src", "lib"})
_TESTED_ROLES = (Role.SOURCE, Role.SCRIPT)


class Known(NamedTuple):
    """A name of a file, as the other files know it."""

    exported_by: str = ""  # a file that passes it on, the one nearest to the root
    public_api: bool = False  # that file, or its own where none does, is the main one of a package
    defined_once: bool = False  # no other file of code defines the name


class KnownNames:
    """Answers for the files of one scan."""

    def __init__(self, repo: Repo, graph: ImportGraph | None) -> None:
        self._repo, self._graph = repo, graph

    def of(self, path: str) -> dict[str, Known]:
        """By name that the file defines at its top and others can use."""
        file = self._repo.files.get(path)
        if file is None or file.role not in _TESTED_ROLES:
            return {}
        known = {}
        exporters = self._exporters(path)
        private = private_names(file)
        outside = {export.local: export.name for export in file.facts.exports}
        for name in file.facts.definitions:
            if name in private:
                continue
            passed = {*exporters.get(outside.get(name, name), ()), *exporters.get("*", ())} - {path}
            exporter = _nearest(passed)
            known[name] = Known(exporter, self._is_entry(exporter or path), self._definers.get(name) == path)
        return known

    def _is_entry(self, path: str) -> bool:
        """Whether a file is what others load when they name its package."""
        folder, paths = dirname(path), self._repo.paths
        if basename(path) in _PACKAGE_FILES:
            return join(dirname(folder), basename(path)) not in paths
        manifest = _MANIFESTS.get(stem(path))
        above = {folder, dirname(folder)} if basename(folder) in _SOURCE_FOLDERS else {folder}
        return manifest is not None and any(join(place, manifest) in paths for place in above)

    def _exporters(self, path: str) -> dict[str, set[str]]:
        """By name, or `*` for all of them: the files that pass it on."""
        exporters: dict[str, set[str]] = {}
        for edge in self._graph.importers.get(path, ()) if self._graph else ():
            passes_on = edge.kind is EdgeKind.REEXPORT or basename(edge.source) in _PACKAGE_FILES
            exporter = edge.via or (edge.source if passes_on else "")
            for name in edge.names if exporter else ():
                exporters.setdefault(name, set()).add(exporter)
        return exporters

    @cached_property
    def _definers(self) -> Mapping[str, str]:
        """By name: the one file of code that defines it at its top; empty where there are several."""
        definers: dict[str, str] = {}
        for path, file in self._repo.files.items():
            if file.role in _TESTED_ROLES:
                for name in file.facts.definitions:
                    definers[name] = "" if name in definers else path
        return definers


def private_names(file: File) -> frozenset[str]:
    """Names at the top of a file that it keeps to itself, where it says what it exports."""
    exported = {export.local for export in file.facts.exports}
    hidden = {name for name in file.facts.definitions if name.startswith("_")}
    return frozenset({*file.facts.definitions} - exported if exported else hidden)


def _nearest(paths: Iterable[str]) -> str:
    """The path nearest to the root; empty without any."""
    return min(paths, key=lambda path: (path.count("/"), len(path), path), default="")

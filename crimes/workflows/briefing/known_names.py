"""Where the names of a file are known outside of it: a file that passes them on, a document that mentions them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from posixpath import basename
from typing import NamedTuple

from crimes.analyses.import_graph import ImportGraph
from crimes.model.facts import EdgeKind, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo

_NAME = regex(r"[A-Za-z_$][\w$]{3,}")  # shorter ones mean too many things
_PACKAGE_FILES = frozenset({"__init__.py"})
_LOGS_OF_CHANGES = regex(r"(?i)change|history|news|release")
_TESTED_ROLES = (Role.SOURCE, Role.SCRIPT)


class Known(NamedTuple):
    """A file that passes a name on, and a document that mentions it; empty for none."""

    exported_by: str = ""
    documented_in: str = ""


class KnownNames:
    """Answers for the files of one scan."""

    def __init__(self, repo: Repo, graph: ImportGraph | None) -> None:
        self._repo, self._graph = repo, graph

    def of(self, path: str) -> dict[str, Known]:
        """By name that the file defines at its top, for those known elsewhere."""
        file = self._repo.files.get(path)
        if file is None or file.role not in _TESTED_ROLES:
            return {}
        known = {}
        exporters = self._exporters(path)
        for name in file.facts.definitions:
            document = self._documents.get(name, "") if self._definers.get(name) == path else ""
            exporter = (
                _nearest({*exporters.get(name, ()), *exporters.get("*", ())} - {path}) if exporters else ""
            )
            if exporter or document:
                known[name] = Known(exporter, document)
        return known

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

    @cached_property
    def _documents(self) -> Mapping[str, str]:
        """By name: the document nearest to the root that has it in code quotes; a list of changes is none."""
        documents: dict[str, set[str]] = {}
        for path, file in self._repo.files.items():
            if file.facts.mentions and not _LOGS_OF_CHANGES.search(basename(path)):
                for mention in file.facts.mentions:
                    if mention.kind == "code":
                        for name in _NAME.findall(mention.text):
                            documents.setdefault(name, set()).add(path)
        return {name: _nearest(paths) for name, paths in documents.items() if name in self._definers}


def _nearest(paths: Iterable[str]) -> str:
    """The path nearest to the root; empty without any."""
    return min(paths, key=lambda path: (path.count("/"), len(path), path), default="")

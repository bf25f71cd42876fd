"""Linked repositories made by hand, for tests of what comes after linking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.model.facts import EdgeKind, FileFacts, ParseError, Role
from crimes.model.repository import Edge, ExternalImport, File, Repo


def edge(source: str, target: str, kind: EdgeKind = EdgeKind.RUNTIME, via: str = "") -> Edge:
    return Edge(source, target, kind, 1, (), via)


def outside(source: str, target: str, *, external: bool) -> ExternalImport:
    return ExternalImport(source, target, 1, EdgeKind.RUNTIME, external, target, guarded=False)


def file(path: str, role: Role = Role.SOURCE, language: str = "python", errors: tuple[int, ...] = ()) -> File:
    facts = FileFacts(language, 10, 10, "", errors=tuple(ParseError(line, line) for line in errors))
    return File(path, role, facts)


def context(
    files: Iterable[File],
    edges: Iterable[Edge] = (),
    outside: Iterable[ExternalImport] = (),
    contents: Mapping[str, bytes] | None = None,
    root: Path = Path("/nonexistent"),
) -> Context:
    by_path = {file.path: file for file in sorted(files, key=lambda file: file.path)}
    contents = contents or {}
    repo = Repo(
        root=root,
        files=by_path,
        paths=frozenset({*by_path, *contents}),
        edges=tuple(edges),
        external=tuple(outside),
        read=contents.__getitem__,
    )
    return Context(repo, Config())

"""Imports to edges: each leads to a file, outside, or nowhere. Language knowledge ends here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from crimes.config.loader import Config
from crimes.incremental.query import MemoStore
from crimes.languages import by_id
from crimes.languages.linking.link_cache import all_leads
from crimes.languages.linking.linker import Linker
from crimes.languages.spec import Language
from crimes.model.facts import FileFacts, Role
from crimes.model.repository import File, Repo, SourceFile


def link(
    root: Path,
    sources: Iterable[SourceFile],
    facts: Mapping[str, FileFacts],
    paths: frozenset[str],
    config: Config,
    read: Callable[[str], bytes],
    languages: Mapping[str, Language] = by_id,
    memory: MemoStore | None = None,
) -> Repo:
    """The repository with its imports resolved. A source without facts could not be read and is left out."""
    known = sorted((source for source in sources if source.path in facts), key=lambda source: source.path)
    files = {one.path: _file(one, facts[one.path], languages[one.language]) for one in known}
    leads = all_leads(Linker(files, paths, config.roots, read, languages), memory)
    return Repo(
        root=root,
        files=files,
        paths=paths,
        edges=tuple(edge for one in leads for edge in one.edges),
        external=tuple(item for one in leads for item in one.outside),
        read=read,
    )


def _file(source: SourceFile, facts: FileFacts, language: Language) -> File:
    declares = source.path.endswith(language.declarations)
    return File(source.path, _role(source, facts), facts, declares, language.inner is not None, language.ways)


def _role(source: SourceFile, facts: FileFacts) -> Role:
    """The path's role, unless the content says that a machine wrote it."""
    if facts.generated and source.role in (Role.SOURCE, Role.TEST):
        return Role.GENERATED
    return source.role

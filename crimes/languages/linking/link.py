"""Imports to edges: each leads to a file, to something external, or nowhere. Language knowledge ends here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from crimes.config.schema import Config
from crimes.discovery.forks import forked_folders, is_below
from crimes.discovery.roles import role_of_marker
from crimes.incremental.query import MemoStore
from crimes.languages import by_id
from crimes.languages.linking.link_cache import link_all
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
    """The repository with its imports resolved, without the sources that have no facts (could not be read)."""
    files = files_with_facts(sources, facts, languages, forked_folders(paths, read))
    linker = Linker(files, paths, config.roots, read, languages)
    links = link_all(linker, memory)
    return Repo(
        root=root,
        files=files,
        paths=paths,
        edges=tuple(edge for own in links for edge in own.edges),
        external=tuple(item for own in links for item in own.external),
        read=read,
        unlinked=tuple(sorted(linker.unlinked)),
    )


def files_with_facts(
    sources: Iterable[SourceFile],
    facts: Mapping[str, FileFacts],
    languages: Mapping[str, Language] = by_id,
    forked: frozenset[str] = frozenset(),
) -> dict[str, File]:
    """The files by path, sorted, without the sources that have no facts. `forked` are folders of other people's code."""
    known = sorted((source for source in sources if source.path in facts), key=lambda source: source.path)
    return {
        source.path: _file(
            source,
            facts[source.path],
            languages[source.language],
            is_forked=not source.own and is_below(source.path, forked),
        )
        for source in known
    }


def _file(source: SourceFile, facts: FileFacts, language: Language, *, is_forked: bool) -> File:
    declares = source.path.endswith(language.declarations)
    role = _role(source, facts, is_forked=is_forked)
    return File(source.path, role, facts, declares, language.inner is not None, language.traits)


def _role(source: SourceFile, facts: FileFacts, *, is_forked: bool) -> Role:
    """The path's role, unless its folder is a fork, or the content says that it is generated or copied."""
    if source.role not in (Role.SOURCE, Role.TEST):
        return source.role
    if is_forked and source.role is Role.SOURCE:  # its tests may well test what was changed around it
        return Role.VENDORED
    return role_of_marker(facts.generated) if facts.generated else source.role

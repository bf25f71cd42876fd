"""Imports to edges: each leads to a file, outside, or nowhere. Language knowledge ends here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from crimes.config import Config
from crimes.context import Repo
from crimes.languages import by_id
from crimes.languages.reexports import Linked, Reexports
from crimes.languages.spec import Language, ResolveInput, Resolver
from crimes.languages.words import last_segment
from crimes.model import Edge, EdgeKind, File, FileFacts, Import, Outside, Role, SourceFile

# A logger's name looks like a module's, and loads nothing.
NAMES_LOGGERS = frozenset({"getLogger", "get_logger", "assertLogs", "assertNoLogs", "at_level", "set_level"})


def link(
    root: Path,
    sources: Iterable[SourceFile],
    facts: Mapping[str, FileFacts],
    paths: frozenset[str],
    config: Config,
    read: Callable[[str], bytes],
    languages: Mapping[str, Language] = by_id,
) -> Repo:
    """The repository with its imports resolved. A source without facts could not be read and is left out."""
    known = sorted((source for source in sources if source.path in facts), key=lambda source: source.path)
    files = {one.path: _file(one, facts[one.path], languages[one.language]) for one in known}
    resolvers = _resolvers(files, paths, config, read, languages)
    linked = {
        path: [_linked(path, item, languages[file.language], resolvers[path]) for item in file.facts.imports]
        for path, file in files.items()
        if path in resolvers
    }
    stating = {id_ for id_, one in languages.items() if one.syntax and not one.syntax.exports_all_public}
    edges = _merged(chain(_import_edges(linked, Reexports(facts, linked, stating)), _use_edges(resolvers)))
    edges += _text_edges(files, resolvers, {(edge.source, edge.target) for edge in edges})
    return Repo(
        root=root,
        files=files,
        paths=paths,
        edges=tuple(sorted(edges, key=lambda edge: (edge.source, edge.target, edge.kind, edge.via))),
        outside=tuple(_outside(linked)),
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


def _resolvers(
    files: Mapping[str, File],
    paths: frozenset[str],
    config: Config,
    read: Callable[[str], bytes],
    languages: Mapping[str, Language],
) -> dict[str, Resolver]:
    """The resolver of each file; languages of one family share theirs."""
    families: dict[str, dict[str, FileFacts]] = {}
    makers: dict[str, Callable[[ResolveInput], Resolver]] = {}
    for path, file in files.items():
        language = languages[file.language]
        if language.resolver is not None:
            families.setdefault(language.family, {})[path] = file.facts
            makers.setdefault(language.family, language.resolver)
    made = {
        family: makers[family](ResolveInput(paths, family_facts, config.roots, read))
        for family, family_facts in families.items()
    }
    return {path: made[family] for family, family_facts in families.items() for path in family_facts}


def _linked(path: str, item: Import, language: Language, resolver: Resolver) -> Linked:
    kind = item.kind
    if kind == EdgeKind.RUNTIME and item.names and language.is_barrel(path):
        kind = EdgeKind.REEXPORT
    found = resolver.resolve(path, item)
    if kind == EdgeKind.REEXPORT and language.syntax and language.syntax.import_kind is EdgeKind.LINKED:
        return Linked(item, EdgeKind.LINKED, found, through=path)
    return Linked(item, kind, found)


def _import_edges(linked: Mapping[str, Sequence[Linked]], reexports: Reexports) -> Iterator[Edge]:
    for path, imports in linked.items():
        for one in imports:
            for target in one.resolution.targets:
                yield Edge(path, target.path, one.kind, one.item.line, target.names, one.through)
                for name in target.names:
                    for origin in reexports.behind(target.path, name):
                        kind = EdgeKind.TYPE_ONLY if origin.type_only else one.kind
                        if origin.path != target.path:
                            yield Edge(path, origin.path, kind, one.item.line, (name,), target.path)


def _use_edges(resolvers: Mapping[str, Resolver]) -> Iterator[Edge]:
    """Files that see each other without an import; nothing but the compiler puts them in order."""
    for path, resolver in resolvers.items():
        for use in resolver.uses(path):
            yield Edge(path, use.path, EdgeKind.LINKED, use.line, use.names)


def _merged(edges: Iterable[Edge]) -> list[Edge]:
    """One edge per source, target, kind and via: the first line, all names. A file does not import itself."""
    found: dict[tuple[str, str, EdgeKind, str], tuple[int, set[str]]] = {}
    for edge in edges:
        if edge.source != edge.target:
            key = (edge.source, edge.target, edge.kind, edge.via)
            line, names = found.get(key, (edge.line, set()))
            names.update(edge.names)
            found[key] = (min(line, edge.line), names)
    return [
        Edge(source, target, kind, line, tuple(sorted(names)), via)
        for (source, target, kind, via), (line, names) in found.items()
    ]


def _text_edges(
    files: Mapping[str, File], resolvers: Mapping[str, Resolver], linked_pairs: set[tuple[str, str]]
) -> list[Edge]:
    """Files that strings name for loading, where no import leads there already."""
    return _merged(
        Edge(path, target, EdgeKind.DYNAMIC, text.line, ())
        for path, resolver in resolvers.items()
        for text in files[path].facts.texts
        if last_segment(text.call) not in NAMES_LOGGERS
        for target in resolver.text_targets(path, text.value)
        if (path, target) not in linked_pairs
    )


def _outside(linked: Mapping[str, Sequence[Linked]]) -> Iterator[Outside]:
    """Imports that lead to no file, by source and line."""
    for path, imports in linked.items():
        for one in sorted(imports, key=lambda one: (one.item.line, one.item.target)):
            found, item = one.resolution, one.item
            if not found.targets and not found.known:
                yield Outside(
                    path,
                    item.target,
                    item.line,
                    one.kind,
                    found.external,
                    found.package,
                    item.guarded,
                    found.undeclared,
                )

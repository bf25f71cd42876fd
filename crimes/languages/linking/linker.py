"""Where the imports of one file lead. What files share is built once, on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from crimes.languages.engine.words import last_segment
from crimes.languages.linking.reexports import Linked, Reexports
from crimes.languages.spec import ImplicitUse, Language, Resolution, ResolveInput, Resolver, ResolverFactory
from crimes.model.facts import EdgeKind, FileFacts, Import
from crimes.model.repository import Edge, ExternalImport, File
from crimes.system.allowance import Exceeded, allowance

# A logger's name looks like a module's but loads nothing.
NAMES_LOGGERS = frozenset({"getLogger", "get_logger", "assertLogs", "assertNoLogs", "at_level", "set_level"})


# Of processor time; hundreds of times what real files and manifests take.
MAX_LINK_SECONDS = 10.0
MAX_RESOLVER_SECONDS = 30.0
MAX_RESOLVER_SECONDS_PER_FILE = 0.01


class FileLinks(Struct, frozen=True, array_like=True, gc=False):
    """Where one file's imports lead: to files, by target; and to no file, by line."""

    edges: tuple[Edge, ...]
    external: tuple[ExternalImport, ...]
    consulted: tuple[str, ...] = ()  # files whose names decided where imports lead, sorted


class _NoResolver(Resolver):
    """In place of a resolver that took too long to build: its imports lead nowhere, and no package is missed."""

    def resolve(self, path: str, item: Import) -> Resolution:
        return Resolution(known=True)


class Linker:
    """Links the files of a tree one by one."""

    def __init__(
        self,
        files: Mapping[str, File],
        paths: frozenset[str],
        roots: tuple[str, ...],
        read: Callable[[str], bytes],
        languages: Mapping[str, Language],
        unlinked: set[str] | None = None,
    ) -> None:
        self.files = files
        self.unlinked: set[str] = set() if unlinked is None else unlinked  # those that took too long
        self.paths = paths
        self.roots = roots
        self.read = read
        self.languages = languages
        self.facts = {path: file.facts for path, file in files.items()}
        self._families: dict[str, dict[str, FileFacts]] = {}
        for path, facts in self.facts.items():
            if languages[facts.language].resolver is not None:
                self._families.setdefault(languages[facts.language].family, {})[path] = facts
        self._resolvers: dict[str, Resolver] = {}
        self._linked: dict[str, list[Linked]] = {}
        self._consulting: set[str] = set()  # filled by the resolvers
        self._consulted: dict[str, frozenset[str]] = {}
        stating = {
            name
            for name, language in languages.items()
            if language.syntax and not language.syntax.imports.exports_all_public
        }
        self.reexports = Reexports(self.facts, self.linked, stating)

    def with_read(self, read: Callable[[str], bytes]) -> Linker:
        """A fresh linker of the same files that reads through `read`."""
        return Linker(self.files, self.paths, self.roots, read, self.languages, self.unlinked)

    def linkable_paths(self) -> Iterator[str]:
        """The files that can import others, in order."""
        return (path for path, facts in self.facts.items() if self.languages[facts.language].resolver)

    def linked(self, path: str) -> Sequence[Linked]:
        """The imports of a file; none of one that is not read, or cannot import."""
        if path not in self._linked:
            resolver = self._resolver(path)
            if resolver is None:
                return ()
            language = self.languages[self.facts[path].language]
            self._consulting.clear()
            self._linked[path] = [
                _link_import(path, item, language, resolver) for item in self.facts[path].imports
            ]
            self._consulted[path] = frozenset(self._consulting)
        return self._linked[path]

    def links_of(self, path: str) -> FileLinks:
        """Where the imports of a file lead; it can import others. Nowhere, if following them takes too long."""
        try:
            resolver = self._resolver(path)
            assert resolver is not None, path
            with allowance(MAX_LINK_SECONDS):
                return self._links_of(path, resolver)
        except Exceeded:
            self.unlinked.add(path)
            self._linked[path] = []
            self._consulted[path] = frozenset()
            return FileLinks((), ())

    def _links_of(self, path: str, resolver: Resolver) -> FileLinks:
        linked = self.linked(path)
        edges = _merge(chain(self._import_edges(path, linked), _use_edges(path, resolver)))
        self._consulting.clear()
        edges += self._text_edges(path, resolver, {edge.target for edge in edges})
        edges.sort(key=lambda edge: (edge.target, edge.kind, edge.via))
        consulted = sorted(self._consulted[path] | self._consulting)
        return FileLinks(tuple(edges), tuple(_external_imports(path, linked)), tuple(consulted))

    def resolution(self, path: str, item: Import) -> Resolution | None:
        """Where an import would lead if a file had it; None of a file that is not read, or cannot import."""
        resolver = self._resolver(path)
        return resolver.resolve(path, item) if resolver else None

    def uses(self, path: str) -> tuple[ImplicitUse, ...]:
        """The files that a file uses without importing them; none of a file that is not read."""
        resolver = self._resolver(path)
        return tuple(resolver.uses(path)) if resolver else ()

    def modules(self, path: str) -> tuple[tuple[str, ...], ...]:
        """Where a file stands in trees of modules; none of a file that is not read."""
        resolver = self._resolver(path)
        return resolver.modules(path) if resolver else ()

    def conclusions(self) -> list[object]:
        """What the resolvers derive from all files at once, family by family."""
        conclusions = []
        for facts in self._families.values():
            first = next(iter(facts))
            factory, resolver = self.languages[facts[first].language].resolver, self._resolver(first)
            if isinstance(factory, ResolverFactory) and not isinstance(resolver, _NoResolver | None):
                conclusions.append(factory.conclusions(resolver))
        return conclusions

    def _resolver(self, path: str) -> Resolver | None:
        """The resolver of a file's language family; None if its language has none."""
        language = self.languages[self.facts[path].language] if path in self.facts else None
        if language is None or language.resolver is None:
            return None
        if language.family not in self._resolvers:
            facts = self._families[language.family]
            # All languages of a family name the same resolver: take that of the first file.
            build = self.languages[next(iter(facts.values())).language].resolver
            assert build is not None, language.family
            inputs = ResolveInput(self.paths, facts, self.roots, self.read, self._consulting.add)
            try:
                with allowance(MAX_RESOLVER_SECONDS + MAX_RESOLVER_SECONDS_PER_FILE * len(facts)):
                    self._resolvers[language.family] = build(inputs)
            except Exceeded:
                self.unlinked.update(facts)
                self._resolvers[language.family] = _NoResolver()
        return self._resolvers[language.family]

    def _import_edges(self, path: str, linked: Sequence[Linked]) -> Iterator[Edge]:
        for link in linked:
            line = link.item.line
            for target in link.resolution.targets:
                yield Edge(path, target.path, link.kind, line, target.names, link.through)
                for name in target.names:
                    for origin in self.reexports.origins(target.path, name):
                        kind = EdgeKind.TYPE_ONLY if origin.type_only else link.kind
                        if origin.path != target.path:
                            yield Edge(path, origin.path, kind, line, (name,), target.path)

    def _text_edges(self, path: str, resolver: Resolver, imported: set[str]) -> list[Edge]:
        """Files that strings name for loading, where no import leads there already."""
        return _merge(
            Edge(path, target, EdgeKind.DYNAMIC, text.line, ())
            for text in self.facts[path].texts
            if last_segment(text.call) not in NAMES_LOGGERS
            for target in resolver.text_targets(path, text.value)
            if target not in imported
        )


def _link_import(path: str, item: Import, language: Language, resolver: Resolver) -> Linked:
    kind = item.kind
    if kind == EdgeKind.RUNTIME and item.names and language.is_barrel(path):
        kind = EdgeKind.REEXPORT
    resolution = resolver.resolve(path, item)
    if kind == EdgeKind.REEXPORT and language.syntax and language.syntax.imports.kind is EdgeKind.LINKED:
        return Linked(item, EdgeKind.LINKED, resolution, through=path)
    return Linked(item, kind, resolution)


def _use_edges(path: str, resolver: Resolver) -> Iterator[Edge]:
    """Edges to files that this one uses without an import."""
    for use in resolver.uses(path):
        yield Edge(path, use.path, EdgeKind.LINKED, use.line, use.names)


def _merge(edges: Iterable[Edge]) -> list[Edge]:
    """One edge of a file per target, kind and via: the first line, all names. A file does not import itself."""
    merged: dict[tuple[str, str, EdgeKind, str], tuple[int, set[str]]] = {}
    for edge in edges:
        if edge.source != edge.target:
            key = (edge.source, edge.target, edge.kind, edge.via)
            line, names = merged.get(key, (edge.line, set()))
            names.update(edge.names)
            merged[key] = (min(line, edge.line), names)
    return [
        Edge(source, target, kind, line, tuple(sorted(names)), via)
        for (source, target, kind, via), (line, names) in merged.items()
    ]


def _external_imports(path: str, linked: Sequence[Linked]) -> Iterator[ExternalImport]:
    """Imports that lead to no file, by line."""
    for link in sorted(linked, key=lambda link: (link.item.line, link.item.target)):
        resolution, item = link.resolution, link.item
        if not resolution.targets and not resolution.known:
            yield ExternalImport(
                path,
                item.target,
                item.line,
                link.kind,
                resolution.external,
                resolution.package,
                item.guarded,
                resolution.undeclared,
            )

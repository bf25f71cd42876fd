"""Where the imports of one file lead. What many files share is made once, and when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from crimes.languages.engine.words import last_segment
from crimes.languages.linking.reexports import Linked, Reexports
from crimes.languages.spec import Language, ResolveInput, Resolver, Resolving
from crimes.model.facts import EdgeKind, FileFacts, Import
from crimes.model.repository import Edge, ExternalImport, File

# A logger's name looks like a module's, and loads nothing.
NAMES_LOGGERS = frozenset({"getLogger", "get_logger", "assertLogs", "assertNoLogs", "at_level", "set_level"})


class FileLinks(Struct, frozen=True, array_like=True, gc=False):
    """Where one file's imports lead: to files, by target; and elsewhere, by line."""

    edges: tuple[Edge, ...]
    outside: tuple[ExternalImport, ...]
    consulted: tuple[str, ...] = ()  # files whose names decided it, sorted


class Linker:
    """Links the files of a tree one by one."""

    def __init__(
        self,
        files: Mapping[str, File],
        paths: frozenset[str],
        roots: tuple[str, ...],
        read: Callable[[str], bytes],
        languages: Mapping[str, Language],
    ) -> None:
        self.files = files
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
        self._asking: set[str] = set()  # files whose names the resolvers look at
        self._asked: dict[str, frozenset[str]] = {}
        stating = {id_ for id_, one in languages.items() if one.syntax and not one.syntax.exports_all_public}
        self.reexports = Reexports(self.facts, self.linked, stating)

    def reading(self, read: Callable[[str], bytes]) -> Linker:
        """The same that has not begun, with another way to read."""
        return Linker(self.files, self.paths, self.roots, read, self.languages)

    def linked_paths(self) -> Iterator[str]:
        """The files that can import others, in order."""
        return (path for path, facts in self.facts.items() if self.languages[facts.language].resolver)

    def linked(self, path: str) -> Sequence[Linked]:
        """The imports of a file; none of one that is not read, or cannot import."""
        if path not in self._linked:
            resolver = self._resolver(path)
            if resolver is None:
                return ()
            language = self.languages[self.facts[path].language]
            self._asking.clear()
            self._linked[path] = [
                _linked(path, item, language, resolver) for item in self.facts[path].imports
            ]
            self._asked[path] = frozenset(self._asking)
        return self._linked[path]

    def links_of(self, path: str) -> FileLinks:
        """Where the imports of a file lead; it can import others."""
        resolver = self._resolver(path)
        assert resolver is not None, path
        linked = self.linked(path)
        edges = _merged(chain(self._import_edges(path, linked), _use_edges(path, resolver)))
        self._asking.clear()
        edges += self._text_edges(path, resolver, {edge.target for edge in edges})
        edges.sort(key=lambda edge: (edge.target, edge.kind, edge.via))
        asked = sorted(self._asked[path] | self._asking)
        return FileLinks(tuple(edges), tuple(_outside(path, linked)), tuple(asked))

    def together(self) -> list[object]:
        """What is concluded from all files at once, family by family."""
        found = []
        for facts in self._families.values():
            first = next(iter(facts))
            made, resolver = self.languages[facts[first].language].resolver, self._resolver(first)
            if isinstance(made, Resolving) and resolver is not None:
                found.append(made.together(resolver))
        return found

    def _resolver(self, path: str) -> Resolver | None:
        """That of a file's language; languages of one family share theirs."""
        language = self.languages[self.facts[path].language] if path in self.facts else None
        if language is None or language.resolver is None:
            return None
        if language.family not in self._resolvers:
            # The first file of the family says how: they all say the same.
            first = self.languages[next(iter(self._families[language.family].values())).language].resolver
            assert first is not None, language.family
            given = ResolveInput(
                self.paths, self._families[language.family], self.roots, self.read, self._asking.add
            )
            self._resolvers[language.family] = first(given)
        return self._resolvers[language.family]

    def _import_edges(self, path: str, linked: Sequence[Linked]) -> Iterator[Edge]:
        for one in linked:
            for target in one.resolution.targets:
                yield Edge(path, target.path, one.kind, one.item.line, target.names, one.through)
                for name in target.names:
                    for origin in self.reexports.behind(target.path, name):
                        kind = EdgeKind.TYPE_ONLY if origin.type_only else one.kind
                        if origin.path != target.path:
                            yield Edge(path, origin.path, kind, one.item.line, (name,), target.path)

    def _text_edges(self, path: str, resolver: Resolver, imported: set[str]) -> list[Edge]:
        """Files that strings name for loading, where no import leads there already."""
        return _merged(
            Edge(path, target, EdgeKind.DYNAMIC, text.line, ())
            for text in self.facts[path].texts
            if last_segment(text.call) not in NAMES_LOGGERS
            for target in resolver.text_targets(path, text.value)
            if target not in imported
        )


def _linked(path: str, item: Import, language: Language, resolver: Resolver) -> Linked:
    kind = item.kind
    if kind == EdgeKind.RUNTIME and item.names and language.is_barrel(path):
        kind = EdgeKind.REEXPORT
    found = resolver.resolve(path, item)
    if kind == EdgeKind.REEXPORT and language.syntax and language.syntax.import_kind is EdgeKind.LINKED:
        return Linked(item, EdgeKind.LINKED, found, through=path)
    return Linked(item, kind, found)


def _use_edges(path: str, resolver: Resolver) -> Iterator[Edge]:
    """Files that see each other without an import; nothing but the compiler puts them in order."""
    for use in resolver.uses(path):
        yield Edge(path, use.path, EdgeKind.LINKED, use.line, use.names)


def _merged(edges: Iterable[Edge]) -> list[Edge]:
    """One edge of a file per target, kind and via: the first line, all names. A file does not import itself."""
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


def _outside(path: str, linked: Sequence[Linked]) -> Iterator[ExternalImport]:
    """Imports that lead to no file, by line."""
    for one in sorted(linked, key=lambda one: (one.item.line, one.item.target)):
        found, item = one.resolution, one.item
        if not found.targets and not found.known:
            yield ExternalImport(
                path,
                item.target,
                item.line,
                one.kind,
                found.external,
                found.package,
                item.guarded,
                found.undeclared,
            )

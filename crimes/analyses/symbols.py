"""What a name in a file stands for: a definition in the repository, or a name of something outside it.

Nothing is resolved ahead of time: a file's names are read on the first question about it, and callers are gathered in one
pass over the calls, for the definitions in question only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache, cached_property
from itertools import groupby
from operator import attrgetter

from msgspec import Struct, field

from crimes.detection.context import Analysis, Context
from crimes.model.facts import Call, Class, FileFacts, Function, Import, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import Edge, File, Repo

_SEPARATOR = regex(r"::|->|\\")
_RECEIVERS = frozenset({"self", "this", "cls", "$this", "Self", "super()", "super"})


class Symbol(Struct, frozen=True):
    """A definition: the file, and its qualified name there."""

    path: str
    qualname: str


class CallSite(Struct, frozen=True):
    """A call of a definition: the file it stands in, and the call."""

    path: str
    call: Call


class _Names(Struct, frozen=True):
    """Names a file can use: what it defines, and what its imports bind."""

    defined: frozenset[str]
    inside: Mapping[str, tuple[str, str]]  # local name -> file, name there (empty: the file itself)
    outside: Mapping[str, str]  # local name -> dotted name outside


@cache
def last_name(target: str) -> str:
    """The last name of a call's target."""
    name = target.rpartition(".")[2]
    return name if name.isidentifier() else _SEPARATOR.sub(".", name).rpartition(".")[2]


class Symbols(Struct, frozen=True, dict=True):
    """Resolves names as written in a file; answers are remembered for one scan."""

    repo: Repo
    _names: dict[str, _Names] = field(default_factory=dict)
    _definitions: dict[str, dict[str, Function | Class]] = field(default_factory=dict)

    def external_name(self, path: str, target: str) -> str:
        """The dotted name outside the repository that a call's target means: `t.sleep` -> `time.sleep`; else empty."""
        head, rest = _split(target)
        name = self._names_of(path).outside.get(head, "")
        return f"{name}.{rest}" if name and rest else name

    def resolve(self, path: str, target: str, function: int = -1) -> Symbol | None:
        """The definition in the repository that a target means when written in a function of a file."""
        head, rest = _split(target)
        if head in _RECEIVERS:
            return self._method(path, rest, function)
        names = self._names_of(path)
        if head in names.inside:
            source, name = names.inside[head]
            wanted = ".".join(word for word in (name, rest) if word)
            return (
                self.definition(source, wanted)
                or self._reexported(path, source, wanted)
                or self._in_module(source, name, rest)
            )
        if head in names.defined:
            return self.definition(path, f"{head}.{rest}" if rest else head)
        return self._method(path, rest, function) if self._is_receiver(path, head, rest, function) else None

    def definition(self, path: str, qualname: str) -> Symbol | None:
        """A function or class of a file by its qualified name."""
        return Symbol(path, qualname) if qualname in self._defined(path) else None

    def fact_of(self, symbol: Symbol) -> Function | Class | None:
        """The fact behind a symbol."""
        return self._defined(symbol.path).get(symbol.qualname)

    def callers(
        self, wanted: Collection[Symbol], roles: Collection[Role] = frozenset(Role)
    ) -> dict[Symbol, list[CallSite]]:
        """Where files of these roles call each of these definitions by a name that resolves to it, by path and line."""
        wanted = frozenset(wanted)
        sites: dict[Symbol, list[CallSite]] = {}
        for path, names in self.names_for(wanted, roles).items():
            for call in self.repo.files[path].facts.calls:
                # Few pass: an index of all calls would cost ten times as much.
                if last_name(call.target) in names:
                    symbol = self.resolve(path, call.target, call.function)
                    if symbol is not None and symbol in wanted:
                        sites.setdefault(symbol, []).append(CallSite(path, call))
        return sites

    def names_for(self, wanted: Collection[Symbol], roles: Collection[Role]) -> dict[str, set[str]]:
        """By file of these roles: the last names of all calls there that can lead to one of these definitions."""
        names_in: dict[str, set[str]] = {}
        for symbol in wanted:
            names_in.setdefault(symbol.path, set()).add(symbol.qualname.rpartition(".")[2])
        names_of: dict[str, set[str]] = {}
        for path, file in self.repo.files.items() if names_in else ():
            if file.role not in roles:
                continue
            # A name can mean a definition of the file itself, or of a file it imports.
            near = [path, *(edge.target for edge in self._edges.get(path, ()))]
            names = {name for place in near if place in names_in for name in names_in[place]}
            if names:
                aliased = (bound for item in file.facts.imports for bound in item.names if bound.alias)
                names_of[path] = names.union([bound.alias for bound in aliased if bound.name in names])
        return names_of

    def _defined(self, path: str) -> dict[str, Function | Class]:
        """What a file defines, by its qualified name."""
        if path not in self._definitions:
            file = self.repo.files.get(path)
            facts: list[Function | Class] = []
            if file is not None:
                named = (function for function in file.facts.functions if not function.is_anonymous)
                facts = [*file.facts.classes, *named]
            self._definitions[path] = {fact.qualname: fact for fact in facts}
        return self._definitions[path]

    def _names_of(self, path: str) -> _Names:
        if path not in self._names:
            file = self.repo.files.get(path)
            self._names[path] = self._read_names(file) if file is not None else _Names(frozenset(), {}, {})
        return self._names[path]

    def _read_names(self, file: File) -> _Names:
        inside: dict[str, tuple[str, str]] = {}
        outside: dict[str, str] = {}
        edges = self._edges.get(file.path, ())
        plain = [edge for edge in edges if not edge.via]
        external = self._external.get(file.path, set())
        for item in file.facts.imports:
            leaves = (item.line, item.target) in external
            for local, name, dotted in _bindings(item):
                # A name that another import takes from a file of the repository may also be imported from outside.
                edge = _edge_for(plain, item, name) if not leaves else None
                if edge is not None:
                    inside[local] = (edge.target, "" if name in ("*", "default") else name)
                else:
                    outside.setdefault(local, dotted)
        lines = {item.line for item in file.facts.imports}
        for edge in edges:
            if edge.line not in lines:  # not from an import statement
                for name in edge.names:
                    inside.setdefault(name, (edge.target, name))
        return _Names(frozenset(file.facts.definitions), inside, outside)

    def _method(self, path: str, rest: str, function: int) -> Symbol | None:
        """A method of the enclosing class: `self.save` in a method of Order is Order.save, if it has one."""
        functions = self.repo.files[path].facts.functions
        while function >= 0 and functions[function].class_index < 0:
            function = functions[function].parent
        if function < 0 or not rest:
            return None
        owner = self.repo.files[path].facts.classes[functions[function].class_index]
        return self.definition(path, f"{owner.qualname}.{rest}")

    def _is_receiver(self, path: str, head: str, rest: str, function: int) -> bool:
        """Whether a method calls its own object by this name: it uses the attribute, and no parameter has the name."""
        if function < 0 or not rest:
            return False
        method = self.repo.files[path].facts.functions[function]
        return rest.partition(".")[0] in method.attributes and all(
            param.name != head for param in method.params
        )

    def _reexported(self, path: str, barrel: str, name: str) -> Symbol | None:
        """A name that the file it is imported from only re-exports; or that another file of the same package defines."""
        first = name.partition(".")[0]
        folder = barrel.rpartition("/")[0]
        for edge in self._edges.get(path, ()):
            beside = not edge.via and edge.target.rpartition("/")[0] == folder
            if (edge.via == barrel or beside) and first in edge.names:
                symbol = self.definition(edge.target, name)
                if symbol is not None:
                    return symbol
        return None

    def _in_module(self, path: str, name: str, rest: str) -> Symbol | None:
        """A definition behind a name that means the file itself, as in Rust; or that a module of the file contains, as in Ruby."""
        if name in path.rpartition(".")[0].split("/")[-2:]:
            symbol = self.definition(path, rest)
            if symbol is not None:
                return symbol
        ending = f".{name}.{rest}" if rest else f".{name}"
        matches = [qualname for qualname in self._defined(path) if name and qualname.endswith(ending)]
        return Symbol(path, matches[0]) if len(matches) == 1 else None

    @cached_property
    def _external(self) -> Mapping[str, set[tuple[int, str]]]:
        """By file, line and target of the imports that leave the repository."""
        by_source: dict[str, set[tuple[int, str]]] = {}
        for item in self.repo.external:
            if item.external:
                by_source.setdefault(item.source, set()).add((item.line, item.target))
        return by_source

    @cached_property
    def _edges(self) -> Mapping[str, list[Edge]]:
        """Edges by source."""
        by_source: dict[str, list[Edge]] = {}
        for source, edges in groupby(self.repo.edges, attrgetter("source")):  # edges of one file are adjacent
            by_source.setdefault(source, []).extend(edges)
        return by_source


class ImportedNames:
    """What targets of a file mean if its imports lead out of the repository; the file alone cannot tell whether they do."""

    def __init__(self, facts: FileFacts) -> None:
        self._bound: dict[str, list[str]] = {}
        for item in facts.imports:
            for local, _, dotted in _bindings(item):
                self._bound.setdefault(local, []).append(dotted)

    def names(self, target: str) -> list[str]:
        """Dotted names that `Symbols.external_name` may find for a target: it finds one of these, or none."""
        head, rest = _split(target)
        if head not in self._bound:
            return []
        return [f"{dotted}.{rest}" if rest else dotted for dotted in self._bound[head]]


def _split(target: str) -> tuple[str, str]:
    head, _, rest = _dotted(target).partition(".")
    return head, rest


def _dotted(target: str) -> str:
    # Few have one, and the pattern takes four times as long.
    if ":" in target or ">" in target or "\\" in target:
        return _SEPARATOR.sub(".", target)
    return target


def _edge_for(edges: list[Edge], item: Import, name: str) -> Edge | None:
    """The edge of an imported name. All imports of one file are one edge, so the line is only a preference."""
    if name:
        fitting = [edge for edge in edges if name in edge.names]
    else:
        ending = "/" + item.target.strip("./").replace(".", "/")
        fitting = [edge for edge in edges if f"/{edge.target.rpartition('.')[0]}".endswith(ending)]
    on_line = [edge for edge in edges if edge.line == item.line]
    here = [edge for edge in fitting if edge in on_line] or fitting or ([] if name else on_line)
    return here[0] if here else None


def _bindings(item: Import) -> Iterator[tuple[str, str, str]]:
    """Local name, name in the imported file, and dotted name of each thing an import binds."""
    module = _dotted(item.target).removeprefix("node:")
    for bound in item.names:
        whole = bound.name in ("*", "default")
        yield bound.alias or bound.name, bound.name, module if whole else f"{module}.{bound.name}"
    if not item.names:
        if item.alias:
            yield item.alias, "", module
        elif "/" in module:
            yield module.rpartition("/")[2], "", module
        else:
            head = module.partition(".")[0]
            yield head, "", head


def build(context: Context) -> Symbols:
    return Symbols(context.repo)


SYMBOLS = Analysis("symbols", build)

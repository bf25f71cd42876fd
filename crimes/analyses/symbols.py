"""What a name in a file stands for: a definition in the repository, or a name of something outside it.

Nothing is resolved ahead of time: a file's names are looked at when somebody asks, and callers are gathered for the
definitions that are asked about, in one pass over the calls.
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
_OWN = frozenset({"self", "this", "cls", "$this", "Self", "super()", "super"})


class Symbol(Struct, frozen=True):
    """A definition: the file, and its qualified name there."""

    path: str
    qualname: str


class Site(Struct, frozen=True):
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
    """Answers by file and name as written; memory of what was asked is kept for one scan."""

    repo: Repo
    _names: dict[str, _Names] = field(default_factory=dict)
    _definitions: dict[str, dict[str, Function | Class]] = field(default_factory=dict)

    def outside(self, path: str, target: str) -> str:
        """The dotted name outside the repository that a call's target means: `t.sleep` -> `time.sleep`; else empty."""
        head, rest = _split(target)
        found = self._of(path).outside.get(head, "")
        return f"{found}.{rest}" if found and rest else found

    def inside(self, path: str, target: str, function: int = -1) -> Symbol | None:
        """The definition in the repository that a target means when written in a function of a file."""
        head, rest = _split(target)
        if head in _OWN:
            return self._own(path, rest, function)
        names = self._of(path)
        if head in names.inside:
            where, name = names.inside[head]
            wanted = ".".join(word for word in (name, rest) if word)
            return (
                self.definition(where, wanted)
                or self._behind(path, where, wanted)
                or self._within(where, name, rest)
            )
        if head in names.defined:
            return self.definition(path, f"{head}.{rest}" if rest else head)
        return self._own(path, rest, function) if self._is_receiver(path, head, rest, function) else None

    def definition(self, path: str, qualname: str) -> Symbol | None:
        """A function or class of a file by its qualified name."""
        return Symbol(path, qualname) if qualname in self._defined(path) else None

    def what(self, symbol: Symbol) -> Function | Class | None:
        """The fact behind a symbol."""
        return self._defined(symbol.path).get(symbol.qualname)

    def callers(
        self, wanted: Collection[Symbol], roles: Collection[Role] = frozenset(Role)
    ) -> dict[Symbol, list[Site]]:
        """Where files of these roles call each of these definitions by a name that resolves to it, by path and line."""
        asked = frozenset(wanted)
        sites: dict[Symbol, list[Site]] = {}
        for path, names in self.names_for(asked, roles).items():
            for call in self.repo.files[path].facts.calls:
                # Few pass: an index of all calls would cost ten times as much.
                if last_name(call.target) in names:
                    symbol = self.inside(path, call.target, call.function)
                    if symbol is not None and symbol in asked:
                        sites.setdefault(symbol, []).append(Site(path, call))
        return sites

    def names_for(self, wanted: Collection[Symbol], roles: Collection[Role]) -> dict[str, set[str]]:
        """By file of these roles: the last names of all calls there that can lead to one of these definitions."""
        names_in: dict[str, set[str]] = {}
        for one in wanted:
            names_in.setdefault(one.path, set()).add(one.qualname.rpartition(".")[2])
        found: dict[str, set[str]] = {}
        for path, file in self.repo.files.items() if names_in else ():
            if file.role not in roles:
                continue
            # A name leads to the file itself, or where an edge does.
            near = [path, *(edge.target for edge in self._edges.get(path, ()))]
            names = {name for place in near if place in names_in for name in names_in[place]}
            if names:
                imported = (one for item in file.facts.imports for one in item.names if one.alias)
                found[path] = names.union([one.alias for one in imported if one.name in names])
        return found

    def _defined(self, path: str) -> dict[str, Function | Class]:
        """What a file defines, by its qualified name."""
        if path not in self._definitions:
            file = self.repo.files.get(path)
            found: dict[str, Function | Class] = {}
            if file is not None:
                found.update((one.qualname, one) for one in file.facts.classes)
                found.update((one.qualname, one) for one in file.facts.functions if not one.is_anonymous)
            self._definitions[path] = found
        return self._definitions[path]

    # What a file's names are.

    def _of(self, path: str) -> _Names:
        if path not in self._names:
            file = self.repo.files.get(path)
            self._names[path] = self._read(file) if file is not None else _Names(frozenset(), {}, {})
        return self._names[path]

    def _read(self, file: File) -> _Names:
        inside: dict[str, tuple[str, str]] = {}
        outside: dict[str, str] = {}
        of_file = self._edges.get(file.path, ())
        edges = [edge for edge in of_file if not edge.via]
        for item in file.facts.imports:
            for local, name, dotted in _bound(item):
                to = _leads(edges, item, name)
                if to is not None:
                    inside[local] = (to.target, "" if name in ("*", "default") else name)
                else:
                    outside.setdefault(local, dotted)
        lines = {item.line for item in file.facts.imports}
        for edge in of_file:
            if edge.line not in lines:  # it stands for no import statement
                for name in edge.names:
                    inside.setdefault(name, (edge.target, name))
        return _Names(frozenset(file.facts.definitions), inside, outside)

    def _own(self, path: str, rest: str, function: int) -> Symbol | None:
        """A method of the class around: `self.save` in a method of Order is Order.save, if it has one."""
        functions = self.repo.files[path].facts.functions
        while function >= 0 and functions[function].class_index < 0:
            function = functions[function].parent
        if function < 0 or not rest:
            return None
        owner = self.repo.files[path].facts.classes[functions[function].class_index]
        return self.definition(path, f"{owner.qualname}.{rest}")

    def _is_receiver(self, path: str, head: str, rest: str, function: int) -> bool:
        """Whether a method writes its object with this name: it touches the attribute and was not handed the name."""
        if function < 0 or not rest:
            return False
        made = self.repo.files[path].facts.functions[function]
        return rest.partition(".")[0] in made.attributes and all(one.name != head for one in made.params)

    def _behind(self, path: str, barrel: str, name: str) -> Symbol | None:
        """A name that the file it was imported from only passes on; or that another file of a package defines."""
        first = name.partition(".")[0]
        folder = barrel.rpartition("/")[0]
        for edge in self._edges.get(path, ()):
            beside = not edge.via and edge.target.rpartition("/")[0] == folder
            if (edge.via == barrel or beside) and first in edge.names:
                symbol = self.definition(edge.target, name)
                if symbol is not None:
                    return symbol
        return None

    def _within(self, where: str, name: str, rest: str) -> Symbol | None:
        """What a name means that is the file itself, as modules of Rust are; or that a module of the file holds, as in Ruby."""
        if name in where.rpartition(".")[0].split("/")[-2:]:
            found = self.definition(where, rest)
            if found is not None:
                return found
        ending = f".{name}.{rest}" if rest else f".{name}"
        held = [qualname for qualname in self._defined(where) if name and qualname.endswith(ending)]
        return Symbol(where, held[0]) if len(held) == 1 else None

    @cached_property
    def _edges(self) -> Mapping[str, list[Edge]]:
        """Edges by source."""
        found: dict[str, list[Edge]] = {}
        for source, edges in groupby(self.repo.edges, attrgetter("source")):  # those of a file stand together
            found.setdefault(source, []).extend(edges)
        return found


class Imported:
    """What targets of a file mean if its imports lead out of the repository, which the file alone does not tell."""

    def __init__(self, facts: FileFacts) -> None:
        self._bound: dict[str, list[str]] = {}
        for item in facts.imports:
            for local, _, dotted in _bound(item):
                self._bound.setdefault(local, []).append(dotted)

    def names(self, target: str) -> list[str]:
        """Dotted names that `Symbols.outside` may find for a target: it finds one of these, or none."""
        head, rest = _split(target)
        if head not in self._bound:
            return []
        return [f"{found}.{rest}" if rest else found for found in self._bound[head]]


def _split(target: str) -> tuple[str, str]:
    head, _, rest = _dotted(target).partition(".")
    return head, rest


def _dotted(target: str) -> str:
    if (
        ":" in target or ">" in target or "\\" in target
    ):  # few have one, and a pattern takes four times as long
        return _SEPARATOR.sub(".", target)
    return target


def _leads(edges: list[Edge], item: Import, name: str) -> Edge | None:
    """The edge an imported name stands for. Imports of one file are one edge, so the line is only a preference."""
    if name:
        fitting = [edge for edge in edges if name in edge.names]
    else:
        ending = "/" + item.target.strip("./").replace(".", "/")
        fitting = [edge for edge in edges if f"/{edge.target.rpartition('.')[0]}".endswith(ending)]
    on_line = [edge for edge in edges if edge.line == item.line]
    here = [edge for edge in fitting if edge in on_line] or fitting or ([] if name else on_line)
    return here[0] if here else None


def _bound(item: Import) -> Iterator[tuple[str, str, str]]:
    """Local name, name in the imported file, and dotted name of each thing an import binds."""
    module = _dotted(item.target).removeprefix("node:")
    for one in item.names:
        whole = one.name in ("*", "default")
        yield one.alias or one.name, one.name, module if whole else f"{module}.{one.name}"
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

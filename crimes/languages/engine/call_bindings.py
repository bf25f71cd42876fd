"""What names and fields are bound to, from the query of a language."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct
from tree_sitter import Node as TreeNode
from tree_sitter import Query, QueryCursor

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.table import query_text, table_for
from crimes.languages.engine.walk.frames import FunctionFrame
from crimes.languages.engine.walk.state import Walk
from crimes.languages.engine.words import bound_names
from crimes.languages.spec import CallSyntax
from crimes.model.calls import Binding, CallSite
from crimes.model.lazy_regex import regex

_IDENTIFIER = regex(r"[^\W\d][\w$]*|\$\w+")
_BINDING_WORDS = regex(r"^(?:&|mut\b|ref\b|\s)+")
_NO_TYPES = frozenset({"var", "auto", "val", "let"})
_MAX_PATTERN_CHARS = 400


@cache
def _query(file: str, queries: tuple[str, ...], pointer: Callable[[], object]) -> Query:
    return Query(table_for(queries, pointer).grammar, query_text((file,)))


class Bindings(Struct):
    """What the matches of a query say."""

    names: defaultdict[int, dict[tuple[str, int], Binding]]
    fields: dict[tuple[str, int], Binding]
    overloaded: set[str]
    overriding: set[int]
    inert_bases: set[str]
    mixins: set[int]


def read_bindings(
    walk: Walk, root: TreeNode, calling: CallSyntax, sites: Mapping[int, CallSite | None]
) -> Bindings:
    """What the query of a language says about a file; `sites` are its calls by the id of their node."""
    query = _query(calling.query, walk.syntax.queries, walk.syntax.grammar)
    bindings = Bindings(defaultdict(dict), {}, set(), set(), set(), set())
    around = _Enclosing(walk.functions)
    for _, captures in QueryCursor(query).matches(root):
        bindings.overloaded.update(walk.text(node) for node in captures.get("overload", ()))
        bindings.overriding.update(around.function(node.start_byte) for node in captures.get("override", ()))
        bindings.inert_bases.update(_base_name(walk.text(node)) for node in captures.get("inert", ()))
        bindings.mixins.update(walk.lines.line(node.start_byte) for node in captures.get("mixin", ()))
        for kind in ("name", "field"):
            for node in captures.get(kind, ()):
                function = around.function(node.start_byte)
                known = bindings.fields if kind == "field" else bindings.names[function]
                for binding in _bound(walk, node, function, captures, sites, is_field=kind == "field"):
                    key = (binding.name, binding.line)
                    if key not in known or _weight(binding) > _weight(known[key]):
                        known[key] = binding
    return bindings


def _base_name(written: str) -> str:
    """The name of a base without its type arguments."""
    return written.partition("<")[0].strip()


def _weight(binding: Binding) -> int:
    """How much is known of a name: several patterns may match one declaration."""
    return 2 if binding.type or binding.key else int(bool(binding.value))


def _bound(
    walk: Walk,
    node: Node,
    function: int,
    captures: Mapping[str, list[TreeNode]],
    sites: Mapping[int, CallSite | None],
    *,
    is_field: bool,
) -> Iterator[Binding]:
    """The names that one declaration binds."""
    text = _BINDING_WORDS.sub("", walk.text(node)[:_MAX_PATTERN_CHARS])
    line = walk.lines.line(node.start_byte)
    type_, value, key = (_first(captures.get(kind, ())) for kind in ("type", "value", "key"))
    site = sites.get(value.id) if value is not None else None
    written = walk.text(type_).lstrip(": ") if type_ is not None else ""
    written = "" if written in _NO_TYPES else written
    text = text.replace("->", ".") if is_field else text
    if is_field or _IDENTIFIER.fullmatch(text):
        yield Binding(
            text,
            line,
            function,
            written,
            site.target if site else "",
            site.creates if site else False,
            key=walk.text(key) if key is not None else "",
        )
        return
    listed = [word.strip() for word in text.strip("()").split(",")]
    if site is not None and all(_IDENTIFIER.fullmatch(word) for word in listed):
        for index, word in enumerate(listed):
            yield Binding(word, line, function, "", site.target, site.creates, index)
        return
    for word in _names_in(text):
        yield Binding(word, line, function)


def _names_in(text: str) -> list[str]:
    """Every name in a pattern: those it binds, and others that do no harm."""
    return sorted({*bound_names(text.encode()), *_IDENTIFIER.findall(text)})


def _first(nodes: Iterable[TreeNode]) -> TreeNode | None:
    return next(iter(nodes), None)


class _Enclosing:
    """The innermost function around an offset. Functions are in the order of the source."""

    def __init__(self, frames: list[FunctionFrame]) -> None:
        self._starts = [frame.node.start_byte if frame.node else 0 for frame in frames]
        self._ends = [frame.node.end_byte if frame.node else 0 for frame in frames]
        self._parents = [frame.parent for frame in frames]

    def function(self, offset: int) -> int:
        """The index of the function; -1 at module level."""
        index = bisect_right(self._starts, offset) - 1
        while index >= 0 and self._ends[index] <= offset:
            index = self._parents[index]
        return index

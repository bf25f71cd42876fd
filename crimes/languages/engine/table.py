"""A language's captures as a table: node kind -> what it is, and which fields hold its parts.

The capture files are ordinary tree-sitter queries, kept to a flat form so that one cursor walk can be driven by a table
built from them. That walk costs less than running the query (benchmarks/facts.py) and visits every token once.

    (if_statement condition: (_) @if.condition) @if      a kind, its role, and parts by field
    [(list) (set)] @literal.list                          several kinds, one role
    (f parameter: (_)? @function.parameter) @function    `?` is for tree-sitter; here every captured part may be absent
    (break_statement label: (_)) @jump                    only where the field is present
    (break_statement (identifier)) @jump                  only where a child of this kind, or this token, is present
    (binary_expression operator: ["&&" "||"]) @logical    only where the field holds one of these tokens
    (call (value_arguments) @call.arguments) @call        a part by its kind, where the grammar gives it no field
    (if_expression "else" @if.other) @if                  a part by its token
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct, field
from tree_sitter import Language as Grammar

from crimes.model.lazy_regex import regex

ROLES = frozenset(
    {"function", "lambda", "class", "bases", "type", "implementation", "anonymous_type"}
    | {"namespace", "package", "decorator", "binding", "member", "field", "attribute"}
    | {"name", "reference", "type_parameter", "tokens", "directive", "argument", "suffix"}
    | {"parameter", "parameters", "values", "if", "elseif", "else", "loop", "switch", "case", "arm"}
    | {"ternary", "comprehension_if", "logical", "jump", "transfer", "with", "markup"}
    | {"literal.list", "literal.map", "literal.set", "literal.tuple"}
    | {"try", "finally", "handler", "catches", "block", "return", "raise", "assert"}
    | {"changes", "yields", "await", "call", "infix", "import", "export", "statement"}
    | {"string", "comment", "skip"}
)
KINDS = 65536  # node kinds are 16 bit; the last one is ERROR

_TOKEN = regex(r';[^\n]*|[()\[\]]|@[\w.]+|[\w]+:|"[^"]*"|[\w]+')


class Entry(Struct, frozen=True):
    """What a node kind means. A guard is (part, allowed tokens), or None for "the part is there".

    A part is a field id, or for a part without a field the ids of the kinds it may have.
    """

    role: str
    parts: dict[str, int | tuple[int, ...]] = field(default_factory=dict)
    guards: tuple[tuple[int | tuple[int, ...], frozenset[str] | None], ...] = ()


class _Child(Struct, frozen=True):
    field: str  # empty: the child is found by its kind
    tokens: frozenset[str]
    capture: str
    kinds: tuple[str, ...] = ()  # quoted: a token


class Pattern(Struct, frozen=True):
    """One pattern of a capture file."""

    kinds: tuple[str, ...]
    children: tuple[_Child, ...]
    role: str


def _child(tokens: list[str], at: int) -> tuple[_Child, int]:
    """One child of a pattern, and where the next one begins."""
    name = ""
    if tokens[at].endswith(":"):
        name = tokens[at].rstrip(":")
        at += 1
    options: list[str] = []  # quoted tokens keep their quotes
    closing = "]" if tokens[at] == "[" else ""
    at += bool(closing)
    while True:
        if tokens[at] == "(":
            options.append(tokens[at + 1])
            at += 3  # ( kind )
        else:
            options.append(tokens[at])
            at += 1
        if not closing or tokens[at] == closing:
            break
    at += bool(closing)
    capture = ""
    if tokens[at].startswith("@"):
        capture = tokens[at][1:]
        at += 1
    if name:
        guard = frozenset(option.strip('"') for option in options if option.startswith('"'))
        return _Child(name, guard, capture), at
    return _Child("", frozenset(), capture, tuple(options)), at


def parse_patterns(text: str) -> Iterator[Pattern]:
    """Read the flat query form described above."""
    tokens = [token for token in _TOKEN.findall(text) if not token.startswith(";")]
    at = 0
    while at < len(tokens):
        kinds: list[str] = []
        children: list[_Child] = []
        if tokens[at] == "[":
            at += 1
            while tokens[at] != "]":
                kinds.append(tokens[at + 1])
                at += 3  # ( kind )
            at += 1
        else:
            kinds.append(tokens[at + 1])
            at += 2
            while tokens[at] != ")":
                child, at = _child(tokens, at)
                children.append(child)
            at += 1
        yield Pattern(tuple(kinds), tuple(children), tokens[at][1:])
        at += 1


def query_text(queries: tuple[str, ...]) -> str:
    """The capture files of a language, joined."""
    here = Path(__file__).parent.parent
    return "\n".join((here / name).read_text(encoding="utf-8") for name in queries)


class Table(Struct, frozen=True):
    """The grammar, and an entry for each kind id that means something."""

    grammar: Grammar
    entries: dict[int, Entry]


def _kind_ids(grammar: Grammar, child: _Child, queries: tuple[str, ...]) -> tuple[int, ...]:
    ids = []
    for kind in child.kinds:
        kind_id = grammar.id_for_node_kind(kind.strip('"'), not kind.startswith('"'))
        if kind_id is None:
            raise ValueError(f"{queries}: no node kind {kind}")
        ids.append(kind_id)
    return tuple(ids)


@cache
def table_for(queries: tuple[str, ...], pointer: Callable[[], object]) -> Table:
    """The compiled captures of a language. Raises on an unknown kind, field or role."""
    grammar = Grammar(pointer())
    entries: dict[int, Entry] = {}
    for pattern in parse_patterns(query_text(queries)):
        if pattern.role not in ROLES:
            raise ValueError(f"{queries}: @{pattern.role} is not in the vocabulary")
        parts: dict[str, int | tuple[int, ...]] = {}
        guards: list[tuple[int | tuple[int, ...], frozenset[str] | None]] = []
        for child in pattern.children:
            if not child.field:
                kinds = _kind_ids(grammar, child, queries)
                if child.capture:
                    parts[child.capture.removeprefix(f"{pattern.role}.")] = kinds
                else:
                    guards.append((kinds, None))
                continue
            field_id = grammar.field_id_for_name(child.field)
            if field_id is None:
                raise ValueError(f"{queries}: no field {child.field!r}")
            if child.capture:
                parts[child.capture.removeprefix(f"{pattern.role}.")] = field_id
            if child.tokens or not child.capture:
                guards.append((field_id, child.tokens or None))
        for kind in pattern.kinds:
            kind_id = grammar.id_for_node_kind(kind, True)
            if kind_id is None:
                raise ValueError(f"{queries}: no node kind {kind!r}")
            if kind_id in entries:
                raise ValueError(f"{queries}: {kind!r} has two roles")
            entries[kind_id] = Entry(pattern.role, parts, tuple(guards))
    return Table(grammar, entries)

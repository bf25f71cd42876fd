"""The code tokens on some lines of a source, for telling a change of code from a change of its looks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from crimes.languages.engine.facts import as_utf8, parse, reader_of
from crimes.languages.engine.lines import Lines
from crimes.languages.engine.reading import Unreadable
from crimes.languages.engine.table import Entry
from crimes.languages.spec import Language
from crimes.model.lazy_regex import regex

_LEFT_OUT = frozenset({"comment", "import"})
_TYPE_PARTS = ("type", "result")  # of a parameter and of a function: what a checker reads
# Decorators that speak to a compiler, a checker or a reader, and change nothing that runs.
_ADVICE = regex(
    rb"(?i)\W*(allow|expect|warn|deny|suppress\w*|nullable|nonnull|notnull|override|overload|must_use|inline"
    rb"|deprecated|final|doc|cfg_attr\(docsrs|opt(?:in|_in)|jvmstatic|typing\.\w+)\b"
)
_CLOSING = frozenset({b")", b"]", b"}"})
# What a token can be inside of: in some languages white space alone moves it out.
_NESTING = frozenset(
    {
        "function",
        "class",
        "if",
        "elseif",
        "else",
        "loop",
        "switch",
        "case",
        "try",
        "handler",
        "finally",
        "with",
    }
)


class Token(NamedTuple):
    """A token, the line of those asked for that it is on, and how many blocks, functions and classes it is inside of."""

    line: int
    nesting: int
    text: bytes


def code_tokens(language: Language, source: bytes, lines: Sequence[int]) -> list[Token] | None:
    """The tokens of these lines (sorted, from 1) without comments, docstrings, imports and types; None if unreadable.

    A string counts as a whole, wherever it begins. A file with code of another language in it has more than that code
    to say, and is not read.
    """
    if language.inner is not None:
        return None
    try:
        source = as_utf8(source)
        _, reader = reader_of(language)
        tree = parse(language, source)
    except Unreadable:
        return None
    starts = Lines(source).starts
    spans = [_Span(starts[line - 1], starts[line], line) for line in lines if line < len(starts)]
    return list(_without_last_commas(_leaves(tree.root_node, source, spans, reader.table.entries)))


class _Span(NamedTuple):
    start: int
    end: int
    line: int


def _leaves(root: Node, source: bytes, spans: list[_Span], entries: dict[int, Entry]) -> Iterator[Token]:
    ends = [span.end for span in spans]
    waiting = [(root, 0)]
    while waiting:
        node, nesting = waiting.pop()
        at = bisect_left(ends, node.start_byte + 1)
        if at == len(spans) or spans[at].start >= node.end_byte:
            continue
        entry = entries.get(node.kind_id)
        role = entry.role if entry else ""
        if role in _LEFT_OUT or _is_docstring(node, role, entries):
            continue
        if role == "string" or not node.child_count:
            yield Token(spans[at].line, nesting, source[node.start_byte : node.end_byte])
        elif not _is_advice(node, source, entries):
            inside = nesting + (role in _NESTING)
            waiting.extend((child, inside) for child in reversed(_without_types(node, entry)))


def _is_docstring(node: Node, role: str, entries: dict[int, Entry]) -> bool:
    """Whether a statement is nothing but a string."""
    if role != "statement" or node.named_child_count != 1:
        return False
    child = node.named_child(0)
    entry = entries.get(child.kind_id) if child else None
    return entry is not None and entry.role == "string"


def _is_advice(node: Node, source: bytes, entries: dict[int, Entry]) -> bool:
    """Whether a node is a decorator that changes nothing that runs, or holds nothing but one."""
    entry = entries.get(node.kind_id)
    if entry is None and node.named_child_count == 1:
        node = node.named_child(0) or node
        entry = entries.get(node.kind_id)
    if entry is None or entry.role != "decorator":
        return False
    return _ADVICE.match(source, node.start_byte, node.end_byte) is not None


def _without_types(node: Node, entry: Entry | None) -> list[Node]:
    """The children of a node; of a parameter or function without its type and the sign before that."""
    children = node.children
    if entry is None or entry.role not in ("parameter", "function"):
        return children
    fields = (entry.parts.get(part) for part in _TYPE_PARTS)
    types = {
        child.id for field in fields if isinstance(field, int) for child in node.children_by_field_id(field)
    }
    if not types:
        return children
    following = [*(child.id for child in children[1:]), 0]
    return [
        child
        for child, after in zip(children, following, strict=True)
        if child.id not in types and (child.is_named or after not in types)
    ]


def _without_last_commas(tokens: Iterator[Token]) -> Iterator[Token]:
    """The tokens without commas before a closing bracket, which formatters add."""
    comma: Token | None = None
    for token in tokens:
        if comma and token.text not in _CLOSING:
            yield comma
        comma = token if token.text == b"," else None
        if not comma:
            yield token

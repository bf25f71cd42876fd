"""Commented-out code: consecutive comment lines that the file's own grammar parses without an error.

Only text whose lines nearly all look like code, with balanced brackets, is parsed: prose is slow to parse in some grammars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent

from tree_sitter import Node, Parser

from crimes.languages.engine.lines import Lines
from crimes.languages.engine.walk.state import Reader
from crimes.model.facts import Comment, Commented
from crimes.model.lazy_regex import regex

MIN_LINES = 5
MAX_LINES = 150
MAX_CHARS = 8_000
MAX_ROW_CHARS = 300
_STATEMENTS = frozenset(
    {"binding", "return", "raise", "if", "loop", "switch", "try"}
    | {"with", "import", "function", "class", "statement", "call"}
)
_MARKER = regex(r"^[ \t]*(?://|#|--|/\*+|\*(?!/)) ?", re.MULTILINE)
_END = regex(r"\s*\*+/\s*$")
# Written for readers of the documentation, or for tools.
_FOR_OTHERS = regex(
    r"\s*(?:/\*\*|///|//!|/\*!|#!|#:)|.*?(?:```|>>>|@example|@param|\b(?:e\.g\.|[Ee]xamples?\b|[Uu]sage\b)|https?://)",
    re.DOTALL,
)
_CODE_LINE = regex(
    r".*(?:[;{}()\[\],:]|=>|->|\bdo|\bthen|\belse)\s*$|\s*[\w.$@\[\]\"'*& ]+(?:[-+*/|&^%]?=|:=|<-)(?!=)\s*\S|\s*(?:return|import|from|end|break|continue"
    r"|raise|throw|pass|else|await|yield|defer|use|puts|let|var|const|val|def|fn|func)\b"
)
_PROSE = regex(
    r"\s*(?:[A-Za-z]['A-Za-z-]*,? ){4,}[A-Za-z]['A-Za-z-]*[.,:!?]?\s*$|\s*[A-Z][a-z]+ (?:[\w:'-]+ ){2,}[\w:'-]+\b|\s*[-*•] \S|\s*\d+[.)] \S"
)
_PAIRS = {")": "(", "]": "[", "}": "{"}
_CLASS = (b"class A {\n", b"\n}\n")


def commented_code(comments: list[Comment], parser: Parser, reader: Reader) -> tuple[Commented, ...]:
    """Each run of comment lines that is code, with how many of its lines begin a statement."""
    runs = []
    for first, last, text in _runs(comments):
        code = _strip_markers(text)
        lines = _statement_lines(code, parser, reader) if code else 0
        if lines > 1:
            runs.append(Commented(first, last, lines))
    return tuple(runs)


def _runs(comments: list[Comment]) -> Iterator[tuple[int, int, str]]:
    """Runs of comments on consecutive lines of their own: first line, last line, text."""
    start = 0
    for at, comment in enumerate(comments):
        after = comments[at + 1] if at + 1 < len(comments) else None
        if after is not None and after.own_line and comment.own_line and after.line == comment.end + 1:
            continue
        run, first, last = comments[start : at + 1], comments[start].line, comment.end
        if (
            comment.own_line
            and MIN_LINES <= last - first + 1 <= MAX_LINES
            and not any(part.doc for part in run)
        ):
            yield first, last, "\n".join(part.text for part in run)
        start = at + 1


def _strip_markers(text: str) -> str:
    """The text without its comment markers if it looks like code; else empty."""
    if len(text) > MAX_CHARS or _FOR_OTHERS.match(text):
        return ""
    code = dedent(_END.sub("", _MARKER.sub("", text)))
    rows = [row for row in code.split("\n") if row.strip()]
    if any(len(row) > MAX_ROW_CHARS for row in rows):
        return ""
    code_rows = sum(_CODE_LINE.match(row) is not None for row in rows)
    is_list = all(row.rstrip().endswith(",") for row in rows)  # entries disabled one by one
    if (
        len(rows) < MIN_LINES
        or code_rows * 5 < len(rows) * 4
        or is_list
        or any(_PROSE.match(row) for row in rows)
    ):
        return ""
    return code if _has_balanced_brackets(code) else ""


def _has_balanced_brackets(code: str) -> bool:
    """Whether every bracket outside strings closes."""
    opened: list[str] = []
    for char in re.sub(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", "", code):
        if char in "([{":
            opened.append(char)
        elif char in _PAIRS and (not opened or opened.pop() != _PAIRS[char]):
            return False
    return not opened


def _statement_lines(code: str, parser: Parser, reader: Reader) -> int:
    """How many lines begin a statement; 0 if the code does not parse, on its own or as members of a class."""
    source = reader.syntax.opening + code.encode() + b"\n"
    tree = parser.parse(source)
    if tree.root_node.has_error and "{" in code:
        source = reader.syntax.opening + code.encode().join(_CLASS)
        tree = parser.parse(source)
    if tree.root_node.has_error:
        return 0
    lines = Lines(source)
    return len({lines.line(node.start_byte) for node in _statements(tree.root_node, reader)})


def _statements(root: Node, reader: Reader) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        entry = reader.table.entries.get(node.kind_id)
        if entry is not None and entry.role in _STATEMENTS:
            yield node
        waiting.extend(node.named_children)

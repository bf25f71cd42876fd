"""Code that stands in comments: consecutive comment lines that the file's own grammar reads without an error.

A grammar is asked only where nearly every line is shaped like code and all brackets close: prose makes some grammars slow, and
costs more than it tells.
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

SHORTEST = 5  # lines
LONGEST = 150
MOST_BYTES = 8_000
LONGEST_ROW = 300
_STATEMENTS = frozenset(
    [
        "binding",
        "return",
        "raise",
        "if",
        "loop",
        "switch",
        "try",
        "with",
        "import",
        "function",
        "class",
        "statement",
        "call",
    ]
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
    found = []
    for first, last, text in _runs(comments):
        code = _shaped(text)
        lines = _statement_lines(code, parser, reader) if code else 0
        if lines > 1:
            found.append(Commented(first, last, lines))
    return tuple(found)


def _runs(comments: list[Comment]) -> Iterator[tuple[int, int, str]]:
    """Comments on consecutive lines of their own, as one."""
    start = 0
    for at, comment in enumerate(comments):
        after = comments[at + 1] if at + 1 < len(comments) else None
        goes_on = after is not None and after.own_line and comment.own_line and after.line == comment.end + 1
        if goes_on:
            continue
        first, last = comments[start].line, comment.end
        if (
            comment.own_line
            and SHORTEST <= last - first + 1 <= LONGEST
            and not any(one.doc for one in comments[start : at + 1])
        ):
            yield first, last, "\n".join(one.text for one in comments[start : at + 1])
        start = at + 1


def _shaped(text: str) -> str:
    """The text without its markers, where it is shaped like code; else empty."""
    if len(text) > MOST_BYTES or _FOR_OTHERS.match(text):
        return ""
    code = dedent(_END.sub("", _MARKER.sub("", text)))
    rows = [row for row in code.split("\n") if row.strip()]
    if any(len(row) > LONGEST_ROW for row in rows):
        return ""
    shaped = sum(_CODE_LINE.match(row) is not None for row in rows)
    entries = all(row.rstrip().endswith(",") for row in rows)  # of a list, switched off one by one
    if (
        len(rows) < SHORTEST
        or shaped * 5 < len(rows) * 4
        or entries
        or any(_PROSE.match(row) for row in rows)
    ):
        return ""
    return code if _closes(code) else ""


def _closes(code: str) -> bool:
    """Whether every bracket closes; strings are not looked into."""
    opened: list[str] = []
    for char in re.sub(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", "", code):
        if char in "([{":
            opened.append(char)
        elif char in _PAIRS and (not opened or opened.pop() != _PAIRS[char]):
            return False
    return not opened


def _statement_lines(code: str, parser: Parser, reader: Reader) -> int:
    """Lines on which a statement begins; 0 where the grammar finds a fault. Members stand in a class."""
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

"""Parameters that are assigned before they are read: what the caller passed is lost."""

from __future__ import annotations

import re

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.frames import FunctionFrame
from crimes.languages.engine.walk.handlers import mentions
from crimes.languages.engine.walk.state import Walk, part
from crimes.model.facts import Overwrite
from crimes.model.lazy_regex import regex

_ASSIGNS = (b"=", b":=")
# Reads all parameters without naming them.
_READS_ALL = regex(rb"\b(?:super|binding|arguments|locals|vars|compact|func_get_args|eval|exec)\b")
_SHARED = regex(rb"\b(?:out|ref|inout)\b|&")  # before the name of a parameter that the caller shares
_WORD_START = rb"(?<![\w$])"
_WORD_END = rb"(?![\w$])"
_OPENING, _CLOSING = (b"(", b"[", b"<", b"{"), (b")", b"]", b">", b"}")
_SEPARATORS = (b",", *_OPENING)
_MAX_INDENT_BYTES = 200
_MAX_STEPS = 3  # from an assignment to the body: statement, list of statements


def note_overwrite(walk: Walk, node: Node, entry: Entry, name: Node | None) -> None:
    """Note an assignment to a parameter of the function around it that nothing has read so far."""
    frame = walk.frame
    if name is None or frame.body is None:
        return
    written = walk.text(name)
    if not any(param.name == written and not param.star for param in frame.params):
        return
    if walk.source[node.start_byte : name.start_byte].strip(b"$( \t"):
        return  # `let`, `var`: a new name that hides the parameter
    value = part(node, entry, "value")
    if value is None or walk.source[name.end_byte : value.start_byte].strip() not in _ASSIGNS:
        return
    if _mentions(walk, written, value.start_byte, node.end_byte):
        return
    if not _begins_statement(walk.source, node.start_byte) or not _is_statement_of(node, frame.body):
        return
    start, end = frame.body.start_byte, frame.body.end_byte
    if _is_read(walk, frame.body, written, node.start_byte) or _READS_ALL.search(walk.source, start, end):
        return
    if not _belongs_to_caller(walk, frame, written):
        walk.overwrites.append(Overwrite(written, walk.lines.line(node.start_byte), frame.index))


def _begins_statement(source: bytes, start: int) -> bool:
    """Whether nothing but white space stands between an offset and the begin of its line, or a brace or semicolon."""
    before = source[max(start - _MAX_INDENT_BYTES, 0) : start].rstrip(b" \t")
    return before[-1:] in (b"\n", b"{", b";", b"")


def _is_statement_of(node: Node, body: Node) -> bool:
    """Whether an assignment is a statement of the body itself: nothing decides whether it runs."""
    for _ in range(_MAX_STEPS):
        around = node.parent
        if around is None:
            return False
        if around.id == body.id:
            return True
        if around.start_byte != node.start_byte and not _is_only_child(around):
            return False
        node = around
    return False


def _is_only_child(node: Node) -> bool:
    return node.parent is not None and node.parent.named_child_count == 1


def _mentions(walk: Walk, name: str, start: int, end: int) -> bool:
    """Whether a name occurs in a span, also as `$name` inside a string."""
    source = walk.source
    return mentions(source, name, start, end) or mentions(source, f"${name}", start, end)


def _is_read(walk: Walk, body: Node, name: str, end: int) -> bool:
    """Whether a name occurs in a body before an offset, other than in comments and documentation."""
    if not _mentions(walk, name, body.start_byte, end):
        return False
    nodes = [body]
    while nodes:
        node = nodes.pop()
        role = walk.role(node)
        if node.start_byte >= end or role == "comment":
            continue
        inner = node.named_children if role not in ("skip", "string") else []
        if not inner and _mentions(walk, name, node.start_byte, min(node.end_byte, end)):
            return True
        if role != "statement" or len(inner) != 1 or walk.role(inner[0]) != "string":  # documentation
            nodes.extend(inner)
    return False


def _belongs_to_caller(walk: Walk, frame: FunctionFrame, name: str) -> bool:
    """Whether the caller sees the assignment: a reference, an `out` parameter."""
    if frame.body is None:
        return False
    head = walk.source[frame.head : frame.body.start_byte]
    names = re.finditer(_WORD_START + re.escape(name).encode() + _WORD_END, head)
    return any(_SHARED.search(_text_before(head, match.start())) for match in names)


def _text_before(head: bytes, end: int) -> bytes:
    """What stands between a parameter's name and the comma or bracket before it: its type and modifiers."""
    depth = 0
    for start in range(end - 1, -1, -1):
        char = head[start : start + 1]
        if char in _CLOSING:
            depth += 1
        elif depth and char in _OPENING:
            depth -= 1
        elif not depth and char in _SEPARATORS:
            return head[start + 1 : end]
    return head[:end]

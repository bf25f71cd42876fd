"""Counting a structure and going inside it."""

from __future__ import annotations

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.state import Walk, part
from crimes.model.lazy_regex import regex

_WORD = regex(rb"(?:async\s+|'\w+\s*:\s*|\w+@\s+)?(\w+)")  # after a label
_STATEMENT_KINDS = {
    "if": "if",
    "for": "loop",
    "while": "loop",
    "do": "loop",
    "try": "try",
    "begin": "try",
    "with": "with",
}


def keyword(walk: Walk, node: Node) -> str:
    """The word a structure begins with."""
    word = _WORD.match(walk.source, node.start_byte)
    return word.group(1)[:20].decode() if word else ""


def nest(
    walk: Walk, node: Node, entry: Entry, *, deeper: int = 1, control: int = 1, structural: bool = True
) -> None:
    """Count a structure and go inside it, `deeper` levels of nesting and `control` of control flow."""
    frame = walk.frame
    if frame is walk.module:
        word = keyword(walk, part(node, entry, "keyword") or node)
        walk.top_statement(node, _STATEMENT_KINDS.get(word, "other"), "")
    frame.enter(control)
    if structural:
        frame.add_nested_cost()
    frame.nest += deeper
    walk.inside.append(entry.role)

    def leave() -> None:
        frame.leave(deeper, control)
        walk.inside.pop()

    walk.on_leave(leave)

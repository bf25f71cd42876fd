"""Calls and literals that need no walk, because there is nothing to see inside."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from crimes.languages.table import Entry, Table
from crimes.languages.walk.control import literal
from crimes.languages.walk.state import SKIP, Action, Actions, Walk
from crimes.languages.walk.uses import call, is_recursive
from crimes.model import Call

if TYPE_CHECKING:
    from tree_sitter import Node


def quieted(actions: Actions, table: Table) -> Actions:
    """The actions of a language whose plain lists are not walked."""
    instead: dict[Action, Action] = {call: quiet_call, literal: quiet_literal}
    changed = list(actions)
    for kind in table.entries:
        found = actions[kind]
        if found is not None and found[0] in instead:
            changed[kind] = (instead[found[0]], found[1])
    return changed


def quiet_call(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A call: of a plain name with plain arguments, or one to be walked."""
    arguments = node.child_by_field_id(entry.parts["arguments"])  # type: ignore[arg-type]
    if arguments is None:
        return None
    start, middle, end = node.start_byte, arguments.start_byte, node.end_byte
    source, reader = walk.source, walk.reader
    callee = reader.callees[source[start:middle]]
    if callee is None or not reader.quiet(source, middle, end) or node.has_error:
        return call(walk, node, entry)
    target, attribute = callee
    frame = walk.frame
    if frame is walk.module:
        walk.top_statement(node, "call", target)
    line = bisect_right(walk.starts, middle - 1)
    walk.calls.append(Call(target, line, frame.index, bool(walk.awaited) and node.id in walk.awaited))
    if walk.open_handlers:
        walk.does("call", node)
    if frame.name and target.endswith(frame.name):
        frame.recursive = frame.recursive or is_recursive(walk, target, arguments)
    if attribute:
        frame.attributes.add(attribute)
    if source.find(reader.prefix, middle, end) >= 0:
        note_attributes(walk, middle, end)
    return SKIP


def quiet_literal(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A list or map: of plain values, or one to be walked."""
    literal(walk, node, entry)
    start, end = node.start_byte, node.end_byte
    source, reader = walk.source, walk.reader
    if not reader.quiet(source, start, end) or node.has_error:
        return None
    if source.find(reader.prefix, start, end) >= 0:
        note_attributes(walk, start, end)
    return SKIP


def note_attributes(walk: Walk, start: int, end: int) -> None:
    """Attributes of the own object that a plain list names."""
    names = walk.reader.own.findall(walk.source, start, end)
    walk.frame.attributes.update(name.decode("utf-8", "replace") for name in names)

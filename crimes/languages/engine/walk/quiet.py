"""Calls and literals that need no walk, because there is nothing to see inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crimes.languages.engine.flat_lists import Callees, own_attributes, quiet_attribute, quiet_call
from crimes.languages.engine.table import Entry, Table
from crimes.languages.engine.walk.control import literal
from crimes.languages.engine.walk.definitions import attribute
from crimes.languages.engine.walk.state import SKIP, Action, Actions, Walk
from crimes.languages.engine.walk.uses import call, is_recursive
from crimes.languages.engine.words import LONGEST, call_target
from crimes.languages.spec import Syntax

if TYPE_CHECKING:
    import re

    from tree_sitter import Node


def quieted(actions: Actions, table: Table, syntax: Syntax) -> Actions:
    """The actions of a language, without a walk through the plain lists it knows."""
    if syntax.quiet is None:
        return actions
    changed = list(actions)
    for kind, entry in table.entries.items():
        found, arguments = actions[kind], entry.parts.get("arguments")
        if found is not None and found[0] is call and len(entry.parts) == 1 and isinstance(arguments, int):
            changed[kind] = (_quiet_call(syntax, syntax.quiet, arguments), entry)
        elif found is not None and found[0] is literal:
            changed[kind] = (_quiet_literal(syntax, syntax.quiet), entry)
        elif found is not None and found[0] is attribute:
            changed[kind] = (_quiet_attribute(syntax), entry)
    return changed


def _quiet_call(syntax: Syntax, quiet: re.Pattern[bytes], arguments_field: int) -> Action:
    """A call: of a plain name with plain arguments, or one to be walked."""
    is_quiet, prefix, own = (
        quiet_call(quiet).fullmatch,
        syntax.self_prefix,
        own_attributes(syntax.self_prefix),
    )
    environment = syntax.environment
    callees = Callees(lambda raw: _plain_target(syntax, raw), prefix)

    def visit(walk: Walk, node: Node, entry: Entry) -> int | None:
        source, start, end = walk.source, node.start_byte, node.end_byte
        plain = is_quiet(source, start, end)
        if plain is None or (environment and source.find(environment, start, end) >= 0) or node.has_error:
            arguments = node.child_by_field_id(arguments_field)
            if arguments is None:
                return None
            plain, middle = None, arguments.start_byte
            written = source[start:middle]
        else:
            arguments, middle = None, plain.end(1)
            written = plain[1]
        callee = callees[written] if middle - start < LONGEST else None
        if callee is None:
            return call(walk, node, entry)
        target, attribute = callee
        frame, awaited = walk.frame, walk.awaited
        if frame is walk.module:
            walk.top_statement(node, "call", target)
        walk.calls.append((target, middle - 1, frame.index, node.id in awaited if awaited else False))
        if walk.open_handlers:
            walk.does("call", node)
        name = frame.name
        if name and target.endswith(name):
            given = arguments or node.child_by_field_id(arguments_field)
            frame.recursive = frame.recursive or is_recursive(walk, target, given)
        if attribute:
            frame.attributes.add(attribute)
        if plain is None:
            around = walk.open_calls
            while around and around[-1][0] <= start:
                around.pop()
            around.append((end, middle, target, arguments, -1))
            # There is no more to see of what is called, unless it reads the environment, or is not what it seems.
            watched = (environment and written.find(environment) >= 0) or node.has_error
            return None if watched else middle
        if prefix and source.find(prefix, middle, end) >= 0:
            frame.attributes.update(_decoded(own.findall(source, middle, end)))
        return SKIP

    return visit


def _quiet_attribute(syntax: Syntax) -> Action:
    """A dotted name: of plain names, or one to be looked at."""
    is_quiet, environment = quiet_attribute(syntax.self_prefix).fullmatch, syntax.environment

    def visit(walk: Walk, node: Node, entry: Entry) -> bool | None:
        plain = is_quiet(walk.source, node.start_byte, node.end_byte)
        if plain is None or (environment and plain[0].startswith(environment)):
            return attribute(walk, node, entry)
        own = plain[1]
        if own is not None:
            walk.frame.attributes.add(own.decode("utf-8", "replace"))
        return SKIP

    return visit


def _decoded(names: list[bytes]) -> list[str]:
    return [name.decode("utf-8", "replace") for name in names]


def _plain_target(syntax: Syntax, raw: bytes) -> str | None:
    """The name of a callee that means nothing but a call."""
    target = call_target(raw, 0, len(raw))
    watched = target in syntax.import_calls or target in syntax.raising_calls
    return None if watched or target.rpartition(".")[2] in syntax.handler_calls else target


def _quiet_literal(syntax: Syntax, quiet: re.Pattern[bytes]) -> Action:
    """A list or map: of plain values, or one to be walked."""
    is_quiet, prefix, own = quiet.fullmatch, syntax.self_prefix, own_attributes(syntax.self_prefix)
    environment = syntax.environment

    def quiet_literal(walk: Walk, node: Node, entry: Entry) -> bool | None:
        literal(walk, node, entry)
        source, start, end = walk.source, node.start_byte, node.end_byte
        if (
            not is_quiet(source, start, end)
            or (environment and source.find(environment, start, end) >= 0)
            or node.has_error
        ):
            return None
        if prefix and source.find(prefix, start, end) >= 0:
            walk.frame.attributes.update(_decoded(own.findall(source, start, end)))
        return SKIP

    return quiet_literal

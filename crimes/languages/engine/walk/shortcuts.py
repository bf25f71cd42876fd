"""Shortcuts: calls, literals and dotted names that hold only plain values are not walked."""

from __future__ import annotations

import re

from crimes.languages.engine.flat_lists import (
    Callees,
    dotted_name_pattern,
    flat_call_pattern,
    own_attribute_pattern,
)
from crimes.languages.engine.nodes import Node
from crimes.languages.engine.table import Entry, Table
from crimes.languages.engine.walk.control import literal
from crimes.languages.engine.walk.definitions import attribute
from crimes.languages.engine.walk.state import SKIP, Action, Actions, Walk
from crimes.languages.engine.walk.uses import call, is_recursive
from crimes.languages.engine.words import MAX_TEXT_CHARS, call_target
from crimes.languages.spec import Syntax


def with_shortcuts(actions: Actions, table: Table, syntax: Syntax) -> Actions:
    """The actions of a language, with shortcuts for flat lists if its syntax has a pattern for them."""
    if syntax.flat_list is None:
        return actions
    changed = list(actions)
    for kind, entry in table.entries.items():
        pair, arguments = actions[kind], entry.parts.get("arguments")
        action = pair[0] if pair is not None else None
        if action is call and len(entry.parts) == 1 and isinstance(arguments, int):
            changed[kind] = (_call_shortcut(syntax, syntax.flat_list, arguments), entry)
        elif action is literal:
            changed[kind] = (_literal_shortcut(syntax, syntax.flat_list), entry)
        elif action is attribute:
            changed[kind] = (_attribute_shortcut(syntax), entry)
    return changed


def _call_shortcut(syntax: Syntax, flat_list: re.Pattern[bytes], arguments_field: int) -> Action:
    """The action for calls: skips one of a plain name with plain arguments, walks any other."""
    match_flat, prefix = flat_call_pattern(flat_list).fullmatch, syntax.names.self_prefix
    own, environment = own_attribute_pattern(prefix), syntax.names.environment
    callees = Callees(lambda raw: _plain_target(syntax, raw), prefix)

    def visit(walk: Walk, node: Node, entry: Entry) -> int | None:
        source, start, end = walk.source, node.start_byte, node.end_byte
        plain = match_flat(source, start, end)
        if plain is None or (environment and source.find(environment, start, end) >= 0) or node.has_error:
            arguments = node.child_by_field_id(arguments_field)
            if arguments is None:
                return None
            plain, middle = None, arguments.start_byte
            written = source[start:middle]
        else:
            arguments, middle = None, plain.end(1)
            written = plain[1]
        callee = callees[written] if middle - start < MAX_TEXT_CHARS else None
        if callee is None:
            call(walk, node, entry)
            return None
        target, attribute = callee
        frame, awaited = walk.frame, walk.awaited
        if frame is walk.module:
            walk.top_statement(node, "call", target)
        walk.calls.append((target, middle - 1, frame.index, node.id in awaited if awaited else False))
        if walk.open_handlers:
            walk.note_in_handlers("call", node)
        name = frame.name
        if name and target.endswith(name):
            own_arguments = arguments or node.child_by_field_id(arguments_field)
            frame.recursive = frame.recursive or is_recursive(walk, target, own_arguments)
        if attribute:
            frame.attributes.add(attribute)
        if plain is None:
            around = walk.open_calls
            while around and around[-1][0] <= start:
                around.pop()
            around.append((end, middle, target, arguments, -1))
            # The callee needs no walk, unless it reads the environment or does not parse.
            watched = (environment and written.find(environment) >= 0) or node.has_error
            return None if watched else middle
        if prefix and source.find(prefix, middle, end) >= 0:
            frame.attributes.update(_decoded(own.findall(source, middle, end)))
        return SKIP

    return visit


def _attribute_shortcut(syntax: Syntax) -> Action:
    """The action for dotted names: skips one of plain names, hands on any other."""
    match_flat, environment = (
        dotted_name_pattern(syntax.names.self_prefix).fullmatch,
        syntax.names.environment,
    )

    def visit(walk: Walk, node: Node, entry: Entry) -> bool | None:
        plain = match_flat(walk.source, node.start_byte, node.end_byte)
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
    """The name of a callee that is nothing but a call; None if it imports, raises or handles."""
    target = call_target(raw, 0, len(raw))
    watched = target in syntax.imports.calls or target in syntax.errors.raising_calls
    return None if watched or target.rpartition(".")[2] in syntax.errors.handler_calls else target


def _literal_shortcut(syntax: Syntax, flat_list: re.Pattern[bytes]) -> Action:
    """The action for lists and maps: skips one of plain values, walks any other."""
    match_flat, prefix = flat_list.fullmatch, syntax.names.self_prefix
    own, environment = own_attribute_pattern(prefix), syntax.names.environment

    def visit(walk: Walk, node: Node, entry: Entry) -> bool | None:
        literal(walk, node, entry)
        source, start, end = walk.source, node.start_byte, node.end_byte
        if (
            not match_flat(source, start, end)
            or (environment and source.find(environment, start, end) >= 0)
            or node.has_error
        ):
            return None
        if prefix and source.find(prefix, start, end) >= 0:
            walk.frame.attributes.update(_decoded(own.findall(source, start, end)))
        return SKIP

    return visit

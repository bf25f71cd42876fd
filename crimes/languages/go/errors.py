"""Errors as values: branches that look at one, and statements that throw one away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crimes.languages.engine.words import call_target
from crimes.languages.spec import HandlerHead
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

_ERROR = (
    rb"(?<![\w.])(?P<name>err|err[A-Z_0-9]\w*|[a-z]\w*Err)"  # a field that keeps an error is not a new one
)
_FAILED = regex(_ERROR + rb"\s*!=\s*nil\b")
_WENT_WELL = regex(_ERROR + rb"\s*==\s*nil\b")
# `errors.Is(err, X)`, `os.IsNotExist(err)`; and `err == io.EOF`
_ASKED = regex(rb"(?<![!\w.])(?P<call>[\w.]+)\(" + _ERROR + rb"\s*(?:,\s*&?(?P<kind>[\w.]+))?")
_EQUALS = regex(_ERROR + rb"\s*==\s*(?P<kind>[\w.]+)")
_ASSIGNED = regex(rb"\s*(?:,\s*\w+\s*)*:?=(?!=)")
_LOOK_BACK = 2000  # bytes
_LONGEST = 300


def error_branch(node: Node, source: bytes) -> HandlerHead | None:
    """What an `if` or a case does when a call has failed, if that is what it asks.

    `err != nil` catches everything; a comparison with one error, or a question about it, only that one.
    """
    condition = node.child_by_field_name("condition") or node.child_by_field_name("value")
    if condition is None:
        return None
    asked = source[condition.start_byte : min(condition.end_byte, condition.start_byte + _LONGEST)]
    if asked.find(b"rr") < 0:
        return None
    body = next((child for child in node.named_children if child.type == "statement_list"), None)
    kinds: tuple[str, ...] = ()
    if match := _ASKED.search(asked) or _EQUALS.search(asked):
        kind = match.group("kind") or match.group("call")
        if kind == b"nil":
            match = _WENT_WELL.search(asked)
            body = node.child_by_field_name("alternative")
            if body is None or body.type != "block":
                return None
        else:
            kinds = (kind.decode("utf-8", "replace"),)
    else:
        match = _FAILED.search(asked)
    if match is None:
        return None
    name = match.group("name")
    guarded, outlives = _guarded(node, name, source)
    error = name.decode("utf-8", "replace")
    return HandlerHead(kinds, error, guarded=guarded, body=body, outlives=outlives)


def _guarded(node: Node, name: bytes, source: bytes) -> tuple[tuple[int, int] | None, bool]:
    """The statement the error comes from, and whether its name was there before.

    It is part of the `if` itself, or the last one before it that assigns the error.
    """
    within = node.child_by_field_name("initializer")
    end = within.end_byte if within is not None else node.start_byte
    first = within.start_byte if within is not None else max(end - _LOOK_BACK, 0)
    at, assigned = end, None
    while assigned is None:
        at = source.rfind(name, first, at)
        if at < 0:
            return None, False
        assigned = _ASSIGNED.match(source, at + len(name)) if source[at - 1 : at].isspace() else None
    begin = within.start_byte if within is not None else at
    return (begin, at + len(source[at:end].rstrip())), b":" not in assigned.group()


def discards(node: Node, source: bytes) -> HandlerHead | None:
    """`_ = f()` and `x, _ := f()`: whether what is dropped is an error depends on `f`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.named_child_count != 1 or right.type != "expression_list":
        return None
    written = source[left.start_byte : left.end_byte]
    if written != b"_" and not written.endswith((b", _", b",_")):
        return None
    call = right.named_child(0)
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if call is None or arguments is None or call.type != "call_expression":
        return None
    return HandlerHead((call_target(source, call.start_byte, arguments.start_byte),))

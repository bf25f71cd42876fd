"""Errors as values: branches that handle an `Err`, and results that are discarded."""

from __future__ import annotations

import re

from crimes.languages.engine.nodes import Node, first_child, text_of
from crimes.languages.engine.words import call_target
from crimes.languages.spec import HandlerHead
from crimes.model.lazy_regex import regex

# `Err(…)`, also in `Some(Err(…))` or `Poll::Ready(Err(…))`.
_ERROR = regex(r"(?:[\w:]+\(\s*)?(?:\w+::)*Err\(\s*+(?P<inner>.*?)\s*+(?:,\s*+)?\)+", re.DOTALL, within=500)
_NAME = regex(r"(?:ref\s+|mut\s+)*([a-z_]\w*)")
_JUMPS = frozenset({"return_expression", "break_expression", "continue_expression"})
_COMMENTS = frozenset({"line_comment", "block_comment"})
_CALLS = frozenset({"call_expression", "macro_invocation"})


def error_branch(node: Node, source: bytes) -> HandlerHead | None:
    """`if let Err(e) = f() {…}`, or the arm `Err(e) => …` of a match."""
    if node.type == "match_arm":
        return _arm_head(node, source)
    condition = node.child_by_field_name("condition")
    if condition is None or source.find(b"Err", condition.start_byte, condition.end_byte) < 0:
        return None
    parts = condition.named_children if condition.type == "let_chain" else [condition]
    for part in parts:
        pattern, value = part.child_by_field_name("pattern"), part.child_by_field_name("value")
        if part.type == "let_condition" and pattern is not None and value is not None:
            body = node.child_by_field_name("consequence")
            return _head(text_of(pattern, source), "", value, body)
    return None


def _arm_head(node: Node, source: bytes) -> HandlerHead | None:
    pattern = node.child_by_field_name("pattern")
    if pattern is None or source.find(b"Err", pattern.start_byte, pattern.end_byte) < 0:
        return None
    condition = pattern.child_by_field_name("condition")
    pattern_source = source[pattern.start_byte : condition.start_byte if condition else pattern.end_byte]
    shape = pattern_source.decode("utf-8", "replace").strip()
    if condition is not None:
        shape = shape.removesuffix("if").strip()
    arms = node.parent
    match = arms.parent if arms is not None else None
    value = match.child_by_field_name("value") if match is not None else None
    if value is None:
        return None
    return _head(shape, text_of(condition, source), value, node.child_by_field_name("value"))


def _head(pattern: str, condition: str, value: Node, body: Node | None) -> HandlerHead | None:
    error = _ERROR.fullmatch(pattern)
    if error is None:
        return None
    name = _NAME.fullmatch(error["inner"])
    caught = condition if name else error["inner"]
    body, is_value = _unwrap_body(body)
    return HandlerHead(
        caught=(caught,) if caught else (),
        error_name=name[1] if name and name[1] != "_" else "",
        guarded=(value.start_byte, value.end_byte),
        body=body,
        body_is_value=is_value,
    )


def _unwrap_body(body: Node | None) -> tuple[Node | None, bool]:
    """The handling body, unwrapped from a block of one expression, and whether its value is used."""
    if body is None:
        return None, False
    if body.type == "block":
        inside = [child for child in body.named_children if child.type not in _COMMENTS]
        if len(inside) != 1 or inside[0].type in ("expression_statement", "let_declaration"):
            return body, False
        body = inside[0]
    return body, body.type not in _JUMPS


def discards(node: Node, source: bytes) -> HandlerHead | None:
    """`let _ = f();` and `f().ok();`."""
    if node.type == "let_declaration":
        if text_of(node.child_by_field_name("pattern"), source) != "_":
            return None
        return _discarded_call(node.child_by_field_name("value"), source)
    if not source.endswith(b".ok();", node.start_byte, node.end_byte):
        return None
    call = first_child(node)
    method = call.child_by_field_name("function") if call is not None else None
    return _discarded_call(method.child_by_field_name("value") if method is not None else None, source)


def _discarded_call(value: Node | None, source: bytes) -> HandlerHead | None:
    if value is not None and value.type == "await_expression":
        value = first_child(value)
    if value is None or value.type not in _CALLS:
        return None
    callee = value.child_by_field_name("function") or value.child_by_field_name("macro")
    if callee is None:
        return None
    return HandlerHead((call_target(source, callee.start_byte, callee.end_byte),))

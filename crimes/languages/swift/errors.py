"""Errors in Swift: what a `catch` handles, and what `try?` discards."""

from __future__ import annotations

import re

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.words import call_target
from crimes.languages.spec import HandlerHead
from crimes.model.lazy_regex import regex

_HEAD = regex(r"catch\b\s*(.*)", re.DOTALL)
_ERROR_NAME = regex(r"\b(?:let|var)\s+([a-z_]\w*)(?![\w.])")
_CAST = regex(r"\b(?:as|is)\s+(?:any\s+)?([\w.]+)")
_PATTERN = regex(r"(?:\b(?:let|var)\s+)?([\w.]*\.[\w.]+|[A-Z]\w*)(?=\s*+(?:\(|,|where\b|$))", within=500)
_CONDITION = regex(r"\bwhere\s+(.*)", re.DOTALL)
_CATCH_ALL = frozenset({"Error", "Swift.Error", "NSError"})
_DISCARDED = regex(rb"(?:(?:let\s+)?_\s*=\s*)?try\?\s*(?:await\s+)?(?P<call>[A-Za-z_][\w.?!]*)\s*[({]")
_MAX_CONDITION_LENGTH = 100
_MAX_HEAD_BYTES = 500
_STATEMENTS = frozenset({"catch_block", "do_statement", "if_statement", "for_statement"})


def handler(node: Node, source: bytes) -> HandlerHead:
    """`catch let e as T`, `catch is T`, `catch T.case(let x)`; without a pattern the error is called `error`."""
    opening = next((child.start_byte for child in node.children if child.type == "{"), node.end_byte)
    match = _HEAD.match(
        source[node.start_byte : min(opening, node.start_byte + _MAX_HEAD_BYTES)].decode("utf-8", "replace")
    )
    head = match.group(1).strip() if match else ""
    if not head:
        return HandlerHead((), "error")
    name = _ERROR_NAME.search(head)
    condition = _CONDITION.search(head)
    before = head[: condition.start()] if condition else head
    caught = _CAST.findall(before) or _PATTERN.findall(before)
    kinds = tuple(kind for kind in caught if kind not in _CATCH_ALL)
    if not kinds and condition:
        kinds = (condition.group(1).strip()[:_MAX_CONDITION_LENGTH],)
    return HandlerHead(kinds, name.group(1) if name else "")


def error_branch(node: Node, source: bytes) -> HandlerHead | None:
    """`guard let x = try? f() else { … }`: the block handles any error."""
    if source.find(b"try?", node.start_byte, node.end_byte) < 0 or node.type != "guard_statement":
        return None
    else_ = next((child for child in node.children if child.type == "else"), None)
    body = next((child for child in node.children if child.type == "statements"), None)
    if else_ is None or source.find(b"try?", node.start_byte, else_.start_byte) < 0:
        return None
    return HandlerHead(guarded=(node.start_byte, else_.start_byte), body=body)


def discards(node: Node, source: bytes) -> HandlerHead | None:
    """`try? f()` as a statement, and `_ = try? f()`."""
    match = _DISCARDED.match(source, node.start_byte, node.end_byte)
    if match is None or (node.type == "try_expression" and _is_used(node)):
        return None
    return HandlerHead((call_target(source, match.start("call"), match.end("call")).replace("?", ""),))


def _is_used(node: Node) -> bool:
    """Whether the value of an expression is used: it is part of another, or the whole body of a function."""
    block = node.parent
    parent = block.parent if block is not None and block.type == "statements" else None
    if block is None or parent is None:
        return True
    if block.named_child_count > 1 or parent.type in _STATEMENTS:
        return False
    if parent.type == "function_body" and parent.parent is not None:
        return any(child.type == "->" for child in parent.parent.children)
    return parent.type in ("lambda_literal", "computed_property", "computed_getter")

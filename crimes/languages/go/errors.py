"""Error values in Go: branches that check one, and statements that discard one."""

from __future__ import annotations

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.words import call_target
from crimes.languages.spec import HandlerHead
from crimes.model.lazy_regex import regex

# A variable only: a field that holds an error is not a new error.
_ERROR = rb"(?<![\w.])(?P<name>err|err[A-Z_0-9]\w*|[a-z]\w*Err)"
_FAILED = regex(_ERROR + rb"\s*!=\s*nil\b")
_SUCCEEDED = regex(_ERROR + rb"\s*==\s*nil\b")
# `errors.Is(err, X)`, `os.IsNotExist(err)`; and `err == io.EOF`
_ERROR_PREDICATE = regex(rb"(?<![!\w.])(?P<call>[\w.]+)\(" + _ERROR + rb"\s*(?:,\s*&?(?P<kind>[\w.]+))?")
_EQUALS = regex(_ERROR + rb"\s*==\s*(?P<kind>[\w.]+)")
_ASSIGNED = regex(rb"\s*(?:,\s*\w+\s*)*:?=(?!=)")
_MAX_LOOK_BACK_BYTES = 2000
_MAX_CONDITION_BYTES = 300


def error_branch(node: Node, source: bytes) -> HandlerHead | None:
    """The handler in an `if` or a case, if its condition checks whether a call failed.

    `err != nil` catches everything; a comparison with one error, or `errors.Is`, only that error.
    """
    condition = node.child_by_field_name("condition") or node.child_by_field_name("value")
    if condition is None:
        return None
    text = source[condition.start_byte : min(condition.end_byte, condition.start_byte + _MAX_CONDITION_BYTES)]
    if text.find(b"rr") < 0:
        return None
    body = next((child for child in node.named_children if child.type == "statement_list"), None)
    kinds: tuple[str, ...] = ()
    if match := _ERROR_PREDICATE.search(text) or _EQUALS.search(text):
        kind = match.group("kind") or match.group("call")
        if kind == b"nil":
            match = _SUCCEEDED.search(text)
            body = node.child_by_field_name("alternative")
            if body is None or body.type != "block":
                return None
        else:
            kinds = (kind.decode("utf-8", "replace"),)
    else:
        match = _FAILED.search(text)
    if match is None:
        return None
    name = match.group("name")
    guarded, outlives = _guarded(node, name, source)
    error = name.decode("utf-8", "replace")
    return HandlerHead(kinds, error, guarded=guarded, body=body, outlives=outlives)


def _guarded(node: Node, name: bytes, source: bytes) -> tuple[tuple[int, int] | None, bool]:
    """The span of the statement that sets the error, and whether the variable was declared before it.

    That is the initializer of the `if`, or the last assignment of the error before it.
    """
    initializer = node.child_by_field_name("initializer")
    end = initializer.end_byte if initializer is not None else node.start_byte
    earliest = initializer.start_byte if initializer is not None else max(end - _MAX_LOOK_BACK_BYTES, 0)
    at, assigned = end, None
    while assigned is None:
        at = source.rfind(name, earliest, at)
        if at < 0:
            return None, False
        assigned = _ASSIGNED.match(source, at + len(name)) if source[at - 1 : at].isspace() else None
    start = initializer.start_byte if initializer is not None else at
    return (start, at + len(source[at:end].rstrip())), b":" not in assigned.group()


def discards(node: Node, source: bytes) -> HandlerHead | None:
    """`_ = f()` and `x, _ := f()`: whether the discarded value is an error depends on `f`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.named_child_count != 1 or right.type != "expression_list":
        return None
    targets = source[left.start_byte : left.end_byte]
    if targets != b"_" and not targets.endswith((b", _", b",_")):
        return None
    call = right.named_child(0)
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if call is None or arguments is None or call.type != "call_expression":
        return None
    return HandlerHead((call_target(source, call.start_byte, arguments.start_byte),))

"""What a query cannot express for C and C++: names in declarators, includes, ignored errors."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.languages.engine.nodes import Node, text_of
from crimes.languages.spec import HandlerHead, ImportDraft
from crimes.model.facts import EdgeKind
from crimes.model.lazy_regex import regex

_MAX_DECLARATOR_DEPTH = 20
# A continuation of the file that includes it, which it often includes in turn: not a cycle to break.
_CONTINUATION = regex(
    r"(?:[-_.](?:inl|impl|detail)|\.(?:inl|ipp|tpp|inc|def|cc?|cpp|cxx|tcc))(?:\.h(?:pp|h)?)?$"
)
# `f(x) < 0`, `rc != OK`: checks for failure.
_FAILURE_CHECK = regex(
    rb"\(?\s*\w[^&|?]*\)\s*(?:<\s*0|[!=]=\s*-\s*1|!=\s*(?:0|NULL|nullptr|\w*(?:OK|SUCCESS)\w*))\s*\)?"
)


def declarator(node: Node) -> tuple[Node | None, Node | None]:
    """Name and parameters of a function: the innermost of its declarators has them."""
    name: Node | None = None
    parameters: Node | None = None
    inner = node.child_by_field_name("declarator")
    for _ in range(_MAX_DECLARATOR_DEPTH):
        if inner is None:
            break
        if inner.type in ("function_declarator", "abstract_function_declarator"):
            name = inner.child_by_field_name("declarator") or name
            parameters = inner.child_by_field_name("parameters")
        if inner.type == "operator_cast":
            return inner.child_by_field_name("type"), None
        inner = inner.child_by_field_name("declarator") or _wrapped(inner)
    return name, parameters


def _wrapped(node: Node) -> Node | None:
    """The declarator inside `(…)` or `&…`, which have no field for it."""
    return next((child for child in node.named_children if child.type.endswith("_declarator")), None)


def imports(node: Node, source: bytes) -> Iterator[ImportDraft]:
    """An include; angle brackets stay in the target. A continuation is linked as part of the file that includes it."""
    path = text_of(node.child_by_field_name("path"), source)
    target = path.strip('"') if path.startswith('"') else path
    if target:
        is_continuation = _CONTINUATION.search(target.strip("<>"))
        yield ImportDraft(target, kind=EdgeKind.LINKED if is_continuation else None)


def error_branch(node: Node, source: bytes) -> HandlerHead | None:
    """`if (save(x) < 0) {}`: a failure check with an empty body. Any other body is C's way to pass the error on."""
    if node.type != "if_statement" or node.child_by_field_name("alternative") is not None:
        return None
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if condition is None or body is None or body.type != "compound_statement":
        return None
    if any(child.type != "comment" for child in body.named_children):
        return None
    if not _FAILURE_CHECK.fullmatch(source, condition.start_byte, condition.end_byte):
        return None
    return HandlerHead(guarded=(condition.start_byte, condition.end_byte), body=body)


def handler(node: Node, source: bytes) -> HandlerHead:
    """A catch clause; `...` catches everything."""
    parameters = node.child_by_field_name("parameters")
    for parameter in parameters.named_children if parameters is not None else ():
        if parameter.type == "parameter_declaration":
            name = text_of(parameter.child_by_field_name("declarator"), source).strip("&* ")
            return HandlerHead((text_of(parameter.child_by_field_name("type"), source),), name)
    return HandlerHead()

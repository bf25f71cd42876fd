"""What a query cannot say of C and C++: names in declarators, includes, errors nobody looks at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crimes.languages.engine.nodes import text_of
from crimes.languages.spec import HandlerHead, ImportDraft
from crimes.model.facts import EdgeKind
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

DEPTH = 20
# The rest of another file, which includes that one in turn: not a circle to be cut.
_CONTINUATION = regex(
    r"(?:[-_.](?:inl|impl|detail)|\.(?:inl|ipp|tpp|inc|def|cc?|cpp|cxx|tcc))(?:\.h(?:pp|h)?)?$"
)
# `f(x) < 0`, `rc != OK`: how code asks whether something failed.
_FAILED = regex(
    rb"\(?\s*\w[^&|?]*\)\s*(?:<\s*0|[!=]=\s*-\s*1|!=\s*(?:0|NULL|nullptr|\w*(?:OK|SUCCESS)\w*))\s*\)?"
)


def declarator(node: Node) -> tuple[Node | None, Node | None]:
    """Name and parameters of a function: the innermost of its declarators has them."""
    name: Node | None = None
    parameters: Node | None = None
    inner = node.child_by_field_name("declarator")
    for _ in range(DEPTH):
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
    """An include; one between angles keeps them. What completes the file that includes it is part of it."""
    written = text_of(node.child_by_field_name("path"), source)
    target = written.strip('"') if written.startswith('"') else written
    if target:
        whole = _CONTINUATION.search(target.strip("<>"))
        yield ImportDraft(target, kind=EdgeKind.LINKED if whole else None)


def error_branch(node: Node, source: bytes) -> HandlerHead | None:
    """`if (save(x) < 0) {}`: a failure that is asked about, and then nothing is done. Other answers are C's way to pass it on."""
    if node.type != "if_statement" or node.child_by_field_name("alternative") is not None:
        return None
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if condition is None or body is None or body.type != "compound_statement":
        return None
    if any(child.type != "comment" for child in body.named_children):
        return None
    if not _FAILED.fullmatch(source, condition.start_byte, condition.end_byte):
        return None
    return HandlerHead((), "", (condition.start_byte, condition.end_byte), body)


def handler(node: Node, source: bytes) -> HandlerHead:
    """A catch clause; `...` catches everything."""
    parameters = node.child_by_field_name("parameters")
    caught = parameters.named_children if parameters is not None else []
    for one in caught:
        if one.type == "parameter_declaration":
            name = text_of(one.child_by_field_name("declarator"), source).strip("&* ")
            return HandlerHead((text_of(one.child_by_field_name("type"), source),), name)
    return HandlerHead()

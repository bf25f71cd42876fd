"""Who may use the definitions of one file, read on demand: only the files of a change are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from tree_sitter import Node, Query, QueryCursor

from crimes.languages.engine.facts import as_utf8, parse
from crimes.languages.engine.table import query_text, table_for
from crimes.languages.spec import Language, VisibilitySyntax
from crimes.model.lazy_regex import regex
from crimes.model.visibility import Reach, Visible

_SPACE = regex(r"\s+")
_PATH = regex(r"\(in\b.*\)", within=300)  # `pub(in crate::orders)`: where, does not matter
_NAME = regex(r"[^\W\d]\w*")
# Nodes that say nothing but who may use a definition, and nodes that hold these with other modifiers.
_EXACT_KINDS = frozenset({"visibility_modifier", "access_modifier", "accessibility_modifier"})
_MODIFIER_KINDS = _EXACT_KINDS | {"modifier"}


def read_visibility(language: Language, source: bytes) -> dict[str, Reach]:
    """By qualified name the reach of each definition; empty where the language has no such thing. Raises Unreadable."""
    source = as_utf8(source)
    if language.inner is not None:
        inner, code = language.inner(source)
        return read_visibility(inner, code)
    syntax = language.syntax
    if syntax is None or syntax.visibility is None:
        return {}
    query = _query(syntax.visibility.query, syntax.queries, syntax.grammar)
    reaches: dict[str, Reach] = {}
    hidden: dict[str, Reach] = {}
    for visible, is_statement in _definitions(syntax.visibility, query, parse(language, source).root_node):
        known = hidden if is_statement else reaches
        known[visible.qualname] = max(known.get(visible.qualname, visible.reach), visible.reach)
    return {**reaches, **hidden}


@cache
def _query(file: str, queries: tuple[str, ...], pointer: Callable[[], object]) -> Query:
    return Query(table_for(queries, pointer).grammar, query_text((file,)))


def _definitions(syntax: VisibilitySyntax, query: Query, root: Node) -> Iterator[tuple[Visible, bool]]:
    """Each definition that others may name, and whether a statement besides it says who may."""
    matches = [captures for _, captures in QueryCursor(query).matches(root)]
    owners = {
        node.id: _name(captures["owner"][0])
        for captures in matches
        if "owner" in captures
        for node in captures.get("class", ())
    }
    # Not followed: what stands in a function, and what is as visible as the interface or trait it stands in.
    items = {node.id for captures in matches for kind in ("item", "open") for node in captures.get(kind, ())}
    for captures in matches:
        statement, words = captures.get("statement", ()), captures.get("word", ())
        for node in (*statement, *captures.get("item", ())):
            owner = _owner(node, owners, items)
            if owner is None:
                continue
            reach = syntax.words[_text(words[0])] if words else _reach(syntax, node, is_member=bool(owner))
            yield from ((Visible(owner, _name(name), reach), bool(statement)) for name in captures["name"])


def _owner(node: Node, owners: dict[int, str], items: set[int]) -> str | None:
    """The name of the class around a definition, empty if there is none; None if it is not followed."""
    parent = node.parent
    while parent is not None:
        if parent.id in owners:
            return owners[parent.id]
        if parent.id in items:
            return None
        parent = parent.parent
    return ""


def _reach(syntax: VisibilitySyntax, node: Node, *, is_member: bool) -> Reach:
    """The reach that a definition states, or what it has without a word."""
    modifiers = [
        modifier
        for child in node.children
        for modifier in (child.children if child.type == "modifiers" else (child,))
        if modifier.type in _MODIFIER_KINDS or not modifier.is_named
    ]
    stated = [syntax.words[text] for modifier in modifiers if (text := _text(modifier)) in syntax.words]
    if stated:
        return max(stated)
    if any(modifier.type in _EXACT_KINDS for modifier in modifiers):
        return Reach.EVERYWHERE  # something that is not followed
    return syntax.member if is_member else syntax.top


def _text(node: Node) -> str:
    """A modifier without spaces and paths."""
    return _PATH.sub("(in)", _SPACE.sub("", (node.text or b"").decode("utf-8", "replace")))


def _name(node: Node) -> str:
    """The last word of a name, without type parameters, sigils and colons."""
    words = _NAME.findall((node.text or b"").decode("utf-8", "replace").partition("<")[0])
    return words[-1] if words else ""

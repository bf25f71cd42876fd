"""Which names a file uses while it is loaded: outside the bodies of functions, and not as mere types."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from crimes.languages import by_id
from crimes.languages.engine.nodes import Node
from crimes.languages.engine.reading import Unreadable
from crimes.languages.spec import ImportSyntax

_NAME_NODES = frozenset({"identifier", "shorthand_property_identifier"})


class NamesUsed(NamedTuple):
    """Those names that a file uses while it is loaded, and those that only its annotations use."""

    on_load: frozenset[str] = frozenset()
    only_in_annotations: frozenset[str] = frozenset()


def names_used(language_id: str, source: bytes, names: Collection[str]) -> NamesUsed | None:
    """When a file uses these names, plain or dotted; None where the language does not tell."""
    from crimes.languages.engine.facts import as_utf8, parse  # loads tree-sitter

    language = by_id[language_id]
    try:
        source = as_utf8(source)
        if language.inner is not None:
            language, source = language.inner(source)
        syntax = language.syntax.imports if language.syntax else None
        if syntax is None or syntax.load_order is None:
            return None
        root = parse(language, source).root_node
    except Unreadable:
        return None
    if not names:
        return NamesUsed()
    on_load, in_annotations, elsewhere = set[str](), set[str](), set[str]()
    for name, node in _uses(root, source, names, syntax):
        (in_annotations if _is_annotation(node, syntax) else elsewhere).add(name)
        if _runs_on_load(node, syntax, source):
            on_load.add(name)
    return NamesUsed(frozenset(on_load), frozenset(in_annotations - elsewhere))


def _uses(
    root: Node, source: bytes, names: Collection[str], syntax: ImportSyntax
) -> Iterator[tuple[str, Node]]:
    """Every place that uses one of the names as a value or a type."""
    # A name right after a single dot is a member of something else; after three it is spread.
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    for match in re.finditer(rf"(?<![\w$])(?:(?<!\.)|(?<=\.\.\.))(?:{words})(?![\w$])".encode(), source):
        start, end = match.start(), match.start() + len(match.group().partition(b".")[0])
        node = root.descendant_for_byte_range(start, end)
        if node is None or node.type not in _NAME_NODES or (node.start_byte, node.end_byte) != (start, end):
            continue
        if not any(syntax.binds(parent, child) for child, parent in _upwards(node)):
            yield match.group().decode(), node


def _upwards(node: Node) -> Iterator[tuple[Node, Node]]:
    """Pairs of node and parent, from this node to the root."""
    while (parent := node.parent) is not None:
        yield node, parent
        node = parent


def _is_annotation(node: Node, syntax: ImportSyntax) -> bool:
    return any(child.type in syntax.annotations for child, _ in _upwards(node))


def _runs_on_load(node: Node, syntax: ImportSyntax, source: bytes) -> bool:
    order = syntax.load_order
    return order is not None and not any(order(parent, child, source) for child, parent in _upwards(node))

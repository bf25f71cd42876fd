"""Which names a file uses while it is loaded: outside the bodies of functions, and not as mere types."""

from __future__ import annotations

import re
from collections.abc import Collection

from crimes.languages import by_id
from crimes.languages.engine.nodes import Node
from crimes.languages.engine.reading import Unreadable
from crimes.languages.spec import LoadOrder

_NAME_NODES = frozenset({"identifier", "shorthand_property_identifier"})


def used_on_load(language_id: str, source: bytes, names: Collection[str]) -> frozenset[str] | None:
    """Those of the names, plain or dotted, that are used on load; None where the language does not tell."""
    from crimes.languages.engine.facts import as_utf8, parse  # loads tree-sitter

    language = by_id[language_id]
    try:
        source = as_utf8(source)
        if language.inner is not None:
            language, source = language.inner(source)
        order = language.syntax.imports.load_order if language.syntax else None
        if order is None:
            return None
        root = parse(language, source).root_node
    except Unreadable:
        return None
    if not names:
        return frozenset()
    # A name right after a single dot is a member of something else; after three it is spread.
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    uses = re.finditer(rf"(?<![\w$])(?:(?<!\.)|(?<=\.\.\.))(?:{words})(?![\w$])".encode(), source)
    return frozenset(
        use.group().decode() for use in uses if _is_use(root, use.start(), use.group(), order, source)
    )


def _is_use(root: Node, start: int, name: bytes, order: LoadOrder, source: bytes) -> bool:
    end = start + len(name.partition(b".")[0])
    node = root.descendant_for_byte_range(start, end)
    if node is None or node.type not in _NAME_NODES or (node.start_byte, node.end_byte) != (start, end):
        return False
    while (parent := node.parent) is not None:
        if order(parent, node, source):
            return False
        node = parent
    return True

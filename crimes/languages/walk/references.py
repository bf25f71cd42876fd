"""Names a file uses, for languages whose files see each other without an import; and fields named without a prefix."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crimes.languages.table import Entry
from crimes.languages.walk.state import SKIP, Walk

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST = 120
_QUALIFIED = re.compile(rb"\\?[\w$\x80-\xff]+(?:(?:\.|::|\\)[\w$\x80-\xff]+)*")


def name(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A plain name. Only one that begins with a capital can be a type or constant of another file."""
    start = node.start_byte
    text = walk.source[start : node.end_byte]
    if text[:1].isupper():
        walk.references.setdefault(text, start)
    if walk.syntax.implicit_self and walk.frame is not walk.module:
        walk.frame.words.add(text)
    return SKIP


def reference(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A type, or a name with the package or type it stands in. What is not one plain name is looked into."""
    start, end = node.start_byte, node.end_byte
    text = walk.source[start:end]
    if end - start > LONGEST or not _QUALIFIED.fullmatch(text):
        return None
    walk.references.setdefault(text, start)
    return SKIP

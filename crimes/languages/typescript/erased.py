"""Imports that TypeScript erases: the compiler drops an import when all its names stand only where types do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from crimes.model import EdgeKind, Import

if TYPE_CHECKING:
    from tree_sitter import Node

# A decorator may ask for the types of parameters at run time, which keeps their imports.
_DECORATOR = re.compile(rb"^[ \t]*@\w", re.MULTILINE)
_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_MOST_USES = 100  # each is looked up in the tree; a name with more of them is taken for a value
_WORD = re.compile(rb"[\w$]")
_VALUES = frozenset({"identifier", "shorthand_property_identifier"})
_IMPORTING = frozenset({"import_specifier", "import_clause", "namespace_import"})


def erase(root: Node, source: bytes, imports: list[Import]) -> list[Import]:
    """The imports of a file, those that leave nothing at run time marked as type-only."""
    erased = {number for number, item in enumerate(imports) if _is_erased(root, source, item)}
    if not erased or _DECORATOR.search(_COMMENT.sub(b"", source)):
        return imports
    return [
        replace(item, kind=EdgeKind.TYPE_ONLY) if number in erased else item
        for number, item in enumerate(imports)
    ]


def _is_erased(root: Node, source: bytes, item: Import) -> bool:
    """Types have capital letters, nearly always; to look for others costs more time than it finds."""
    return (
        item.kind is EdgeKind.RUNTIME
        and item.function == -1
        and bool(item.names)
        and all(name.alias[:1].isupper() for name in item.names)
        and not any(_is_value(root, source, name.alias.encode()) for name in item.names)
    )


def _is_value(root: Node, source: bytes, name: bytes) -> bool:
    """Whether a name stands somewhere as a value."""
    start = source.find(name)
    for _ in range(_MOST_USES):
        if start == -1:
            return False
        end = start + len(name)
        if not _WORD.match(source, end) and not _WORD.match(source, start - 1 if start else end):
            node = root.descendant_for_byte_range(start, end)
            parent = node.parent if node is not None and node.type in _VALUES else None
            if parent is not None and parent.type not in _IMPORTING:
                return True
        start = source.find(name, end)
    return True

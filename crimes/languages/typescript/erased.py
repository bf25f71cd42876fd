"""Imports that TypeScript erases: the compiler drops an import when all its names stand only where types do."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from crimes.model.facts import EdgeKind, Import
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

# The compiler hands the types of decorated members on at run time, which keeps their imports.
_DECORATOR = regex(rb"^[ \t]*@\w", re.MULTILINE)
_COMMENT = regex(rb"/\*.*?(?:\*/|\Z)", re.DOTALL)
_MOST_USES = 100  # each is looked up in the tree; a name with more of them is taken for a value
_WORD = regex(rb"[\w$]")
_VALUES = frozenset({"identifier", "shorthand_property_identifier"})
_IMPORTING = frozenset({"import_specifier", "import_clause", "namespace_import"})


def erase(root: Node, source: bytes, imports: list[Import]) -> list[Import]:
    """The imports of a file, those that leave nothing at run time marked as type-only."""
    use = _Uses(root, source)
    return [replace(item, kind=EdgeKind.TYPE_ONLY) if use.erases(item) else item for item in imports]


class _Uses:
    """Where the names of one file stand."""

    def __init__(self, root: Node, source: bytes) -> None:
        self._root = root
        self._source = source

    @cached_property
    def _is_decorated(self) -> bool:
        return bool(_DECORATOR.search(_COMMENT.sub(b"", self._source)))

    def erases(self, item: Import) -> bool:
        """Types have capital letters, nearly always; to look for others costs more time than it finds."""
        return (
            item.kind is EdgeKind.RUNTIME
            and item.function == -1
            and bool(item.names)
            and all(name.alias[:1].isupper() for name in item.names)
            and not any(self._is_needed(name.alias.encode()) for name in item.names)
        )

    def _is_needed(self, name: bytes) -> bool:
        """Whether a name stands somewhere as a value, or as a type that a decorator hands on."""
        source = self._source
        start = source.find(name)
        for _ in range(_MOST_USES):
            if start == -1:
                return False
            end = start + len(name)
            if not _WORD.match(source, end) and not _WORD.match(source, start - 1 if start else end):
                node = self._root.descendant_for_byte_range(start, end)
                if node is not None and (_is_value(node) or (self._is_decorated and _is_handed_on(node))):
                    return True
            start = source.find(name, end)
        return True


def _is_value(node: Node) -> bool:
    return node.type in _VALUES and node.parent is not None and node.parent.type not in _IMPORTING


def _is_handed_on(node: Node) -> bool:
    """Whether a type belongs to a constructor, or to a member or parameter with a decorator."""
    if node.type != "type_identifier":
        return False
    around = node.parent
    while around is not None and around.type not in ("class_body", "implements_clause"):
        name = around.child_by_field_name("name") if around.type == "method_definition" else None
        before = around.prev_named_sibling
        if (
            (name is not None and name.text == b"constructor")
            or any(child.type == "decorator" for child in around.named_children)
            or (before is not None and before.type == "decorator")
        ):
            return True
        around = around.parent
    return False

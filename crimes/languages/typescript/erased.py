"""Imports that TypeScript erases: the compiler drops an import whose names are only used as types."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec.structs import replace

from crimes.languages.engine.nodes import Node
from crimes.model.facts import EdgeKind, Import
from crimes.model.lazy_regex import regex

# The compiler emits the types of decorated members, which keeps their imports.
_DECORATOR = regex(rb"^[ \t]*@\w", re.MULTILINE)
_COMMENT = regex(rb"/\*.*?(?:\*/|\Z)", re.DOTALL)
_MAX_USES = 100  # each is looked up in the tree; a name with more counts as a value
_WORD = regex(rb"[\w$]")
_VALUE_NODES = frozenset({"identifier", "shorthand_property_identifier"})
_IMPORT_NODES = frozenset({"import_specifier", "import_clause", "namespace_import"})


def erase(root: Node, source: bytes, imports: list[Import]) -> list[Import]:
    """The imports of a file, with erased ones marked as type-only."""
    uses = _Uses(root, source)
    return [replace(item, kind=EdgeKind.TYPE_ONLY) if uses.erases(item) else item for item in imports]


class _Uses:
    """Uses of the names of one file."""

    def __init__(self, root: Node, source: bytes) -> None:
        self._root = root
        self._source = source

    @cached_property
    def _is_decorated(self) -> bool:
        return bool(_DECORATOR.search(_COMMENT.sub(b"", self._source)))

    def erases(self, item: Import) -> bool:
        """Whether an import is erased. Only capitalised names are looked at: nearly all types are."""
        return (
            item.kind is EdgeKind.RUNTIME
            and item.function == -1
            and bool(item.names)
            and all(name.alias[:1].isupper() for name in item.names)
            and not any(self._is_needed(name.alias.encode()) for name in item.names)
        )

    def _is_needed(self, name: bytes) -> bool:
        """Whether a name is used as a value, or as a type that a decorator emits."""
        source = self._source
        start = source.find(name)
        for _ in range(_MAX_USES):
            if start == -1:
                return False
            end = start + len(name)
            if not _WORD.match(source, end) and not _WORD.match(source, start - 1 if start else end):
                node = self._root.descendant_for_byte_range(start, end)
                if node is not None and (_is_value(node) or (self._is_decorated and _is_emitted(node))):
                    return True
            start = source.find(name, end)
        return True


def _is_value(node: Node) -> bool:
    return node.type in _VALUE_NODES and node.parent is not None and node.parent.type not in _IMPORT_NODES


def _is_emitted(node: Node) -> bool:
    """Whether a type belongs to a constructor, or to a member or parameter with a decorator."""
    if node.type != "type_identifier":
        return False
    parent = node.parent
    while parent is not None and parent.type not in ("class_body", "implements_clause"):
        name = parent.child_by_field_name("name") if parent.type == "method_definition" else None
        before = parent.prev_named_sibling
        if (
            (name is not None and name.text == b"constructor")
            or any(child.type == "decorator" for child in parent.named_children)
            or (before is not None and before.type == "decorator")
        ):
            return True
        parent = parent.parent
    return False

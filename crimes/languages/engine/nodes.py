"""Helpers for syntax nodes that the languages share.

Never read a node's points (row and column): tree-sitter 0.26 frees their numbers while in use. Use offsets and `Lines`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node as Node
else:
    Node = object  # a name for annotations: only reading a file loads tree-sitter


def first_child(node: Node) -> Node | None:
    """The first named child, if any (`named_child` raises where there is none)."""
    return node.named_child(0) if node.named_child_count else None


def last_child(node: Node) -> Node | None:
    """The last named child, if any."""
    return node.named_child(node.named_child_count - 1) if node.named_child_count else None


def text_of(node: Node | None, source: bytes) -> str:
    """The source of a node, empty without one."""
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace") if node else ""

"""Two looks at a syntax node that the languages share.

Nobody asks a node for its points (row and column): with tree-sitter 0.26 the number they hold is freed while in use.
Offsets and `Lines` give the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


def first_child(node: Node) -> Node | None:
    """The first named child; asking the node for one it lacks would raise."""
    return node.named_child(0) if node.named_child_count else None


def text_of(node: Node | None, source: bytes) -> str:
    """The source of a node, empty without one."""
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace") if node else ""

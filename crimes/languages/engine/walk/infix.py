"""Functions and operators that stand between their operands, where a grammar has one kind of node for all of them."""

from __future__ import annotations

from crimes.languages.engine.nodes import Node, last_child
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.state import Walk, part

CHECKS = frozenset({"===", "=!="})  # assertions of test libraries
COMPARISONS = frozenset({"==", "!=", "<=", ">=", "===", "!=="})


def infix(walk: Walk, node: Node, entry: Entry) -> None:
    """`a shouldBe b` is a call, `a && b` a condition, `a += b` an assignment."""
    word = part(node, entry, "operator") or (node.named_child(1) if node.named_child_count > 1 else None)
    text = walk.text(word) if word is not None else ""
    if text in ("&&", "||"):
        _condition(walk, node, entry, text)
    elif text in ("class", "object"):  # `@Target(X) annotation class A`, which a grammar reads as operands
        last = last_child(node)
        if last is not None and walk.at_module_level():
            walk.definitions.add(walk.text(last))
    elif word is not None and (text[:1].isalpha() or text in CHECKS):
        walk.calls.append((text, word.start_byte, walk.frame.index, False))
        if walk.open_handlers:
            walk.note_in_handlers("call", node)
        _test_block(walk, node, entry, word)
    elif walk.open_handlers and text.endswith("=") and text not in COMPARISONS:
        walk.note_in_handlers("assign", node)


def _condition(walk: Walk, node: Node, entry: Entry, text: str) -> None:
    """A run of one operator costs 1, however long."""
    walk.frame.cyclomatic += 1
    left = part(node, entry, "left")
    if left is not None and left.kind_id == node.kind_id:
        inner = part(left, entry, "operator")
        if inner is not None and walk.text(inner) == text:
            return
    walk.frame.add_flat_cost()


def _test_block(walk: Walk, node: Node, entry: Entry, word: Node) -> None:
    """`"a stack" should "be empty" in { … }`: the block is a test, the last text before it its name."""
    tests, text = walk.test_syntax.calls, walk.text(word)
    right = part(node, entry, "right")
    if tests is None or right is None or walk.role(right) != "block" or not tests.match(text):
        return
    label = part(node, entry, "left")
    if label is not None and label.kind_id == node.kind_id:
        label = part(label, entry, "right")
    walk.test_blocks.add(right.id)
    walk.open_calls.append((node.end_byte, word.start_byte, text, label, right.start_byte))

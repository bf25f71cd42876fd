"""The control structures of one function, as a tree of parts in the order of the source.

The arms of a chain (`if`, `else if`, `else`) are parts beside each other, whatever way the grammar nests them; so are the body
of a `try` and its handlers. Costs are those of cognitive complexity: see frames.py.
"""

from __future__ import annotations

from operator import itemgetter

from tree_sitter import Query, QueryCursor

from crimes.languages.engine.nodes import Node, first_child
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.control import JUMPS
from crimes.languages.engine.walk.frames import FunctionFrame
from crimes.languages.engine.walk.nesting import keyword
from crimes.languages.engine.walk.state import Reader, Walk, guards_hold, part

_STRUCTURES = frozenset({"loop", "switch", "ternary", "handler", "catches"})
_OPERATORS = ("&&", "||")
_CHAINED = ("if", "elseif")
_ROLES = _STRUCTURES | frozenset(
    {
        "function",
        "lambda",
        "if",
        "elseif",
        "else",
        "case",
        "arm",
        "try",
        "logical",
        "infix",
        "jump",
        "transfer",
    }
    | {"markup", "directive"}
)
_LAST_ARM = Entry("last arm")


class Part:
    """A structure, an arm of one, or a condition."""

    __slots__ = (
        "deeper",
        "end",
        "flat",
        "frame",
        "in_markup",
        "inner",
        "is_dispatch",
        "node",
        "parent",
        "raw_flat",
        "reason",
        "role",
        "slope",
        "start",
        "structural",
    )

    def __init__(self, role: str, node: Node, parent: Part | None) -> None:
        self.role = role
        self.node = node
        self.start = node.start_byte
        self.end = node.end_byte
        self.parent = parent
        self.inner: list[Part] = []
        self.frame: FunctionFrame | None = None  # of a function that is a fact
        self.structural = self.raw_flat = self.deeper = 0  # costs 1 plus its nesting; costs 1; levels it adds
        self.in_markup: bool = (
            parent is not None and parent.in_markup
        )  # conditions there only choose what is shown
        # What follows is set by tangle.py.
        self.is_dispatch = False
        self.reason = ""  # why it is left out
        self.flat = self.slope = 0  # its cost without nesting, and what each level around it adds
        if parent is not None:
            parent.inner.append(self)

    def break_flow(self) -> None:
        """Cost 1 plus the nesting, and add a level."""
        self.deeper = 1
        self.structural = 0 if self.in_markup else 1

    def cost_one(self) -> None:
        self.raw_flat = 0 if self.in_markup else 1

    @property
    def is_named_function(self) -> bool:
        return self.frame is not None and not self.frame.anonymous


class _Outline:
    """The outline of one function while its nodes are visited."""

    def __init__(self, walk: Walk, frames: dict[int, FunctionFrame]) -> None:
        self.walk = walk
        self.frames = frames  # by the id of their node
        self.parts: list[Part] = []
        self.open: list[Part] = []

    def add(self, role: str, node: Node, parent: Part | None) -> Part:
        added = Part(role, node, parent)
        self.parts.append(added)
        self.open.append(added)
        return added

    def add_arm(self, role: str, node: Node) -> Part:
        """An arm of the structure whose first arm is open; elsewhere, a part like any other."""
        top = self.open[-1]
        beside = top.role in ("then", "elseif") and top.parent is not None
        return self.add(role, node, top.parent if beside else top)

    def visit(self, node: Node, entry: Entry) -> None:
        role, top = entry.role, self.open[-1] if self.open else None
        if top is None or role in ("function", "lambda"):
            self._function(node, entry, top)
        elif role == "if":
            self._if(node, entry, top)
        elif role == "elseif":
            self.add_arm("elseif", node).cost_one()
        elif entry is _LAST_ARM:
            self.add_arm("else", node).cost_one()
        elif role == "directive":
            condition = part(node, entry, "condition")
            self.walk.directive_end = condition.end_byte if condition is not None else 0
        elif role == "else":
            only = first_child(node) if node.named_child_count == 1 else None
            if only is None or only.id not in self.walk.else_ifs:
                self.add_arm("else", node).cost_one()
        elif role in _STRUCTURES:
            added = self.add_arm(role, node) if role == "handler" else self.add(role, node, top)
            added.break_flow()
        elif role in ("case", "arm"):
            if top.role != "arm" and top.start != node.start_byte:
                self.add(role, node, top)
        elif role == "try":
            if not entry.guards or guards_hold(node, entry):
                self.add("then", node, self.add("try", node, top))
        elif role == "binding":
            if "else" in entry.parts and part(node, entry, "else") is not None:
                self.add("let else", node, top).structural = int(not top.in_markup)
        elif role == "markup":
            self.add(role, node, top).in_markup = True
        else:
            self._condition(node, entry, top)

    def _function(self, node: Node, entry: Entry, top: Part | None) -> None:
        frame = self.frames.get(node.id)
        if top is not None and frame is None and entry.role == "function" and "name" in entry.parts:
            return  # a declaration without a body, or a statement that is misread as a function
        added = self.add("function", node, top)
        added.frame = frame
        around = top
        while around is not None and around.frame is None:
            around = around.parent
        added.deeper = 0 if around is not None and around.frame is not None and around.frame.flat else 1
        if frame is not None:
            added.in_markup = False
            added.raw_flat = int(frame.recursive)

    def _if(self, node: Node, entry: Entry, top: Part) -> None:
        if node.id in self.walk.else_ifs:
            self.add_arm("elseif", node).cost_one()
        else:
            added = self.add("if", node, top)
            added.break_flow()
            self.add("then", node, added)

    def last_arm(self, node: Node, entry: Entry) -> Node | None:
        """The node of the last arm of a chain, if it has no role of its own."""
        other = part(node, entry, "else")
        if other is None:
            return None
        if not other.child_count:  # the keyword: take what follows it
            other = other.next_named_sibling or other
        return None if self.walk.role(other) in _CHAINED else other

    def _condition(self, node: Node, entry: Entry, top: Part) -> None:
        walk, role = self.walk, entry.role
        if role == "logical":
            costs = guards_hold(node, entry) and self._begins_run(node, entry)
        elif role == "infix":
            costs = self._infix_begins_run(node, entry)
        elif role in ("jump", "transfer"):
            costs = bool(entry.guards) and keyword(walk, node) in JUMPS and guards_hold(node, entry)
        else:
            return
        if costs:
            self.add(role, node, top).cost_one()

    def _begins_run(self, node: Node, entry: Entry) -> bool:
        walk = self.walk
        if node.start_byte < walk.directive_end or walk.role(part(node, entry, "right")) == "markup":
            return False
        if walk.syntax.operators_nest_right and node.id in walk.continued:
            return False
        left, operator = part(node, entry, "left"), part(node, entry, "operator")
        if left is None or operator is None or left.kind_id != node.kind_id:
            return True
        inner = part(left, entry, "operator")
        return inner is None or inner.kind_id != operator.kind_id

    def _infix_begins_run(self, node: Node, entry: Entry) -> bool:
        text = self._operator(node, entry)
        left = part(node, entry, "left")
        if text not in _OPERATORS:
            return False
        return left is None or left.kind_id != node.kind_id or self._operator(left, entry) != text

    def _operator(self, node: Node, entry: Entry) -> str:
        word = part(node, entry, "operator") or (node.named_child(1) if node.named_child_count > 1 else None)
        return self.walk.text(word) if word is not None else ""


def outline_of(walk: Walk, frame: FunctionFrame, frames: dict[int, FunctionFrame]) -> list[Part]:
    """The parts of a function in the order of the source; the first is the function itself."""
    if frame.node is None:
        return []
    outline = _Outline(walk, frames)
    opened, entries = outline.open, walk.entries
    walk.directive_end = 0
    nodes = QueryCursor(_control_query(walk.reader)).captures(frame.node).get("control", [])
    rows = [(node.start_byte, -node.end_byte, 1, node, entries[node.kind_id]) for node in nodes]
    last_arms = [outline.last_arm(node, entry) for _, _, _, node, entry in rows if entry.role in _CHAINED]
    rows += [(arm.start_byte, -arm.end_byte, 0, arm, _LAST_ARM) for arm in last_arms if arm is not None]
    rows.sort(key=itemgetter(0, 1, 2))
    start, end = frame.node.start_byte, -frame.node.end_byte
    for node_start, node_end, _, node, entry in rows:
        if node_start < start or node_end < end:
            continue  # a node around the function
        while opened and opened[-1].end <= node_start:
            opened.pop()
        outline.visit(node, entry)
    return outline.parts


def _control_query(reader: Reader) -> Query:
    """The query for nodes that can cost something; built once per language."""
    if reader.control_query is None:
        grammar, patterns = reader.table.grammar, []
        for kind, entry in reader.table.entries.items():
            if entry.role in _ROLES or (entry.role == "binding" and "else" in entry.parts):
                patterns.append(f"({grammar.node_kind_for_id(kind)}{_guards_text(reader, entry)}) @control")
        reader.control_query = Query(grammar, "\n".join(patterns))
    return reader.control_query


def _guards_text(reader: Reader, entry: Entry) -> str:
    """The guards of an entry that name tokens of a field, as a query writes them: most operators decide nothing."""
    field_name = reader.table.grammar.field_name_for_id
    text = ""
    for selector, tokens in entry.guards:
        if isinstance(selector, int) and tokens:
            allowed = " ".join(f'"{token}"' for token in sorted(tokens))
            text += f" {field_name(selector)}: [{allowed}]"
    other = entry.parts.get("else") if entry.role == "binding" else None
    return text + (f" {field_name(other)}: (_)" if isinstance(other, int) else "")

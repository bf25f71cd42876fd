"""The state of one walk, its loop, and the helpers for nodes that actions share.

Offsets stay raw; lines are looked up only for what becomes a fact. `find` replaces `in`, since `bytes in bytes` raises and
catches an exception inside CPython. A scan spends its time in this loop and the actions: they read as little of a
node as they can.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tree_sitter import Query, Tree

from crimes.languages.engine.lines import Lines
from crimes.languages.engine.nodes import Node, first_child
from crimes.languages.engine.table import Entry, Table
from crimes.languages.engine.walk.frames import ClassFrame, FunctionFrame, HandlerFrame, Namespace, TryFrame
from crimes.languages.spec import ImportDraft, Syntax
from crimes.model.facts import (
    Comment,
    EdgeKind,
    Export,
    Handler,
    Import,
    Overwrite,
    Param,
    ParseError,
    Repeat,
    Statement,
    Text,
)
from crimes.model.lazy_regex import regex

_COMMENT = regex(rb"//[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
_WHITE = b" \t\n\r\f\v"
_ENDS = regex(rb"[;{},=]")
SKIP = True  # returned by an action: do not visit the children

# An action returns SKIP, or the offset of the first child to visit where those before it hold no facts.
Action = Callable[["Walk", "Node", Entry], int | None]
Actions = list[tuple[Action, Entry] | None]  # by kind id; None: neither this kind nor its children matter


# end, arguments' start, target, arguments, start of a block that follows them
OpenCall = tuple[int, int, str, "Node | None", int]


def _inside(walk: Walk, node: Node, entry: Entry) -> None:
    """Nothing: only the children may matter."""


INSIDE = (_inside, Entry("inside"))  # the loop recognises it and does not call it


class Reader:
    """What all walks of one language share. The memos hold what depends on nothing but a node's tree and text."""

    def __init__(self, syntax: Syntax, table: Table, actions: Actions) -> None:
        self.syntax = syntax
        self.table = table
        self.actions = actions
        # Whether a name can be bound to a function that has none of its own.
        self.has_anonymous = any(
            entry.role == "function" and "name" not in entry.parts for entry in table.entries.values()
        )
        self.says_keyword = any(
            entry.role == "parameter" and "keyword" in entry.parts for entry in table.entries.values()
        )
        self.has_references = any(entry.role in ("name", "reference") for entry in table.entries.values())
        self.control_query: Query | None = None  # built when the first function needs it
        self.params: dict[tuple[str, bytes], tuple[Param, ...]] = {}
        self.imports: dict[tuple[str, bytes], tuple[ImportDraft, ...]] = {}


_WALK_ATTRIBUTES = """
_leavers _new_leavers arguments awaited bare_end bare_start calls classes comments continued declared
declared_at decorators decorators_end definitions directive_end else_ifs entries error_syntax errors exports
field frame free_names function_syntax functions handler_functions handlers has_export_list import_guards
import_syntax imports inner_calls inside key_at lines members module name_syntax names namespace_path
namespaces open_calls open_handlers open_tries overwrites packages reader references repeats scopes source starts statement_end
statements syntax test_blocks test_scopes test_syntax texts tokens_end tracks_declared type_parameters
types_by_name
"""


class Walk:
    """One walk over one file."""

    # Without slots, so many attributes would be looked up in a dictionary.
    __slots__ = tuple(_WALK_ATTRIBUTES.split())

    def __init__(self, source: bytes, reader: Reader) -> None:
        self.source = source
        self.reader = reader
        self.syntax = syntax = reader.syntax
        # Actions read these often: one look-up instead of two.
        self.import_syntax = syntax.imports
        self.error_syntax = syntax.errors
        self.test_syntax = syntax.tests
        self.name_syntax = syntax.names
        self.function_syntax = syntax.functions
        self.entries = reader.table.entries
        self.lines = Lines(source)
        self.starts = self.lines.starts
        self.module = FunctionFrame(-1, "", "", 0, len(source))
        self.frame = self.module  # the function around the current node
        self.scopes: list[FunctionFrame | ClassFrame | Namespace] = [self.module]
        # what becomes facts
        self.functions: list[FunctionFrame] = []
        self.classes: list[ClassFrame] = []
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.has_export_list = False
        self.definitions: set[str] = set()
        self.calls: list[tuple[str, int, int, bool]] = []  # target, offset, function, awaited
        self.handlers: list[Handler] = []
        self.comments: list[Comment] = []
        self.texts: list[Text] = []
        self.statements: list[Statement] = []
        self.errors: list[ParseError] = []
        self.packages: list[str] = []
        self.repeats: list[Repeat] = []
        self.overwrites: list[Overwrite] = []
        self.references: dict[bytes, int] = {}  # name -> offset of its first use
        self.free_names: dict[bytes, int] | None = {} if syntax.names.free_names else None
        self.tracks_declared = syntax.names.free_names or syntax.names.bare_calls
        self.type_parameters: set[bytes] = set()  # names that stand for any type
        self.declared: set[bytes] = set()  # names that are local to some function
        self.key_at = -1  # where the last key of a literal begins
        self.declared_at = -1  # offset of a name that is declared, not used: the last field, a reopened class
        # where the walk is
        self.names: dict[int, str] = {}  # node id -> the name its binding gives it
        self.decorators: list[str] = []  # held for the definition they stand above
        self.decorators_end = 0  # offset where the last of them ends
        self.namespaces: list[
            str
        ] = []  # full names of those around the current node, where they are packages
        self.types_by_name: dict[str, ClassFrame] = {}  # types that methods outside their body belong to
        self.namespace_path = ""  # namespaces around the current node that are no packages
        self.directive_end = 0  # offset up to which the condition of a directive reaches
        self.tokens_end = 0  # offset up to which the tokens of a macro have been looked at
        self.test_scopes = 0  # scopes that hold tests around the current node
        self.inside: list[str] = []  # roles of the structures around the current node
        self.else_ifs: set[int] = set()
        self.continued: set[int] = set()  # ids of operators that go on with a run
        self.awaited: set[int] = set()
        self.open_tries: list[TryFrame] = []
        self.open_handlers: list[HandlerFrame] = []
        self.field = (0, "")  # end and name of the last field: its accessors are named after it
        self.members: set[int] = set()  # offsets of names that are members of what stands before them
        self.handler_functions: dict[int, tuple[int, int]] = {}  # function node id -> guarded span
        self.open_calls: list[OpenCall] = []
        self.test_blocks: set[int] = set()  # ids of blocks that are the bodies of tests
        self.inner_calls: set[int] = set()  # ids of calls that are the head of the call around them
        self.arguments: dict[int, set[int]] = {}  # id of an argument list -> offsets of what stands in it
        self.bare_start = self.bare_end = -1  # span of the last expression statement
        # spans of conditions, and the kind of the imports under them
        self.import_guards: list[tuple[int, int, EdgeKind]] = []
        self.statement_end = 0  # offset up to which the current module-level statement reaches
        # open nodes with leavers, innermost last: their depth, and what to call at their end, in order
        self._leavers: list[tuple[int, list[Callable[[], object]]]] = [(-1, [])]
        self._new_leavers: list[Callable[[], object]] = []  # of the node now being visited

    def run(self, tree: Tree) -> None:
        """Visit every node once, in order."""
        actions = self.reader.actions
        cursor = tree.walk()
        down, across, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        down_to = cursor.goto_first_child_for_byte
        new_leavers = self._new_leavers
        waiting = -1  # the last of the open depths
        depth = 0
        while True:
            pair = actions[(node := cursor.node).kind_id]  # type: ignore[union-attr]
            if pair is not None:
                if pair is not INSIDE:
                    skip = pair[0](self, node, pair[1])  # type: ignore[arg-type]
                    if new_leavers:
                        waiting = self._enter(depth)
                    if skip is not SKIP and (down_to(skip) is not None if skip else down()):
                        depth += 1
                        continue
                    while waiting == depth:
                        waiting = self._leave()
                elif down():
                    depth += 1
                    continue
            while not across():
                if not up():
                    return
                depth -= 1
                while waiting == depth:
                    waiting = self._leave()

    def _enter(self, depth: int) -> int:
        """Store the leavers that were added at a node of this depth."""
        self._leavers.append((depth, self._new_leavers[::-1]))
        self._new_leavers.clear()
        return depth

    def _leave(self) -> int:
        """Call the leavers of the innermost node that has some; returns the depth of the next one."""
        for leaver in self._leavers.pop()[1]:
            leaver()
        return self._leavers[-1][0]

    def on_leave(self, leaver: Callable[[], object]) -> None:
        """Call `leaver` when the node now being visited is left."""
        self._new_leavers.append(leaver)

    def hold_decorator(self, decorator: str, start: int, end: int) -> None:
        """Hold a decorator for the definition that follows it."""
        self.decorators = [*self.take_decorators(start), decorator]
        self.decorators_end = end

    def take_decorators(self, start: int) -> list[str]:
        """Decorators right above what begins at `start`; none if a statement ends in between."""
        taken, self.decorators = self.decorators, []
        if taken and _ENDS.search(_COMMENT.sub(b"", self.source[self.decorators_end : start])):
            return []
        return taken

    def drop_decorators(self) -> None:
        """Drop decorators of something that is no fact: a field, a parameter."""
        self.decorators.clear()

    def end_of(self, node: Node) -> int:
        """Where the code of a node ends, without trailing white space that indented blocks may include."""
        end = node.end_byte
        while end and self.source[end - 1] in _WHITE:
            inside = [child for child in node.named_children if self.role(child) != "comment"]
            if not inside:
                return end
            node = inside[-1]
            end = node.end_byte
        return end

    def slice(self, node: Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def role(self, node: Node | None) -> str:
        entry = self.entries.get(node.kind_id) if node is not None else None
        return entry.role if entry else ""

    def only_value(self, node: Node | None) -> Node | None:
        """A value; for a list of one value, that value."""
        if node is not None and self.role(node) == "values" and node.named_child_count == 1:
            return node.named_child(0)
        return node

    def marks_tests(self, decorators: Iterable[str]) -> bool:
        """Whether one of the decorators says that what they decorate is only there in tests."""
        tests = self.test_syntax.scopes
        return tests is not None and any(tests.match(decorator) for decorator in decorators)

    def at_module_level(self) -> bool:
        return self.scopes[-1] is self.module

    def note_in_handlers(self, word: str, node: Node) -> None:
        """Note what a node does for the handlers around it in the same function."""
        at = node.start_byte
        for handler in self.open_handlers:
            if handler.function is self.frame and handler.body <= at < handler.end:
                handler.does.add(word)

    def call_around(self, start: int, end: int) -> OpenCall | None:
        """The innermost call that has this span among its arguments."""
        for call in reversed(self.open_calls):
            if call[0] >= end:
                return call if call[1] <= start else None
        return None

    def top_statement(self, node: Node, kind: str, name: str, value: Node | None = None) -> None:
        """Note a module-level statement, unless it lies inside another."""
        if self.scopes[-1] is not self.module or node.start_byte < self.statement_end or self.module.lambdas:
            return
        self.statement_end = node.end_byte
        role = self.role(value).removeprefix("literal.")
        shape = "" if value is None else role if role not in ("", "skip", "binding", "values") else "other"
        if role == "skip" and value is not None and self.slice(value)[:1].isdigit():
            shape = "number"
        first, last = self.lines.line(node.start_byte), self.lines.last_line(node.end_byte)
        self.statements.append(Statement(first, last, kind, name, shape))


def part(node: Node, entry: Entry, name: str) -> Node | None:
    """The child of a node that a capture file names, if present."""
    selector = entry.parts.get(name)
    if selector is None:
        return None
    return node.child_by_field_id(selector) if isinstance(selector, int) else _child(node, selector)


def parts(node: Node, entry: Entry, name: str) -> list[Node]:
    """All children that a capture file gives this name: `var a, b = 1, 2` has two."""
    selector = entry.parts.get(name)
    if isinstance(selector, int):
        return [child for child in node.children_by_field_id(selector) if child.is_named]
    child = part(node, entry, name)
    return [child] if child is not None else []


def _child(node: Node, selector: int | tuple[int, ...]) -> Node | None:
    if isinstance(selector, int):
        return node.child_by_field_id(selector)
    return next((child for child in node.children if child.kind_id in selector), None)


def first_argument(walk: Walk, arguments: Node) -> Node | None:
    """The first argument of a list; some grammars wrap each in a node of its own."""
    first = first_child(arguments)
    return first_child(first) if first is not None and walk.role(first) == "argument" else first


def guards_hold(node: Node, entry: Entry) -> bool:
    """Whether the guards of a node's pattern hold."""
    for selector, tokens in entry.guards:
        child = _child(node, selector)
        if child is None or (tokens is not None and child.type not in tokens):
            return False
    return True

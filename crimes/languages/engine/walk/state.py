"""The state of one walk, the loop, and the few looks at a node that actions share.

Offsets are kept raw; lines are looked up only for what becomes a fact. `find` stands where `in` would read better:
bytes in bytes raises and catches an exception inside CPython. This loop and the actions are where a scan spends
its time: they ask a node for as little as they can.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from crimes.languages.engine.lines import Lines
from crimes.languages.engine.nodes import first_child
from crimes.languages.engine.table import Entry, Table
from crimes.languages.engine.walk.frames import ClassFrame, FunctionFrame, HandlerFrame, Namespace, TryFrame
from crimes.languages.spec import ImportDraft, Syntax
from crimes.model.facts import Comment, EdgeKind, Export, Handler, Import, Param, ParseError, Statement, Text
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_COMMENT = regex(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WHITE = b" \t\n\r\f\v"
_ENDS = regex(rb"[;{},=]")
SKIP = True  # an action's answer: do not visit the children

# What an action answers: SKIP, or the offset of the first child to visit where those before it hold nothing to see.
Action = Callable[["Walk", "Node", Entry], int | None]
Actions = list[tuple[Action, Entry] | None]  # by kind id; None: nothing at this kind and nothing below it


# end, arguments' start, target, arguments, start of a block that follows them
OpenCall = tuple[int, int, str, "Node | None", int]


def _inside(walk: Walk, node: Node, entry: Entry) -> bool | None:
    return None


INSIDE = (_inside, Entry("inside"))  # nothing at this kind, perhaps below it; the loop does not even call it


class Reader:
    """What all walks of one language share. The memos hold what depends on a slice of source and nothing else."""

    __slots__ = (
        "actions",
        "has_anonymous",
        "has_references",
        "imports",
        "params",
        "says_keyword",
        "syntax",
        "table",
    )

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
        self.params: dict[bytes, tuple[Param, ...]] = {}
        self.imports: dict[bytes, tuple[ImportDraft, ...]] = {}


class Walk:
    """One walk over one file."""

    # With this many attributes an object without slots would look up each of them in a dictionary.
    __slots__ = (
        "_asked",
        "_leavers",
        "arguments",
        "around",
        "awaited",
        "bare_end",
        "bare_start",
        "by_name",
        "calls",
        "classes",
        "comments",
        "continued",
        "declared",
        "declares",
        "decorators",
        "decorators_end",
        "definitions",
        "directive_end",
        "else_ifs",
        "entries",
        "errors",
        "exports",
        "field",
        "frame",
        "free",
        "functions",
        "handler_functions",
        "handlers",
        "has_export_list",
        "import_guards",
        "imports",
        "inner_calls",
        "inside",
        "key_at",
        "lines",
        "members",
        "module",
        "names",
        "namespaces",
        "open_calls",
        "open_handlers",
        "open_tries",
        "opened_at",
        "packages",
        "reader",
        "references",
        "scopes",
        "source",
        "starts",
        "statement_end",
        "statements",
        "syntax",
        "test_blocks",
        "test_scopes",
        "texts",
        "tokens_end",
        "type_parameters",
    )

    def __init__(self, source: bytes, reader: Reader) -> None:
        self.source = source
        self.reader = reader
        self.syntax = reader.syntax
        self.entries = reader.table.entries
        self.lines = Lines(source)
        self.starts = self.lines.starts
        self.module = FunctionFrame(-1, "", "", 0, len(source))
        self.frame = self.module  # the function around the current node
        self.scopes: list[FunctionFrame | ClassFrame | Namespace] = [self.module]
        # gathered
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
        self.references: dict[bytes, int] = {}  # name -> offset of its first use
        self.free: dict[bytes, int] | None = {} if self.syntax.free_names else None
        self.declares = self.syntax.free_names or self.syntax.bare_calls
        self.type_parameters: set[bytes] = set()  # names that stand for any type
        self.declared: set[bytes] = set()  # names that are local to some function
        self.key_at = -1  # where the last key of a literal begins
        self.opened_at = -1  # where a name is declared, not used: of the last field, of a class opened again
        # where the walk is
        self.names: dict[int, str] = {}  # node id -> the name its binding gives it
        self.decorators: list[str] = []  # waiting for the definition they stand above
        self.decorators_end = 0  # offset where the last of them ends
        self.namespaces: list[str] = []  # around this place, where they are packages
        self.by_name: dict[str, ClassFrame] = {}  # types that methods outside their body belong to
        self.around = ""  # namespaces around this place that are no packages
        self.directive_end = 0  # offset up to which the condition of a directive reaches
        self.tokens_end = 0  # offset up to which the tokens of a macro have been looked at
        self.test_scopes = 0  # parts that hold tests around this place
        self.inside: list[str] = []  # roles of the structures around this place
        self.else_ifs: set[int] = set()
        self.continued: set[int] = set()  # ids of operators that go on with a run
        self.awaited: set[int] = set()
        self.open_tries: list[TryFrame] = []
        self.open_handlers: list[HandlerFrame] = []
        self.field = (0, "")  # where the last field ends, and its name: what stands in it is named after it
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
        # nodes that wait for their end, innermost last: their depth, and what to call then, in order
        self._leavers: list[tuple[int, list[Callable[[], object]]]] = [(-1, [])]
        self._asked: list[Callable[[], object]] = []  # leavers of the node now being visited

    def run(self, tree: Tree) -> None:
        """Visit every node once, in order."""
        actions = self.reader.actions
        cursor = tree.walk()
        down, across, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        down_to = cursor.goto_first_child_for_byte
        asked = self._asked
        waiting = -1  # the last of the open depths
        depth = 0
        while True:
            found = actions[(node := cursor.node).kind_id]  # type: ignore[union-attr]
            if found is not None:
                if found is not INSIDE:
                    skip = found[0](self, node, found[1])  # type: ignore[arg-type]
                    if asked:
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
        """Keep the leavers that were asked for at a node of this depth."""
        self._leavers.append((depth, self._asked[::-1]))
        self._asked.clear()
        return depth

    def _leave(self) -> int:
        """Call the leavers of the innermost node that has some; the depth of the next one."""
        for leaver in self._leavers.pop()[1]:
            leaver()
        return self._leavers[-1][0]

    def on_leave(self, leaver: Callable[[], object]) -> None:
        """Call `leaver` when the node now being visited is left."""
        self._asked.append(leaver)

    def wait(self, decorator: str, start: int, end: int) -> None:
        """Keep a decorator for the definition that follows it."""
        self.decorators = [*self.take_decorators(start), decorator]
        self.decorators_end = end

    def take_decorators(self, start: int) -> list[str]:
        """Decorators right above what begins at `start`; after the end of a statement they were for something else."""
        taken, self.decorators = self.decorators, []
        if taken and _ENDS.search(_COMMENT.sub(b"", self.source[self.decorators_end : start])):
            return []
        return taken

    def drop_decorators(self) -> None:
        """Forget decorators of something that is no fact: a field, a parameter."""
        self.decorators.clear()

    def end_of(self, node: Node) -> int:
        """Where the code of a node ends: with indented blocks a node may reach to what follows it."""
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

    def single(self, node: Node | None) -> Node | None:
        """A value; for a list of values, the only one it holds."""
        if node is not None and self.role(node) == "values" and node.named_child_count == 1:
            return node.named_child(0)
        return node

    def at_module_level(self) -> bool:
        return self.scopes[-1] is self.module

    def does(self, word: str, node: Node) -> None:
        """Note what the handlers around a node do; a nested function's doings are not theirs."""
        at = node.start_byte
        for handler in self.open_handlers:
            if handler.function is self.frame and handler.body <= at < handler.end:
                handler.does.add(word)

    def call_around(self, start: int, end: int) -> OpenCall | None:
        """The innermost call among whose arguments this span lies."""
        for call in reversed(self.open_calls):
            if call[0] >= end:
                return call if call[1] <= start else None
        return None

    def top_statement(self, node: Node, kind: str, name: str, value: Node | None = None) -> None:
        """Keep a module-level statement; what lies inside it is not another one."""
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
    """The child of a node that a capture file names, if it is there."""
    told = entry.parts.get(name)
    if told is None:
        return None
    return node.child_by_field_id(told) if isinstance(told, int) else _child(node, told)


def parts(node: Node, entry: Entry, name: str) -> list[Node]:
    """All children that a capture file gives this name: `var a, b = 1, 2` has two."""
    told = entry.parts.get(name)
    if isinstance(told, int):
        return [child for child in node.children_by_field_id(told) if child.is_named]
    one = part(node, entry, name)
    return [one] if one is not None else []


def _child(node: Node, told: int | tuple[int, ...]) -> Node | None:
    if isinstance(told, int):
        return node.child_by_field_id(told)
    return next((child for child in node.children if child.kind_id in told), None)


def argument(walk: Walk, arguments: Node) -> Node | None:
    """The first argument of a list; some grammars wrap each in a node of its own."""
    first = first_child(arguments)
    return first_child(first) if first is not None and walk.role(first) == "argument" else first


def holds(node: Node, entry: Entry) -> bool:
    """Whether the guards of a node's pattern hold."""
    for told, tokens in entry.guards:
        child = _child(node, told)
        if child is None or (tokens is not None and child.type not in tokens):
            return False
    return True

"""One walk over one syntax tree, gathering facts. The only code that touches tree-sitter nodes in bulk.

Each node kind with a role has an action. An action may return SKIP to leave its children unvisited, and may register what
to do when its node is left (`_on_leave`). Offsets are kept raw; lines are looked up only for what becomes a fact.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from crimes.languages.frames import ClassFrame, FunctionFrame, HandlerFrame, TryFrame
from crimes.languages.lines import Lines
from crimes.languages.nodes import first_child
from crimes.languages.spec import ImportDraft, Syntax
from crimes.languages.table import KINDS, Entry, Table
from crimes.languages.words import (
    EMPTY_VALUES,
    INTERESTING,
    bound_names,
    call_target,
    last_segment,
    literal_value,
)
from crimes.model import (
    Call,
    Comment,
    EdgeKind,
    Export,
    Handler,
    Import,
    ImportedName,
    Param,
    ParseError,
    Statement,
    Text,
)

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

SKIP = True
_BOOLEAN_TYPE = re.compile(r"^:?\s*(?:Optional\[)?bool(?:ean)?\]?(?:\s*\|\s*(?:None|null|undefined))?$")
_BOOLEANS = frozenset({"True", "False", "true", "false"})
_COPES = ("ImportError", "ModuleNotFoundError", "Exception", "Error", "LoadError")
MAX_ERRORS = 20

Action = Callable[["Walker", "Node", Entry], bool | None]
Actions = list[tuple[Action, Entry] | None]  # by kind id


class Walker:
    """The state of one walk."""

    def __init__(self, source: bytes, syntax: Syntax, table: Table, actions: Actions) -> None:
        self.source = source
        self._actions = actions
        self.syntax = syntax
        self.entries = table.entries
        self.lines = Lines(source)
        self.module = FunctionFrame(-1, "", "", 0, len(source))
        self.frame = self.module
        self.functions: list[FunctionFrame] = []
        self.classes: list[ClassFrame] = []
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.definitions: set[str] = set()
        self.calls: list[Call] = []
        self.handlers: list[Handler] = []
        self.comments: list[Comment] = []
        self.texts: list[Text] = []
        self.statements: list[Statement] = []
        self.errors: list[ParseError] = []
        self.has_export_list = False
        self._scopes: list[FunctionFrame | ClassFrame] = [self.module]
        self._depth = 0
        self._open_depths = [-1]  # depths of nodes that wait for their end, innermost last
        self._leavers: list[Callable[[], None]] = []
        self._names: dict[int, str] = {}  # node id -> the name its binding gives it
        self._else_ifs: set[int] = set()
        self._inside: list[str] = []  # roles of the structures around this place
        self._awaited: set[int] = set()
        self._decorators: list[str] = []
        self._tries: list[TryFrame] = []
        self._handlers: list[HandlerFrame] = []
        self._handler_functions: dict[int, tuple[int, int]] = {}  # function node id -> guarded span
        self._calls: list[tuple[int, int, str, Node | None]] = []  # end, arguments' start, target, arguments
        self._bare: tuple[int, int] = (-1, -1)  # span of the last expression statement
        self._type_only: list[tuple[int, int]] = []
        self._statement_end = 0  # offset up to which the current module-level statement reaches

    def walk(self, tree: Tree) -> None:
        """Visit every node once, in order."""
        actions = self._actions
        cursor = tree.walk()
        down, across, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        open_depths = self._open_depths
        depth = 0
        while True:
            node = cursor.node
            found = actions[node.kind_id]  # type: ignore[union-attr]
            skip = None
            if found is not None:
                self._depth = depth
                action, entry = found
                skip = action(self, node, entry)  # type: ignore[arg-type]
            if not skip and down():
                depth += 1
                continue
            while True:
                while open_depths[-1] == depth:
                    open_depths.pop()
                    self._leavers.pop()()
                if across():
                    break
                if not up():
                    return
                depth -= 1

    # -- small tools ------------------------------------------------------------------------------------------------

    def _on_leave(self, leaver: Callable[[], None]) -> None:
        self._open_depths.append(self._depth)
        self._leavers.append(leaver)

    def _slice(self, node: Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def _part(self, node: Node, entry: Entry, part: str) -> Node | None:
        field_id = entry.parts.get(part)
        return node.child_by_field_id(field_id) if field_id is not None else None

    def _role(self, node: Node | None) -> str:
        entry = self.entries.get(node.kind_id) if node is not None else None
        return entry.role if entry else ""

    def _holds(self, node: Node, entry: Entry) -> bool:
        for field_id, tokens in entry.guards:
            child = node.child_by_field_id(field_id)
            if child is None or (tokens is not None and child.type not in tokens):
                return False
        return True

    def _at_module_level(self) -> bool:
        return self._scopes[-1] is self.module

    def _qualify(self, name: str) -> str:
        outer = self._scopes[-1].qualname
        return f"{outer}.{name}" if outer else name

    def _does(self, word: str) -> None:
        """Note what the handlers around this place do; a nested function's doings are not theirs."""
        for handler in self._handlers:
            if handler.function is self.frame:
                handler.does.add(word)

    def _error(self, node: Node, entry: Entry) -> bool | None:
        if len(self.errors) < MAX_ERRORS:
            self.errors.append(ParseError(self.lines.line(node.start_byte), self.lines.last_line(node.end_byte)))
        return None

    # -- definitions ------------------------------------------------------------------------------------------------

    def _function(self, node: Node, entry: Entry) -> bool | None:
        lines, source = self.lines, self.source
        name_node = self._part(node, entry, "name")
        start, end = lines.line(node.start_byte), lines.last_line(node.end_byte)
        name = self._slice(name_node).decode("utf-8", "replace") if name_node else self._names.pop(node.id, "")
        passed_to, label = ("", "") if name else self._receiver(node)
        if not name and start == end:
            return self._lambda(node, entry)
        frame = FunctionFrame(len(self.functions), name, "", start, end)
        frame.anonymous = not name
        frame.statement_like = name_node is not None
        if not name:
            called = last_segment(passed_to.removesuffix("()")) if passed_to else "anonymous"
            frame.name = f"{called}({label!r})" if label else f"{called}()"
        frame.qualname = self._qualify(frame.name)
        frame.passed_to = passed_to
        parameters = self._part(node, entry, "parameters")
        single = self._part(node, entry, "parameter")
        frame.params = self._params(parameters) if parameters else self._single_param(single)
        body = self._part(node, entry, "body")
        header = source[node.start_byte : (name_node or parameters or single or body or node).start_byte]
        frame.is_async = b"async" in header.split()
        frame.is_test = self._is_test(frame)
        frame.decorators, self._decorators = self._decorators, []
        frame.flat = self.syntax.nested_alone_is_flat and self._wraps_one_function(body)
        scope = self._scopes[-1]
        frame.parent = self.frame.index
        if isinstance(scope, ClassFrame):
            frame.class_index = scope.index
            scope.methods.append(frame.index)
        elif scope is self.module and name:
            self.definitions.add(name)
        outer = self.frame
        self.functions.append(frame)
        self._scopes.append(frame)
        self.frame = frame
        guarded = self._handler_functions.pop(node.id, None)
        if guarded and body:
            handler = HandlerFrame(node.start_byte, node.end_byte, frame, guarded)
            handler.error_name = frame.params[0].name if frame.params else ""
            handler.body = body.start_byte
            self._handlers.append(handler)

        def leave() -> None:
            if guarded and body:
                self._handlers.pop()
                self._finish_handler(handler, False)
            if frame.recursive:
                frame.plain()
            self.frame = outer
            self._scopes.pop()
            if outer is not self.module:
                outer.absorb(frame)
                inset = 0 if frame.statement_like else 1
                outer.nested.append((start + inset, end - inset))

        self._on_leave(leave)
        return None

    def _lambda(self, node: Node, entry: Entry) -> bool | None:
        frame = self.frame
        frame.nest += 1

        def leave() -> None:
            frame.nest -= 1

        self._on_leave(leave)
        return None

    def _wraps_one_function(self, body: Node | None) -> bool:
        """A decorator: nothing in the body but one function, its return, and perhaps a docstring."""
        if body is None:
            return False
        roles = [self._role(child) for child in body.named_children]
        kinds = [role for role in roles if role not in ("comment", "statement")]
        return len(kinds) == 2 and kinds[1] == "return" and kinds[0] in ("function", "")

    def _is_test(self, frame: FunctionFrame) -> bool:
        pattern = self.syntax.test_name
        if pattern is not None and not frame.anonymous and pattern.match(frame.name):
            return True
        return frame.passed_to.split(".")[0].removesuffix("()") in self.syntax.test_calls

    def _receiver(self, node: Node) -> tuple[str, str]:
        """The call a function is handed to and the first literal argument beside it."""
        call = self._call_around(node.start_byte, node.end_byte)
        if call is None:
            return "", ""
        _, _, target, arguments = call
        first = first_child(arguments) if arguments is not None else None
        if first is None or self._role(first) != "string":
            return target, ""
        return target, (literal_value(self._slice(first)) or "")[:60]

    def _call_around(self, start: int, end: int) -> tuple[int, int, str, Node | None] | None:
        """The innermost call among whose arguments this span lies."""
        for call in reversed(self._calls):
            if call[0] >= end:
                return call if call[1] <= start else None
        return None

    def _params(self, node: Node) -> tuple[Param, ...]:
        params: list[Param] = []
        starred = False
        for child in node.named_children:
            entry = self.entries.get(child.kind_id)
            if entry and entry.role == "comment":
                continue
            parts = entry if entry and entry.role == "parameter" else None
            name_node = self._part(child, parts, "name") if parts else child
            text = self._slice(name_node or child).decode("utf-8", "replace")
            star = "**" if text.startswith("**") else "*" if text.startswith(("*", "...")) else ""
            default = self._part(child, parts, "default") if parts else None
            kind = self._part(child, parts, "type") if parts else None
            value = self._slice(default).decode("utf-8", "replace") if default else ""
            written = self._slice(kind).decode("utf-8", "replace") if kind else ""
            name = (text if name_node is not None else text.split(":")[0]).strip("*. ")
            if name:
                boolean = value in _BOOLEANS or bool(_BOOLEAN_TYPE.match(written))
                params.append(Param(name[:60], default is not None, boolean, starred and not star, star))
            starred = starred or star == "*"
        return tuple(params)

    def _single_param(self, node: Node | None) -> tuple[Param, ...]:
        return (Param(self._slice(node).decode("utf-8", "replace")[:60], False, False, False, ""),) if node else ()

    def _class(self, node: Node, entry: Entry) -> bool | None:
        lines = self.lines
        name_node = self._part(node, entry, "name")
        name = self._slice(name_node).decode("utf-8", "replace") if name_node else self._names.pop(node.id, "")
        body = self._part(node, entry, "body")
        bases = self._part(node, entry, "bases")
        frame = ClassFrame(
            len(self.classes),
            name or "(class)",
            self._qualify(name or "(class)"),
            lines.line(node.start_byte),
            lines.last_line(node.end_byte),
            body.start_byte if body else node.end_byte,
        )
        if bases is not None:
            frame.bases = tuple(call_target(self._slice(child)) for child in bases.named_children)[:20]
        frame.decorators, self._decorators = self._decorators, []
        if self._at_module_level() and name:
            self.definitions.add(name)
        self.classes.append(frame)
        self._scopes.append(frame)

        def leave() -> None:
            self._scopes.pop()

        self._on_leave(leave)
        return None

    def _bases(self, node: Node, entry: Entry) -> bool | None:
        """A heritage clause without a field of its own."""
        scope = self._scopes[-1]
        if isinstance(scope, ClassFrame):
            words = call_target(self._slice(node).replace(b"extends", b" ").replace(b"implements", b","))
            scope.bases = tuple(word for word in words.split(",") if word)[:20]
        return None

    def _type(self, node: Node, entry: Entry) -> bool | None:
        name = self._part(node, entry, "name")
        if name is not None and self._at_module_level():
            self.definitions.add(self._slice(name).decode("utf-8", "replace"))
        return None

    def _decorator(self, node: Node, entry: Entry) -> bool | None:
        text = call_target(self._slice(node)).lstrip("@").removesuffix("()")
        self._statement_end = max(self._statement_end, node.end_byte)  # its call is not a statement of the module
        scope = self._scopes[-1]
        if isinstance(scope, ClassFrame) and node.start_byte < scope.body:
            scope.decorators.append(text)
        else:
            self._decorators.append(text)
        return None

    # -- names ------------------------------------------------------------------------------------------------------

    def _binding(self, node: Node, entry: Entry) -> bool | None:
        """A name and its value: names functions and classes, defines module-level names."""
        name = self._part(node, entry, "name")
        value = self._part(node, entry, "value")
        if name is None:
            return None
        written = self._slice(name)
        self._name_value(written, value)
        if self._handlers:
            self._does("assign")
        if not self._at_module_level():
            return None
        names = bound_names(written)
        self.definitions.update(names)
        text = written.decode("utf-8", "replace")
        for prefix in self.syntax.export_prefixes:
            if text.startswith(prefix):
                exported = text.removeprefix(prefix).lstrip(".") or "default"
                self.exports.append(Export(exported, self.lines.line(node.start_byte), exported))
        if self._role(value) not in ("function", "class"):
            self._top_statement(node, "assign", names[0] if names else text[:60], value)
        if names == [self.syntax.export_list] and value is not None:
            self.has_export_list = True
            line = self.lines.line(node.start_byte)
            for item in value.named_children:
                exported = literal_value(self._slice(item)) or ""
                if exported:
                    self.exports.append(Export(exported, line, exported))
        return None

    def _member(self, node: Node, entry: Entry) -> bool | None:
        """A key or field and its value: names functions and classes."""
        name = self._part(node, entry, "name")
        if name is not None:
            self._name_value(self._slice(name), self._part(node, entry, "value"))
        return None

    def _name_value(self, written: bytes, value: Node | None) -> None:
        if value is not None and self._role(value) in ("function", "class"):
            self._names[value.id] = last_segment(written.decode("utf-8", "replace").strip("\"'` "))[:60]

    def _top_statement(self, node: Node, kind: str, name: str, value: Node | None = None) -> None:
        """Keep a module-level statement; what lies inside it is not another one."""
        if not self._at_module_level() or node.start_byte < self._statement_end:
            return
        self._statement_end = node.end_byte
        role = self._role(value).removeprefix("literal.")
        shape = role if value is not None and role else "other" if value is not None else ""
        self.statements.append(
            Statement(self.lines.line(node.start_byte), self.lines.last_line(node.end_byte), kind, name, shape)
        )

    def _attribute(self, node: Node, entry: Entry) -> bool | None:
        prefix = self.syntax.self_prefix
        start = node.start_byte
        if prefix and self.source.startswith(prefix, start):
            name = self.source[start + len(prefix) : node.end_byte]
            if name.isalnum() or b"." not in name:
                text = name.decode("utf-8", "replace").strip()
                if text.isidentifier():
                    self.frame.attributes.add(text)
        return None

    # -- control flow -----------------------------------------------------------------------------------------------

    def _nest(self, node: Node, nest: int, control: int, *, structural: bool = True) -> None:
        """Count a structure, and go inside it."""
        frame = self.frame
        if frame is self.module:
            kind = {"if": "if", "for": "loop", "while": "loop", "do": "loop", "try": "try", "with": "with"}
            word = self._keyword(node)
            self._top_statement(node, kind.get(word, "other"), "")
        line = self.lines.line(node.start_byte) if not frame.control else 0
        frame.enter(line, self._keyword(node) if not frame.control else "", control)
        if structural:
            frame.structure()
        frame.nest += nest
        self._inside.append(self._role(node))

        def leave() -> None:
            frame.leave(nest, control)
            self._inside.pop()

        self._on_leave(leave)

    def _keyword(self, node: Node) -> str:
        word = re.match(rb"\w+", self.source[node.start_byte : node.start_byte + 20])
        return word.group().decode() if word else ""

    def _if(self, node: Node, entry: Entry) -> bool | None:
        frame = self.frame
        frame.cyclomatic += 1
        condition = self._part(node, entry, "condition")
        if condition is not None and self._slice(condition) in self.syntax.type_only_conditions:
            then = self._part(node, entry, "then")
            if then is not None:
                self._type_only.append((then.start_byte, then.end_byte))
        if node.id in self._else_ifs:
            frame.plain()
        else:
            self._nest(node, 1, 1)
        other = self._part(node, entry, "else")
        if other is not None:
            if self._role(other) == "if":
                self._else_ifs.add(other.id)
            else:
                frame.plain()
        return None

    def _elseif(self, node: Node, entry: Entry) -> bool | None:
        self.frame.cyclomatic += 1
        self.frame.plain()
        return None

    def _else(self, node: Node, entry: Entry) -> bool | None:
        only = first_child(node) if node.named_child_count == 1 else None
        if only is not None and self._role(only) == "if":
            self._else_ifs.add(only.id)
        elif self._inside and self._inside[-1] == "if":  # the `else` of a loop or a try decides nothing
            self.frame.plain()
        return None

    def _loop(self, node: Node, entry: Entry) -> bool | None:
        self.frame.cyclomatic += 1
        self._nest(node, 1, 1)
        return None

    def _switch(self, node: Node, entry: Entry) -> bool | None:
        self._nest(node, 1, 1)
        return None

    def _case(self, node: Node, entry: Entry) -> bool | None:
        self.frame.cyclomatic += 1
        self.frame.cases += 1
        return None

    def _ternary(self, node: Node, entry: Entry) -> bool | None:
        self.frame.cyclomatic += 1
        self._nest(node, 1, 0)
        return None

    def _comprehension_if(self, node: Node, entry: Entry) -> bool | None:
        self.frame.cyclomatic += 1
        return None

    def _logical(self, node: Node, entry: Entry) -> bool | None:
        """A run of one operator costs 1, however long; `x && <Tag/>` only says what is shown."""
        if not self._holds(node, entry):
            return None
        frame = self.frame
        frame.cyclomatic += 1
        right = self._part(node, entry, "right")
        if self._role(right) == "markup":
            return None
        left = self._part(node, entry, "left")
        operator = self._part(node, entry, "operator")
        same = (
            left is not None
            and left.kind_id == node.kind_id
            and operator is not None
            and (inner := left.child_by_field_id(entry.parts["operator"])) is not None
            and inner.type == operator.type
        )
        if not same:
            frame.plain()
        return None

    def _jump(self, node: Node, entry: Entry) -> bool | None:
        if entry.guards and self._holds(node, entry):  # only a jump to a label
            self.frame.plain()
        self._does(self._keyword(node))
        return None

    def _with(self, node: Node, entry: Entry) -> bool | None:
        self._top_statement(node, "with", "")
        return None

    def _markup(self, node: Node, entry: Entry) -> bool | None:
        frame = self.frame
        frame.markup += 1
        self._literal(node, entry)

        def leave() -> None:
            frame.markup -= 1

        self._on_leave(leave)
        return None

    def _literal(self, node: Node, entry: Entry) -> bool | None:
        first, last = self.lines.line(node.start_byte), self.lines.last_line(node.end_byte)
        if last > first + 1:
            spans = self.frame.literals
            if not spans or spans[-1][1] < last:
                spans.append((first, last))
        return None

    # -- errors -----------------------------------------------------------------------------------------------------

    def _try(self, node: Node, entry: Entry) -> bool | None:
        body = self._part(node, entry, "body") or node
        frame = TryFrame((body.start_byte, body.end_byte), len(self.imports))
        self._nest(node, 0, 1, structural=False)
        self._tries.append(frame)

        def leave() -> None:
            self._tries.pop()
            for handler in frame.handlers:
                self._finish_handler(handler, frame.has_finally)
            if any(not h.caught or any(c.endswith(_COPES) for c in h.caught) for h in frame.handlers):
                self._guard_imports(frame.first_import)

        self._on_leave(leave)
        return None

    def _guard_imports(self, first: int) -> None:
        for at in range(first, len(self.imports)):
            item = self.imports[at]
            self.imports[at] = Import(
                item.target, item.line, item.kind, item.names, item.alias, item.function, True
            )

    def _finally(self, node: Node, entry: Entry) -> bool | None:
        if self._tries:
            self._tries[-1].has_finally = True
        return None

    def _handler(self, node: Node, entry: Entry) -> bool | None:
        frame = self.frame
        frame.cyclomatic += 1
        self._nest(node, 1, 0)
        if not self._tries:
            return None
        head = self.syntax.handler(node, self.source)
        handler = HandlerFrame(node.start_byte, node.end_byte, frame, self._tries[-1].body)
        handler.caught, handler.error_name = head.caught, head.error_name
        body = self._part(node, entry, "body")
        if body is None and node.named_child_count:
            body = node.named_child(node.named_child_count - 1)
        handler.body = body.start_byte if body is not None else node.start_byte
        self._tries[-1].handlers.append(handler)
        self._handlers.append(handler)

        def leave() -> None:
            self._handlers.pop()

        self._on_leave(leave)
        return None

    def _finish_handler(self, draft: HandlerFrame, has_finally: bool) -> None:
        name = draft.error_name
        if name and re.search(rb"\b%s\b" % re.escape(name.encode()), self.source[draft.body : draft.end]):
            draft.does.add("uses_error")
        if not draft.does:
            draft.does.add("pass")
        lines = self.lines
        self.handlers.append(
            Handler(
                lines.line(draft.start),
                lines.last_line(draft.end),
                lines.line(draft.guarded[0]),
                lines.last_line(draft.guarded[1]),
                draft.function.index,
                draft.caught,
                name,
                tuple(sorted(draft.does)),
                has_finally,
            )
        )

    def _return(self, node: Node, entry: Entry) -> bool | None:
        if self._handlers:
            value = first_child(node)
            if value is None:
                self._does("return")
            else:
                empty = self._slice(value).decode("utf-8", "replace") in EMPTY_VALUES
                self._does("return_empty" if empty else "return_value")
        return None

    def _raise(self, node: Node, entry: Entry) -> bool | None:
        self._does("raise")
        return None

    def _assert(self, node: Node, entry: Entry) -> bool | None:
        self.frame.asserts += 1
        return None

    def _await(self, node: Node, entry: Entry) -> bool | None:
        value = first_child(node)
        if value is not None:
            self._awaited.add(value.id)
        return None

    # -- calls, imports, texts --------------------------------------------------------------------------------------

    def _call(self, node: Node, entry: Entry) -> bool | None:
        callee = self._part(node, entry, "target")
        if callee is None:
            return None
        target = call_target(self._slice(callee))
        frame = self.frame
        arguments = self._part(node, entry, "arguments")
        line = self.lines.line(callee.end_byte - 1)
        if frame is self.module:
            self._top_statement(node, "call", target)
        self.calls.append(Call(target, line, frame.index, node.id in self._awaited))
        calls, start = self._calls, node.start_byte
        while calls and calls[-1][0] <= start:
            calls.pop()
        calls.append((node.end_byte, arguments.start_byte if arguments else node.end_byte, target, arguments))
        if self._handlers:
            self._does("call")
        own = frame.name
        if own and target.endswith(own) and not frame.recursive:
            mine = self.syntax.self_prefix.decode() + own if frame.class_index >= 0 else own
            frame.recursive = target == mine
        if arguments is None:
            return None
        kind = self.syntax.import_calls.get(target)
        if kind is not None:
            first = first_child(arguments)
            value = literal_value(self._slice(first)) if first is not None and self._role(first) == "string" else None
            if value and "${" not in value:
                self._add_import(ImportDraft(value), line, node.start_byte, kind)
        elif target.rpartition(".")[2] in self.syntax.handler_calls:
            for argument in arguments.named_children:
                if self._role(argument) == "function":
                    self._handler_functions[argument.id] = (callee.start_byte, callee.end_byte)
        return None

    def _import(self, node: Node, entry: Entry) -> bool | None:
        line = self.lines.line(node.start_byte)
        for draft in self.syntax.imports(node, self.source):
            self._add_import(draft, line, node.start_byte, None)
        return SKIP

    def _add_import(self, draft: ImportDraft, line: int, offset: int, called: EdgeKind | None) -> None:
        in_function = self.frame is not self.module
        if draft.type_only or any(start <= offset < end for start, end in self._type_only):
            kind = EdgeKind.TYPE_ONLY
        elif called is EdgeKind.DYNAMIC:
            kind = EdgeKind.DYNAMIC
        elif in_function:
            kind = EdgeKind.DEFERRED
        else:
            kind = EdgeKind.REEXPORT if draft.reexport else EdgeKind.RUNTIME
        names: tuple[ImportedName, ...] = draft.names
        self.imports.append(Import(draft.target, line, kind, names, draft.alias, self.frame.index, False))

    def _export(self, node: Node, entry: Entry) -> bool | None:
        line = self.lines.line(node.start_byte)
        for draft in self.syntax.imports(node, self.source):
            self._add_import(draft, line, node.start_byte, None)
        for exported in self.syntax.exports(node, self.source):
            self.exports.append(Export(exported.name, line, exported.local))
        return None

    def _statement(self, node: Node, entry: Entry) -> bool | None:
        self._bare = (node.start_byte, node.end_byte)
        return None

    def _string(self, node: Node, entry: Entry) -> bool | None:
        start, end = node.start_byte, node.end_byte
        if self._bare == (start, end):  # a docstring, or a string that does nothing: not code
            self.lines.mask(start, end)
            return SKIP
        raw = self.source[start:end]
        if end - start < 220:
            match = INTERESTING.match(raw)
            if match:
                call = self._call_around(start, end)
                value = match.group("value").decode("utf-8", "replace")
                self.texts.append(Text(value, self.lines.line(start), self.frame.index, call[2] if call else ""))
        return b"{" not in raw  # an interpolation may hold calls

    def _comment(self, node: Node, entry: Entry) -> bool | None:
        start, end = node.start_byte, node.end_byte
        own = self.lines.first_on_line(start)
        if own:
            self.lines.mask(start, end)
        self.comments.append(
            Comment(
                self.lines.line(start),
                self.lines.last_line(end),
                self.source[start:end].decode("utf-8", "replace").rstrip(),
                own,
            )
        )
        return SKIP

    def _nothing(self, node: Node, entry: Entry) -> bool | None:
        return None


ACTIONS: dict[str, Action] = {
    "function": Walker._function,
    "lambda": Walker._lambda,
    "class": Walker._class,
    "bases": Walker._bases,
    "type": Walker._type,
    "decorator": Walker._decorator,
    "binding": Walker._binding,
    "member": Walker._member,
    "attribute": Walker._attribute,
    "parameter": Walker._nothing,
    "if": Walker._if,
    "elseif": Walker._elseif,
    "else": Walker._else,
    "loop": Walker._loop,
    "switch": Walker._switch,
    "case": Walker._case,
    "ternary": Walker._ternary,
    "comprehension_if": Walker._comprehension_if,
    "logical": Walker._logical,
    "jump": Walker._jump,
    "try": Walker._try,
    "finally": Walker._finally,
    "handler": Walker._handler,
    "with": Walker._with,
    "return": Walker._return,
    "raise": Walker._raise,
    "continue": Walker._jump,
    "break": Walker._jump,
    "assert": Walker._assert,
    "await": Walker._await,
    "yield": Walker._nothing,
    "call": Walker._call,
    "import": Walker._import,
    "export": Walker._export,
    "string": Walker._string,
    "comment": Walker._comment,
    "statement": Walker._statement,
    "markup": Walker._markup,
    "literal.list": Walker._literal,
    "literal.map": Walker._literal,
    "literal.set": Walker._literal,
}


def actions_of(table: Table) -> Actions:
    """What to do at each node kind; made once per language."""
    actions: Actions = [None] * KINDS
    for kind, entry in table.entries.items():
        actions[kind] = (ACTIONS[entry.role], entry)
    actions[KINDS - 1] = (Walker._error, Entry("error"))
    return actions

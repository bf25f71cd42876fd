"""Functions, classes, and the names things are bound to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crimes.languages.nodes import first_child
from crimes.languages.table import Entry
from crimes.languages.walk.frames import ClassFrame, FunctionFrame, HandlerFrame
from crimes.languages.walk.handlers import finish_handler
from crimes.languages.walk.state import Walk, part
from crimes.languages.words import EMPTY_VALUES, bound_names, call_target, last_segment, literal_value
from crimes.model import Export, Param

if TYPE_CHECKING:
    from tree_sitter import Node

_BOOLEAN_TYPE = re.compile(r"^:?\s*(?:Optional\[)?bool(?:ean)?\]?(?:\s*\|\s*(?:None|null|undefined))?$")
_BOOLEANS = frozenset({"True", "False", "true", "false"})
_NAME = re.compile(rb"\w+")
_WRAPPER = re.compile(rb"(?:React\.)?\w+(?:<.*>)?\s*", re.DOTALL)
_HOLDS_MORE = re.compile(rb"[(\[{]")
LONGEST_NAME = 60


def function(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A function becomes a fact when it has a name or more than one line; a short callback only deepens nesting."""
    lines = walk.lines
    start_byte = node.start_byte
    name_node = part(node, entry, "name")
    start, end = lines.line(start_byte), lines.last_line(node.end_byte)
    name = walk.text(name_node) if name_node is not None else walk.names.pop(node.id, "")
    if not name and start == end:
        return _small(walk, node, entry)
    frame = FunctionFrame(len(walk.functions), name, "", start, end)
    if name_node is None:
        frame.statement_like = False
    if not name:
        _name_by_call(walk, frame, node)
    scope, outer = walk.scopes[-1], walk.frame
    frame.qualname = f"{scope.qualname}.{frame.name}" if scope.qualname else frame.name
    parameters = part(node, entry, "parameters")
    single = part(node, entry, "parameter") if parameters is None else None
    body = part(node, entry, "body")
    if parameters is not None:
        frame.params = _params(walk, parameters)
    elif single is not None:
        frame.params = (Param(walk.text(single)[:LONGEST_NAME], False, False, False, ""),)
    header = walk.source[start_byte : (name_node or parameters or single or body or node).start_byte]
    frame.is_async = header.find(b"async") >= 0 and b"async" in header.split()
    frame.is_test = _is_test(walk, frame)
    if walk.decorators:
        frame.decorators, walk.decorators = walk.decorators, []
    frame.flat = walk.syntax.nested_alone_is_flat and body is not None and _wraps_one_function(walk, body)
    frame.parent = outer.index
    if isinstance(scope, ClassFrame):
        frame.class_index = scope.index
        scope.methods.append(frame.index)
    elif scope is walk.module and name:
        walk.definitions.add(name)
    walk.functions.append(frame)
    walk.scopes.append(frame)
    walk.frame = frame
    error_name = frame.params[0].name if frame.params else ""
    handler = _as_handler(walk, node, frame, body, error_name)

    def leave() -> None:
        if handler is not None:
            walk.open_handlers.pop()
            finish_handler(walk, handler, None)
        if frame.recursive:
            frame.plain()
        walk.frame = outer
        walk.scopes.pop()
        if outer is not walk.module:
            outer.absorb(frame)
            inset = 0 if frame.statement_like else 1
            outer.nested.append((start + inset, end - inset))

    walk.on_leave(leave)
    return None


def nesting_only(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A function too small to be a fact still deepens the nesting of what is inside it."""
    frame = walk.frame
    frame.nest += 1

    def leave() -> None:
        frame.nest -= 1

    walk.on_leave(leave)
    return None


def _small(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A one-line callback: it belongs to the function around it, and may still be what handles an error."""
    body = part(node, entry, "body")
    parameters = part(node, entry, "parameters")
    single = part(node, entry, "parameter")
    named = _params(walk, parameters) if parameters is not None else ()
    error = named[0].name if named else walk.text(single) if single is not None else ""
    handler = _as_handler(walk, node, walk.frame, body, error)
    nesting_only(walk, node, entry)
    if handler is not None:

        def leave() -> None:
            walk.open_handlers.pop()
            finish_handler(walk, handler, None)

        walk.on_leave(leave)
    return None


def _as_handler(
    walk: Walk, node: Node, frame: FunctionFrame, body: Node | None, error_name: str
) -> HandlerFrame | None:
    """The function handed to `.catch(...)` is a handler. A body that is an expression is what it returns."""
    guarded = walk.handler_functions.pop(node.id, None) if walk.handler_functions else None
    if guarded is None or body is None:
        return None
    handler = HandlerFrame(node.start_byte, node.end_byte, frame, guarded)
    handler.error_name = error_name
    handler.body = body.start_byte
    value = walk.text(body)
    if not value.startswith("{"):
        handler.does.add("return_empty" if value.strip("()") in EMPTY_VALUES else "return_value")
    walk.open_handlers.append(handler)
    return handler


def _wraps_one_function(walk: Walk, body: Node) -> bool:
    """A decorator: nothing in the body but one function, its return, and perhaps a docstring."""
    if body.named_child_count not in (2, 3):
        return False
    roles = [walk.role(child) for child in body.named_children]
    kinds = [role for role in roles if role not in ("comment", "statement")]
    return len(kinds) == 2 and kinds[1] == "return" and kinds[0] in ("function", "")


def _is_test(walk: Walk, frame: FunctionFrame) -> bool:
    syntax = walk.syntax
    if frame.anonymous:
        return syntax.test_calls is not None and syntax.test_calls.match(frame.passed_to) is not None
    return syntax.test_name is not None and syntax.test_name.match(frame.name) is not None


def _name_by_call(walk: Walk, frame: FunctionFrame, node: Node) -> None:
    """An anonymous function is named after the call it is handed to and the first literal beside it."""
    frame.anonymous = True
    label = ""
    call = walk.call_around(node.start_byte, node.end_byte)
    if call is not None and any(argument.id == node.id for argument in call[3].named_children):
        frame.passed_to = call[2]
        first = first_child(call[3])
        if first is not None and walk.role(first) == "string":
            label = (literal_value(walk.slice(first)) or "")[:LONGEST_NAME]
    called = last_segment(frame.passed_to.removesuffix("()")) if frame.passed_to else "anonymous"
    frame.name = f"{called}({label!r})" if label else f"{called}()"


def _params(walk: Walk, node: Node) -> tuple[Param, ...]:
    written = walk.slice(node)
    memo = walk.reader.params
    params = memo.get(written)
    if params is None:
        params = memo[written] = tuple(_read_params(walk, node))
    return params


def _read_params(walk: Walk, node: Node) -> list[Param]:
    params: list[Param] = []
    starred = False
    for child in node.named_children:
        entry = walk.entries.get(child.kind_id)
        if entry and entry.role == "comment":
            continue
        parts = entry if entry and entry.role == "parameter" else None
        name_node = part(child, parts, "name") if parts else child
        text = walk.text(name_node or child)
        star = "**" if text.startswith("**") else "*" if text.startswith(("*", "...")) else ""
        default = part(child, parts, "default") if parts else None
        kind = part(child, parts, "type") if parts else None
        name = (text if name_node is not None else text.split(":")[0]).strip("*. ")
        if name:
            boolean = (default is not None and walk.text(default) in _BOOLEANS) or (
                kind is not None and _BOOLEAN_TYPE.match(walk.text(kind)) is not None
            )
            params.append(
                Param(name[:LONGEST_NAME], default is not None, boolean, starred and not star, star)
            )
        starred = starred or star == "*"
    return params


def class_(walk: Walk, node: Node, entry: Entry) -> bool | None:
    lines = walk.lines
    name_node = part(node, entry, "name")
    name = walk.text(name_node) if name_node is not None else walk.names.pop(node.id, "")
    body, bases = part(node, entry, "body"), part(node, entry, "bases")
    outer = walk.scopes[-1].qualname
    label = name or "(class)"
    frame = ClassFrame(
        len(walk.classes),
        label,
        f"{outer}.{label}" if outer else label,
        lines.line(node.start_byte),
        lines.last_line(node.end_byte),
        body.start_byte if body is not None else node.end_byte,
    )
    if bases is not None:
        frame.bases = tuple(call_target(walk.slice(child)) for child in bases.named_children)[:20]
    frame.decorators, walk.decorators = walk.decorators, []
    if walk.at_module_level() and name:
        walk.definitions.add(name)
    walk.classes.append(frame)
    walk.scopes.append(frame)

    def leave() -> None:
        walk.scopes.pop()

    walk.on_leave(leave)
    return None


def bases(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A heritage clause without a field of its own."""
    scope = walk.scopes[-1]
    if isinstance(scope, ClassFrame):
        words = call_target(walk.slice(node).replace(b"extends", b" ").replace(b"implements", b","))
        scope.bases = tuple(word for word in words.split(",") if word)[:20]
    return None


def type_(walk: Walk, node: Node, entry: Entry) -> bool | None:
    name = part(node, entry, "name")
    if name is not None and walk.at_module_level():
        walk.definitions.add(re.split(r"\W", walk.text(name), maxsplit=1)[0])  # without type parameters
    return None


def decorator(walk: Walk, node: Node, entry: Entry) -> bool | None:
    text = call_target(walk.slice(node)).lstrip("@").removesuffix("()")
    walk.statement_end = max(walk.statement_end, node.end_byte)  # its call is not a statement of the module
    scope = walk.scopes[-1]
    if isinstance(scope, ClassFrame) and node.start_byte < scope.body:
        scope.decorators.append(text)
    else:
        walk.decorators.append(text)
    return None


def binding(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A name and its value: names functions and classes, defines module-level names."""
    if walk.open_handlers:
        walk.does("assign")
    at_module = walk.scopes[-1] is walk.module
    if not at_module and not walk.reader.has_anonymous:
        return None
    value = part(node, entry, "value")
    named = _named_by(walk, value)
    if not at_module and named is None:
        return None
    name = part(node, entry, "name")
    if name is None:
        return None
    written = walk.slice(name)
    if named is not None:
        _name_value(walk, written, named)
    if at_module:
        _define(walk, node, written, value, is_statement=named is None or named is not value)
    return None


def _define(walk: Walk, node: Node, written: bytes, value: Node | None, *, is_statement: bool) -> None:
    """A name bound at module level, and what that says about exports."""
    names = bound_names(written)
    walk.definitions.update(names)
    text = written.decode("utf-8", "replace")
    line = walk.lines.line(node.start_byte)
    for prefix in walk.syntax.export_prefixes:
        if text.startswith(prefix):
            exported = text.removeprefix(prefix).lstrip(".") or "default"
            walk.exports.append(Export(exported, line, exported))
    if is_statement:
        walk.top_statement(node, "assign", names[0] if names else text[:LONGEST_NAME], value)
    if value is not None and names == [walk.syntax.export_list]:
        walk.has_export_list = True
        for item in value.named_children:
            exported = literal_value(walk.slice(item)) or ""
            if exported:
                walk.exports.append(Export(exported, line, exported))


def member(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A key or field and its value: names functions and classes."""
    named = _named_by(walk, part(node, entry, "value"))
    if named is not None:
        name = part(node, entry, "name")
        if name is not None:
            _name_value(walk, walk.slice(name), named)
    return None


def _named_by(walk: Walk, value: Node | None) -> Node | None:
    """The function or class that a name bound to `value` names: itself, or what a wrapper is given first.

    `onPick = useCallback((row) => …)` and `App = memo(function …)`, but not `rows = items.map((item) => …)`.
    """
    role = walk.role(value)
    if value is None or role in ("function", "class"):
        return value
    if role != "call" or not walk.reader.has_anonymous:
        return None
    arguments = part(value, walk.entries[value.kind_id], "arguments")
    first = first_child(arguments) if arguments is not None else None
    if arguments is None or first is None or walk.role(first) != "function":
        return None
    callee = walk.source[value.start_byte : arguments.start_byte]
    return first if _WRAPPER.fullmatch(callee) else None


def _name_value(walk: Walk, written: bytes, value: Node) -> None:
    walk.names[value.id] = last_segment(written.decode("utf-8", "replace").strip("\"'` "))[:LONGEST_NAME]


def attribute(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """`self.x` in a method: an attribute it touches. Below a plain dotted name there is nothing to see."""
    start = node.start_byte
    written = walk.source[start : node.end_byte]
    prefix = walk.syntax.self_prefix
    if prefix and written.startswith(prefix):
        match = _NAME.match(written, len(prefix))
        if match is not None:
            walk.frame.attributes.add(match.group().decode())
    return _HOLDS_MORE.search(written) is None

"""Functions, classes, and the names things are bound to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.frames import ClassFrame, FunctionFrame, HandlerFrame, Namespace
from crimes.languages.engine.walk.handlers import LONGEST_RESULT, discard, finish_handler
from crimes.languages.engine.walk.params import LONGEST_NAME, params_beside, params_of
from crimes.languages.engine.walk.references import declares, qualified
from crimes.languages.engine.walk.state import Walk, argument, part, parts
from crimes.languages.engine.walk.types import owner
from crimes.languages.engine.walk.writes import note_write
from crimes.languages.engine.words import EMPTY_VALUES, bound_names, call_target, last_segment, literal_value
from crimes.model.facts import Export, Param, Text
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = regex(rb"#?[\w$\x80-\xff]+")
_WRAPPER = regex(rb"(?:React\.)?\w+(?:<.*>)?\s*", re.DOTALL)
_EQUALS = b"="
_TYPED = regex(rb"[\w$\x80-\xff]+(?=\s*:)")
_TYPE_ARGUMENTS = regex(r"<.*>", re.DOTALL)
_ARGUMENT = regex(r"[(,]\s*([^\W\d]\w*)\s*=(?!=)")  # a named one of a decorator
MOST_ARGUMENTS = 5
_STATEMENTS = frozenset({"if", "for", "while", "switch"})
_TAG = '"['  # a string that only says what a test belongs to
_HOLDS_MORE = regex(rb"[(\[{]")


def function(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A function becomes a fact when it has a name or more than one line; a short callback only deepens nesting."""
    lines, syntax, parts = walk.lines, walk.syntax, entry.parts
    start_byte = node.start_byte
    name_node = part(node, entry, "name")
    defines = name_node is not None
    if not defines:
        name_node = part(node, entry, "key")  # a name that its surroundings do not see
    parameters = part(node, entry, "parameters")
    if syntax.declarator is not None and name_node is None:
        name_node, parameters = syntax.declarator(node)
        defines = name_node is not None
    start, end = lines.line(start_byte), lines.line(walk.end_of(node) - 1)
    name = walk.text(name_node).strip("\"'`") if name_node is not None else walk.names.pop(node.id, "")
    if not defines and name_node is not None and walk.field[0] >= node.end_byte:
        name = f"{walk.field[1]}.{name}"  # the accessor of a property
    macro = syntax.test_macros
    is_macro = macro is not None and parameters is not None and macro.fullmatch(name) is not None
    if is_macro and parameters is not None:
        name, parameters = _made_by(walk, name, parameters), None
    if name in _STATEMENTS:
        return None  # what a grammar makes of a statement that a directive cuts in two
    if not name and start == end:
        return _small(walk, node, entry)
    body = part(node, entry, "body")
    if body is None and "body" in parts and not defines and name_node is not None:
        return None  # `private set`: a word that defines nothing
    frame = FunctionFrame(len(walk.functions), name, "", start, end)
    if name_node is None:
        frame.statement_like = False
    if not name:
        _name_by_call(walk, frame, node)
    receiver = part(node, entry, "receiver") if "receiver" in parts else None
    outer = walk.frame
    scope = _scope(walk, frame, receiver) if receiver is not None or "::" in name else walk.scopes[-1]
    if outer.self_prefix and not frame.self_prefix:
        frame.self_prefix = outer.self_prefix
    frame.qualname = f"{scope.qualname}.{frame.name}" if scope.qualname else frame.name
    single = part(node, entry, "parameter") if parameters is None else None
    if body is None and "body" in parts:
        frame.nested.append((start, end))  # a declaration is not logic
    result = part(node, entry, "result") if "result" in parts else None
    if result is not None:
        frame.result = _result(walk, node, result, body)
        frame.returns_value = syntax.results_are_returned
    elif syntax.results_are_returned and defines:
        frame.returns.add("nothing")
    fails = part(node, entry, "fails") if "fails" in parts else None
    if fails is not None:
        frame.result = f"{walk.text(fails)} {frame.result}".rstrip()
    if body is not None and _is_expression(walk, body.start_byte):
        frame.returns_value = frame.result not in ("Unit", "()")
    if walk.declares:
        declares(walk, parameters, result, receiver)
    if parameters is not None:
        frame.params = params_of(walk, parameters)
    elif single is not None and walk.role(single) == "parameter":
        frame.params = params_beside(walk, node, single)
    elif single is not None:
        frame.params = (Param(walk.text(single)[:LONGEST_NAME], False, False, False, ""),)
    is_word = name_node is not None and not name_node.is_named  # `init`, which calls others of that name
    frame.head = (name_node or parameters or single or body or node).start_byte
    for word in syntax.async_words:
        if walk.source.find(word, start_byte, frame.head) >= 0:
            frame.is_async = frame.is_async or word in walk.source[start_byte : frame.head].split()
    if "async" in parts and part(node, entry, "async") is not None:
        frame.is_async = True
    frame.is_test = is_macro or _is_test(walk, frame)
    frame.in_test = walk.test_scopes > 0
    if walk.decorators:
        frame.decorators = walk.take_decorators(start_byte)
    frame.parent = outer.index
    if isinstance(scope, ClassFrame):
        frame.class_index = scope.index
        scope.methods.append(frame.index)
    elif scope is walk.module and defines and not is_macro:
        walk.definitions.add(name)
    if defines and walk.open_handlers:
        walk.does("assign", node)
    frame.body = body
    walk.functions.append(frame)
    walk.scopes.append(frame)
    walk.frame = frame
    handler = None
    if walk.handler_functions:
        handler = _as_handler(walk, node, frame, body, frame.params[0].name if frame.params else "")

    def leave() -> None:
        if handler is not None:
            walk.open_handlers.pop()
            finish_handler(walk, handler, None)
        if frame.recursive and not is_word:
            frame.plain()
        marks = syntax.test_decorators
        if marks is not None and not frame.is_test:
            frame.is_test = any(marks.match(decorator) for decorator in frame.decorators)
        walk.frame = outer
        walk.scopes.pop()
        if outer is not walk.module:
            around = outer.body
            if around is not None and syntax.nested_alone_is_flat:
                outer.flat = _wraps_one_function(walk, around)
            outer.absorb(frame)
            if (frame.attributes or frame.words) and _shares_self(walk, frame, entry):
                outer.attributes |= frame.attributes
                outer.words |= frame.words
            inset = 0 if frame.statement_like else 1
            outer.nested.append((start + inset, end - inset))

    walk.on_leave(leave)
    return None


def _is_expression(walk: Walk, start: int) -> bool:
    """Whether a body is what follows an equals sign: `fun f() = x`, or begins with it: `int F() => x`."""
    # The body of a function that breaks off at the end of the file begins behind it.
    return walk.source[start : start + 1] == _EQUALS or (
        walk.syntax.blocks_are_values and walk.source[max(start - 100, 0) : start].rstrip().endswith(b"=")
    )


def _result(walk: Walk, node: Node, result: Node, body: Node | None) -> str:
    """The type a function returns; a token stands for what lies between it and the body."""
    if result.is_named:
        return walk.text(result).lstrip(" :->").rstrip()[:LONGEST_RESULT]
    end = body.start_byte if body is not None else node.end_byte
    return walk.source[result.end_byte : end].decode("utf-8", "replace").strip()[:LONGEST_RESULT]


def block(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A block that is handed to a test, where such a block is no function of its own."""
    return function(walk, node, entry) if node.id in walk.test_blocks else None


def _scope(walk: Walk, frame: FunctionFrame, receiver: Node | None) -> FunctionFrame | ClassFrame | Namespace:
    """What a function stands in: the type it says it belongs to, or what is around it."""
    pattern = walk.syntax.receiver
    if receiver is not None and pattern is not None:
        match = pattern.search(walk.slice(receiver))
        if match is not None:
            if match.group("self"):
                frame.self_prefix = match.group("self") + b"."
            return owner(walk, match.group("type").decode("utf-8", "replace"), frame.start, frame.end)
    if "::" in frame.name and not frame.anonymous:
        of, _, frame.name = frame.name.rpartition("::")
        return owner(walk, last_segment(_TYPE_ARGUMENTS.sub("", of)), frame.start, frame.end)
    return walk.scopes[-1]


def _made_by(walk: Walk, macro: str, arguments: Node) -> str:
    """The name of a test that a macro makes: `TEST(Cart, IsEmpty)`, `TEST_CASE("an empty cart")`."""
    given = [" ".join(walk.text(one).split()) for one in arguments.named_children]
    return f"{macro}({', '.join(one for one in given if not one.startswith(_TAG))})"[:LONGEST_NAME]


def nesting_only(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A function too small to be a fact still deepens the nesting of what is inside it."""
    frame = walk.frame
    frame.nest += 1
    frame.lambdas += 1

    def leave() -> None:
        frame.nest -= 1
        frame.lambdas -= 1

    walk.on_leave(leave)
    return None


def _small(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A one-line callback: it belongs to the function around it, and may still be what handles an error."""
    body = part(node, entry, "body")
    parameters = part(node, entry, "parameters")
    single = part(node, entry, "parameter")
    named = params_of(walk, parameters) if parameters is not None else ()
    error = named[0].name if named else walk.text(single) if single is not None else ""
    if walk.declares:
        declares(walk, parameters, part(node, entry, "result"))
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
    guarded = walk.handler_functions.pop(node.id, None)
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
    if call is not None and (_opens(walk, call[4], node) or node.start_byte in _arguments(walk, call[3])):
        frame.passed_to = call[2]
        first = argument(walk, call[3]) if call[3] is not None else None
        if walk.role(call[3]) == "string":
            first = call[3]
        if first is not None and walk.role(first) == "string":
            label = (literal_value(walk.slice(first)) or "")[:LONGEST_NAME]
    called = last_segment(frame.passed_to.removesuffix("()")) if frame.passed_to else "anonymous"
    frame.name = f"{called}({label!r})" if label else f"{called}()"


def _opens(walk: Walk, block: int, node: Node) -> bool:
    """Whether a function is the block that follows a call, or the first thing in it: `each { x => … }`."""
    return node.start_byte == block or (
        block >= 0 and walk.source[block : min(node.start_byte, block + 9)].strip() == b"{"
    )


def _arguments(walk: Walk, node: Node | None) -> set[int]:
    """Where the arguments of a call begin; read once, however many of them are functions."""
    if node is None:
        return set()
    starts = walk.arguments.get(node.id)
    if starts is None:
        starts = walk.arguments[node.id] = set()
        for one in node.named_children:
            starts.add(one.start_byte)
            if (
                walk.role(one) == "argument"
                and one.named_child_count
                and (last := one.named_child(one.named_child_count - 1)) is not None
            ):
                starts.add(last.start_byte)  # after the label: `load(then: { … })`
    return starts


def _shares_self(walk: Walk, frame: FunctionFrame, entry: Entry) -> bool:
    """Whether `self` or `this` in a nested function is the one of the function around it."""
    if not walk.reader.has_anonymous:
        return frame.class_index < 0
    return frame.class_index < 0 and "name" not in entry.parts and "key" not in entry.parts


def decorator(walk: Walk, node: Node, entry: Entry) -> bool | None:
    arguments = part(node, entry, "arguments")
    end = arguments.start_byte if arguments is not None else node.end_byte
    text = call_target(walk.source, node.start_byte, end).lstrip("@").removesuffix("()")
    if arguments is not None and (words := _ARGUMENT.findall(walk.text(arguments))):
        text = f"{text}({', '.join(words[:MOST_ARGUMENTS])})"  # `@Test(expected = …)` says more than `@Test`
    if walk.syntax.whole_decorators:
        text = "".join(walk.text(node).split()).lstrip("@")[:LONGEST_NAME]
    walk.statement_end = max(walk.statement_end, node.end_byte)  # its call is not a statement of the module
    scope = walk.scopes[-1]
    if isinstance(scope, (ClassFrame, FunctionFrame)) and node.start_byte < scope.head:
        scope.decorators.append(text)
    elif not walk.syntax.decorators_inside:
        walk.wait(text, node.start_byte, node.end_byte)
    return None


def binding(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A name and its value: names functions and classes, defines module-level names."""
    syntax, frame, scope = walk.syntax, walk.frame, walk.scopes[-1]
    if walk.open_handlers:
        walk.does("assign", node)
    if syntax.discards is not None:
        discard(walk, node)
    if "else" in entry.parts and part(node, entry, "else") is not None:
        frame.cyclomatic += 1  # `let Some(x) = y else { return };`
        frame.structure()
    if syntax.reopens and isinstance(scope, ClassFrame):
        _define_inside(walk, scope, part(node, entry, "name"))
    if frame is not walk.module:
        name = part(node, entry, "name")
        if walk.declares:
            declares(walk, name)
        note_write(walk, name)
    at_module = scope is walk.module
    if not at_module and not walk.reader.has_anonymous:
        return None
    value = walk.single(part(node, entry, "value"))
    named = _named_by(walk, value)
    is_field = syntax.implicit_self and isinstance(scope, ClassFrame)
    if not at_module and named is None and not is_field:
        return None
    names = parts(node, entry, "name")
    if not names:
        return None
    written = walk.source[names[0].start_byte : names[-1].end_byte]
    typed = _TYPED.match(written)
    if typed is not None:
        written = typed.group()
    if is_field and isinstance(scope, ClassFrame):
        scope.fields.update(name.encode() for name in bound_names(written))
        if written.isalnum():
            walk.opened_at = names[0].start_byte
    if named is not None:
        _name_value(walk, written, named)
    if at_module:
        _define(walk, node, written, value, is_statement=named is None or named is not value)
    return None


def _define_inside(walk: Walk, scope: ClassFrame, name: Node | None) -> None:
    """A constant of a class that others name with the class before it."""
    written = walk.text(name) if name is not None else ""
    if written[:1].isupper() and written.isidentifier():
        walk.definitions.add(f"{scope.qualname}.{written}")


def _define(walk: Walk, node: Node, written: bytes, value: Node | None, *, is_statement: bool) -> None:
    """A name bound at module level, and what that says about exports."""
    declared = walk.syntax.declared_name
    match = declared.search(written.decode("utf-8", "replace")) if declared is not None else None
    names = [match.group()] if match else bound_names(written)
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
    if walk.free is not None and (key := part(node, entry, "name")) is not None:
        walk.key_at = key.start_byte  # mostly a field
    named = _named_by(walk, walk.single(part(node, entry, "value")))
    if named is not None:
        name = part(node, entry, "name")
        if name is not None:
            walk.names[named.id] = walk.text(name).strip("\"'` ")[:LONGEST_NAME]
    elif part(node, entry, "decorator") is not None:
        walk.on_leave(walk.drop_decorators)
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
    first = argument(walk, arguments) if arguments is not None else None
    if arguments is None or first is None or walk.role(first) != "function":
        return None
    callee = walk.source[value.start_byte : arguments.start_byte]
    return first if _WRAPPER.fullmatch(callee) else None


def _name_value(walk: Walk, written: bytes, value: Node) -> None:
    walk.names[value.id] = last_segment(written.decode("utf-8", "replace").strip("\"'` "))[:LONGEST_NAME]


def _note_variable(walk: Walk, start: int) -> None:
    """A variable of the environment, written as an attribute, is as telling as one written as a string."""
    match = _NAME.match(walk.source, start)
    if match is not None:
        name = match.group().decode("utf-8", "replace")
        call = walk.syntax.environment.decode().removesuffix(".")
        walk.texts.append(Text(name, walk.lines.line(start), walk.frame.index, call))


def attribute(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """`self.x` in a method: an attribute it touches. Below a plain dotted name there is nothing to see."""
    start, source = node.start_byte, walk.source
    prefix = walk.frame.self_prefix or walk.syntax.self_prefix
    if prefix and source.startswith(prefix, start):
        match = _NAME.match(source, start + len(prefix))
        if match is not None:
            walk.frame.attributes.add(match.group().decode("utf-8", "replace"))
    elif walk.syntax.environment and source.startswith(walk.syntax.environment, start):
        _note_variable(walk, start + len(walk.syntax.environment))
    elif "member" in entry.parts:
        member = part(node, entry, "member")
        if member is not None:
            walk.members.add(member.start_byte)
    elif walk.reader.has_references:
        qualified(walk, start, node.end_byte)
    return not walk.reader.has_references and _HOLDS_MORE.search(source, start, node.end_byte) is None

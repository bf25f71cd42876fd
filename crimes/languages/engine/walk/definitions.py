"""Functions, classes, and the names things are bound to."""

from __future__ import annotations

import re

from crimes.languages.engine.nodes import Node, first_child, last_child
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.frames import (
    ClassFrame,
    FunctionFrame,
    HandlerFrame,
    Namespace,
    prefix_of,
    qualified,
)
from crimes.languages.engine.walk.handlers import MAX_RESULT_CHARS, finish_handler, note_discard
from crimes.languages.engine.walk.overwrites import note_overwrite
from crimes.languages.engine.walk.params import MAX_NAME_CHARS, params_beside, params_of, plain_param
from crimes.languages.engine.walk.references import note_declared, note_qualified
from crimes.languages.engine.walk.state import Walk, first_argument, part, parts
from crimes.languages.engine.walk.types import owner
from crimes.languages.engine.walk.writes import note_write
from crimes.languages.engine.words import EMPTY_VALUES, bound_names, call_target, last_segment, literal_value
from crimes.model.facts import Export, Text
from crimes.model.lazy_regex import regex

_NAME = regex(rb"#?[\w$\x80-\xff]+")
_WRAPPER = regex(rb"(?:React\.)?\w+(?:<.*>)?\s*", re.DOTALL)
_EQUALS = b"="
_TYPED = regex(rb"[\w$\x80-\xff]+(?=\s*:)")
_TYPE_ARGUMENTS = regex(r"<.*>", re.DOTALL, within=500)
_ARGUMENT = regex(r"[(,]\s*([^\W\d]\w*)\s*=(?!=)")  # a named argument of a decorator
MAX_DECORATOR_ARGUMENTS = 5
_STATEMENTS = frozenset({"if", "for", "while", "switch"})
_TAG = '"['  # begins a string that only tags a test
_HOLDS_MORE = regex(rb"[(\[{]")


def function(walk: Walk, node: Node, entry: Entry) -> None:
    """A function becomes a fact when it has a name or more than one line; a short callback only deepens nesting."""
    lines, syntax, parts = walk.lines, walk.function_syntax, entry.parts
    start_byte = node.start_byte
    name_node = part(node, entry, "name")
    defines = name_node is not None
    if not defines:
        name_node = part(node, entry, "key")  # a name that is not visible around it
    parameters = part(node, entry, "parameters")
    if syntax.declarator is not None and name_node is None:
        name_node, parameters = syntax.declarator(node)
        defines = name_node is not None
    start, end = lines.line(start_byte), lines.line(walk.end_of(node) - 1)
    name = walk.text(name_node).strip("\"'`") if name_node is not None else walk.names.pop(node.id, "")
    if not defines and name_node is not None and walk.field[0] >= node.end_byte:
        name = f"{walk.field[1]}.{name}"  # the accessor of a property
    if not name and syntax.declarator is not None:
        name = _macro_call(walk, node)
    macro = walk.test_syntax.macros
    is_macro = macro is not None and macro.fullmatch(name.partition("(")[0]) is not None
    is_macro = is_macro and (parameters is not None or "(" in name)
    if is_macro and parameters is not None:
        name, parameters = _macro_test_name(walk, name, parameters), None
    if name in _STATEMENTS:
        return  # a statement that a directive cuts in two: some grammars misread it as a function
    if not name and start == end:
        _one_line_function(walk, node, entry)
        return
    body = part(node, entry, "body")
    if body is None and "body" in parts and not defines and name_node is not None:
        return  # `private set` defines nothing
    frame = FunctionFrame(len(walk.functions), name, "", start, end)
    if name_node is None:
        frame.statement_like = False
    if not name:
        _name_by_call(walk, frame, node)
    receiver = part(node, entry, "receiver") if "receiver" in parts else None
    outer = walk.frame
    scope = _scope_of(walk, frame, receiver) if receiver is not None or "::" in name else walk.scopes[-1]
    if outer.self_prefix and not frame.self_prefix:
        frame.self_prefix = outer.self_prefix
    frame.holder = scope.holder if isinstance(scope, FunctionFrame) and scope.title else scope.qualname
    prefix = prefix_of(scope)
    frame.qualname = qualified(prefix, frame.name)
    single = part(node, entry, "parameter") if parameters is None else None
    if body is None and "body" in parts:
        frame.nested.append((start, end))  # a declaration is not logic
    result = part(node, entry, "result") if "result" in parts else None
    _note_result(walk, node, entry, frame, body, result, defines=defines)
    if walk.tracks_declared:
        note_declared(walk, parameters, result, receiver)
    if parameters is not None:
        frame.params = params_of(walk, parameters)
    elif single is not None and walk.role(single) == "parameter":
        frame.params = params_beside(walk, node, single)
    elif single is not None:
        frame.params = (plain_param(walk, single),)
    # `init` is a keyword, and calls others of that name: no recursion.
    may_recurse = name_node is None or name_node.is_named
    frame.head = (name_node or parameters or single or body or node).start_byte
    frame.is_async = _is_async(walk, node, entry, frame.head)
    frame.is_test = is_macro or _is_test(walk, frame)
    frame.in_test = walk.test_scopes > 0
    if walk.decorators:
        frame.decorators = walk.take_decorators(start_byte)
        frame.in_test = frame.in_test or walk.marks_tests(frame.decorators)
    frame.parent = outer.index
    if isinstance(scope, ClassFrame):
        frame.class_index = scope.index
        scope.methods.append(frame.index)
    elif scope is walk.module and defines and not is_macro:
        walk.definitions.add(name)
    if defines and walk.open_handlers:
        walk.note_in_handlers("assign", node)
    frame.node = node
    frame.body = body or (part(node, entry, "value") if "value" in parts else None)
    walk.functions.append(frame)
    walk.scopes.append(frame)
    walk.frame = frame
    handler = None
    if walk.handler_functions:
        handler = _open_handler(walk, node, frame, body, frame.params[0].name if frame.params else "")

    walk.on_leave(lambda: _leave_function(walk, entry, frame, outer, handler, may_recurse=may_recurse))


def _leave_function(
    walk: Walk,
    entry: Entry,
    frame: FunctionFrame,
    outer: FunctionFrame,
    handler: HandlerFrame | None,
    *,
    may_recurse: bool,
) -> None:
    """Finish a function, and add what belongs to the function around it."""
    if handler is not None:
        walk.open_handlers.pop()
        finish_handler(walk, handler, None)
    frame.recursive = frame.recursive and may_recurse
    if frame.recursive:
        frame.add_flat_cost()
    pattern = walk.test_syntax.decorators
    if pattern is not None and not frame.is_test:
        frame.is_test = any(pattern.match(decorator) for decorator in frame.decorators)
    walk.frame = outer
    walk.scopes.pop()
    if outer is not walk.module:
        if outer.body is not None and walk.function_syntax.wrappers_are_flat:
            outer.flat = _wraps_one_function(walk, outer.body)
        outer.absorb(frame)
        if (frame.attributes or frame.words) and _shares_self(walk, frame, entry):
            outer.attributes |= frame.attributes
            outer.words |= frame.words
        inset = 0 if frame.statement_like else 1
        outer.nested.append((frame.start + inset, frame.end - inset))


def _note_result(
    walk: Walk,
    node: Node,
    entry: Entry,
    frame: FunctionFrame,
    body: Node | None,
    result: Node | None,
    *,
    defines: bool,
) -> None:
    """Set what a function's head says about its result."""
    results_are_returned = walk.function_syntax.results_are_returned
    if result is not None:
        frame.result = _result_type(walk, node, result, body)
        frame.returns_value = results_are_returned
    elif results_are_returned and defines:
        frame.returns.add("nothing")
    fails = part(node, entry, "fails") if "fails" in entry.parts else None
    if fails is not None:
        frame.result = f"{walk.text(fails)} {frame.result}".rstrip()
    if body is not None and _is_expression(walk, body.start_byte):
        frame.returns_value = frame.result not in ("Unit", "()")


def _is_async(walk: Walk, node: Node, entry: Entry, head: int) -> bool:
    """Whether one of the language's words for it stands before the name, or the grammar says so."""
    start, source = node.start_byte, walk.source
    for word in walk.function_syntax.async_words:
        if source.find(word, start, head) >= 0 and word in source[start:head].split():
            return True
    return "async" in entry.parts and part(node, entry, "async") is not None


def _is_expression(walk: Walk, start: int) -> bool:
    """Whether a body follows an equals sign: `fun f() = x`, or begins with one: `int F() => x`."""
    # Slices, not indexes: the body of a function that is cut off at the end of the file begins behind it.
    return walk.source[start : start + 1] == _EQUALS or (
        walk.function_syntax.blocks_are_values
        and walk.source[max(start - 100, 0) : start].rstrip().endswith(b"=")
    )


def _result_type(walk: Walk, node: Node, result: Node, body: Node | None) -> str:
    """The type a function returns: the node, or if that is a token, the text between it and the body."""
    if result.is_named:
        return walk.text(result).lstrip(" :->").rstrip()[:MAX_RESULT_CHARS]
    end = body.start_byte if body is not None else node.end_byte
    return walk.source[result.end_byte : end].decode("utf-8", "replace").strip()[:MAX_RESULT_CHARS]


def block(walk: Walk, node: Node, entry: Entry) -> None:
    """A block passed to a test call, where the grammar does not make it a function."""
    if node.id in walk.test_blocks:
        function(walk, node, entry)


def _scope_of(
    walk: Walk, frame: FunctionFrame, receiver: Node | None
) -> FunctionFrame | ClassFrame | Namespace:
    """The scope of a function: the type its head names, or what is around it."""
    pattern = walk.function_syntax.receiver
    if receiver is not None and pattern is not None:
        match = pattern.search(walk.slice(receiver))
        if match is not None:
            if match.group("self"):
                frame.self_prefix = match.group("self") + b"."
            return owner(walk, match.group("type").decode("utf-8", "replace"), frame.start, frame.end)
    if "::" in frame.name and not frame.anonymous:
        type_name, _, frame.name = frame.name.rpartition("::")
        return owner(walk, last_segment(_TYPE_ARGUMENTS.sub("", type_name)), frame.start, frame.end)
    return walk.scopes[-1]


def _macro_test_name(walk: Walk, macro: str, arguments: Node) -> str:
    """The name of a test that a macro defines: `TEST(Cart, IsEmpty)`, `TEST_CASE("an empty cart")`."""
    texts = [" ".join(walk.text(argument).split()) for argument in arguments.named_children]
    return f"{macro}({', '.join(text for text in texts if not text.startswith(_TAG))})"[:MAX_NAME_CHARS]


def nesting_only(walk: Walk, node: Node, entry: Entry) -> None:
    """A function too small to be a fact still deepens the nesting of what is inside it."""
    frame = walk.frame
    frame.nest += 1
    frame.lambdas += 1

    def leave() -> None:
        frame.nest -= 1
        frame.lambdas -= 1

    walk.on_leave(leave)


def _one_line_function(walk: Walk, node: Node, entry: Entry) -> None:
    """A one-line callback: it belongs to the function around it, but may handle an error."""
    body = part(node, entry, "body")
    parameters = part(node, entry, "parameters")
    single = part(node, entry, "parameter")
    params = params_of(walk, parameters) if parameters is not None else ()
    error = params[0].name if params else walk.text(single) if single is not None else ""
    if walk.tracks_declared:
        note_declared(walk, parameters, part(node, entry, "result"))
    handler = _open_handler(walk, node, walk.frame, body, error)
    nesting_only(walk, node, entry)
    if handler is not None:

        def leave() -> None:
            walk.open_handlers.pop()
            finish_handler(walk, handler, None)

        walk.on_leave(leave)


def _open_handler(
    walk: Walk, node: Node, frame: FunctionFrame, body: Node | None, error_name: str
) -> HandlerFrame | None:
    """The handler that a function passed to `.catch(...)` is, if it is one; an expression body is its return value."""
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
    """Whether a body holds only one function, its return, and perhaps a docstring, as in a decorator."""
    if body.named_child_count not in (2, 3):
        return False
    roles = [walk.role(child) for child in body.named_children]
    kinds = [role for role in roles if role not in ("comment", "statement")]
    return len(kinds) == 2 and kinds[1] == "return" and kinds[0] in ("function", "")


def _macro_call(walk: Walk, node: Node) -> str:
    """The head of a function that a macro defines, as written: `COMMAND_CALLBACK(buffer)`. Empty for any other."""
    kind, inner = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    if kind is None or inner is None or inner.type != "parenthesized_declarator":
        return ""
    return "".join((walk.text(kind) + walk.text(inner)).split())[:MAX_NAME_CHARS]


def _is_test(walk: Walk, frame: FunctionFrame) -> bool:
    syntax = walk.test_syntax
    pattern, text = (syntax.calls, frame.passed_to) if frame.anonymous else (syntax.names, frame.name)
    return pattern is not None and pattern.match(text) is not None


def _name_by_call(walk: Walk, frame: FunctionFrame, node: Node) -> None:
    """Name an anonymous function after the call it is passed to and the first literal beside it.

    Without a literal it gets a title: the call and what the language calls such a function, "each block".
    """
    syntax = walk.function_syntax
    frame.anonymous = True
    label = ""
    call = walk.call_around(node.start_byte, node.end_byte)
    if call is not None and (
        _is_block_of(walk, call[4], node) or node.start_byte in _argument_starts(walk, call[3])
    ):
        frame.passed_to = call[2]
        first = first_argument(walk, call[3]) if call[3] is not None else None
        if walk.role(call[3]) == "string":
            first = call[3]
        if first is not None and walk.role(first) == "string":
            text = (literal_value(walk.slice(first)) or "")[:MAX_NAME_CHARS]
            label = repr(text) if text else ""
        elif first is not None and syntax.labels:
            label = _label(walk, first)
    called = last_segment(frame.passed_to.removesuffix("()")) if frame.passed_to else ""
    frame.noun = syntax.callback if called else syntax.anonymous
    frame.name = f"{called or 'anonymous'}({label})"
    if not label:
        frame.title = f"{called} {frame.noun}".lstrip()


def _label(walk: Walk, argument: Node) -> str:
    """A symbol or constant as written, or the first key of a hash; empty for any other argument."""
    labels = walk.function_syntax.labels
    first = argument if argument.type in labels else first_child(argument)
    if first is None or first.type not in labels or (first is not argument and argument.type != "pair"):
        return ""
    text = walk.text(first)[:MAX_NAME_CHARS]
    return f":{text}" if first.type == "hash_key_symbol" else text


def _is_block_of(walk: Walk, block: int, node: Node) -> bool:
    """Whether a function is the block after a call, or the first thing in it: `each { x => … }`."""
    return node.start_byte == block or (
        block >= 0 and walk.source[block : min(node.start_byte, block + 9)].strip() == b"{"
    )


def _argument_starts(walk: Walk, node: Node | None) -> set[int]:
    """The offsets at which the arguments of a call begin; memoised, as many of them may be functions."""
    if node is None:
        return set()
    starts = walk.arguments.get(node.id)
    if starts is None:
        starts = walk.arguments[node.id] = set()
        for child in node.named_children:
            starts.add(child.start_byte)
            last = last_child(child) if walk.role(child) == "argument" else None
            if last is not None:
                starts.add(last.start_byte)  # after the label: `load(then: { … })`
    return starts


def _shares_self(walk: Walk, frame: FunctionFrame, entry: Entry) -> bool:
    """Whether `self` or `this` in a nested function is the one of the function around it."""
    if not walk.reader.has_anonymous:
        return frame.class_index < 0
    return frame.class_index < 0 and "name" not in entry.parts and "key" not in entry.parts


def decorator(walk: Walk, node: Node, entry: Entry) -> None:
    arguments = part(node, entry, "arguments")
    end = arguments.start_byte if arguments is not None else node.end_byte
    text = call_target(walk.source, node.start_byte, end).lstrip("@").removesuffix("()")
    if arguments is not None and (words := _ARGUMENT.findall(walk.text(arguments))):
        text = f"{text}({', '.join(words[:MAX_DECORATOR_ARGUMENTS])})"  # `@Test(expected = …)` says more than `@Test`
    if walk.function_syntax.whole_decorators:
        text = "".join(walk.text(node).split()).lstrip("@")[:MAX_NAME_CHARS]
    walk.statement_end = max(walk.statement_end, node.end_byte)  # its call is no module-level statement
    scope = walk.scopes[-1]
    if isinstance(scope, (ClassFrame, FunctionFrame)) and node.start_byte < scope.head:
        scope.decorators.append(text)
    elif not walk.function_syntax.decorators_inside:
        walk.hold_decorator(text, node.start_byte, node.end_byte)


def binding(walk: Walk, node: Node, entry: Entry) -> None:
    """A name and its value: may name a function or class, and defines module-level names."""
    syntax, frame, scope = walk.name_syntax, walk.frame, walk.scopes[-1]
    if walk.open_handlers:
        walk.note_in_handlers("assign", node)
    if walk.error_syntax.discards is not None:
        note_discard(walk, node)
    if "else" in entry.parts and part(node, entry, "else") is not None:
        frame.cyclomatic += 1  # `let Some(x) = y else { return };`
        frame.add_nested_cost()
    if syntax.reopens and isinstance(scope, ClassFrame):
        _define_inside(walk, scope, part(node, entry, "name"))
    if frame is not walk.module:
        name = part(node, entry, "name")
        if walk.tracks_declared:
            note_declared(walk, name)
        note_write(walk, name)
        if frame.params and not frame.control and not frame.lambdas:
            note_overwrite(walk, node, entry, name)
    at_module = scope is walk.module
    if not at_module and not walk.reader.has_anonymous:
        return
    value = walk.only_value(part(node, entry, "value"))
    target = _named_value(walk, value)
    is_field = syntax.implicit_self and isinstance(scope, ClassFrame)
    if not at_module and target is None and not is_field:
        return
    names = parts(node, entry, "name")
    if not names:
        return
    written = walk.source[names[0].start_byte : names[-1].end_byte]
    typed = _TYPED.match(written)
    if typed is not None:
        written = typed.group()
    if is_field and isinstance(scope, ClassFrame):
        scope.fields.update(name.encode() for name in bound_names(written))
        if written.isalnum():
            walk.declared_at = names[0].start_byte
    if target is not None:
        name_text = written.decode("utf-8", "replace").strip("\"'` ")
        walk.names[target.id] = last_segment(name_text)[:MAX_NAME_CHARS]
    if at_module:
        _define(walk, node, written, value, is_statement=target is None or target is not value)


def _define_inside(walk: Walk, scope: ClassFrame, name: Node | None) -> None:
    """Define a constant of a class, which others use qualified with the class."""
    written = walk.text(name) if name is not None else ""
    if written[:1].isupper() and written.isidentifier():
        walk.definitions.add(qualified(scope.qualname, written))


def _define(walk: Walk, node: Node, written: bytes, value: Node | None, *, is_statement: bool) -> None:
    """Define a name bound at module level, and note what that says about exports."""
    declared = walk.name_syntax.declared_name
    match = declared.search(written.decode("utf-8", "replace")) if declared is not None else None
    names = [match.group()] if match else bound_names(written)
    walk.definitions.update(names)
    text = written.decode("utf-8", "replace")
    line = walk.lines.line(node.start_byte)
    for prefix in walk.import_syntax.export_prefixes:
        if text.startswith(prefix):
            exported = text.removeprefix(prefix).lstrip(".") or "default"
            walk.exports.append(Export(exported, line, exported))
    if is_statement:
        walk.top_statement(node, "assign", names[0] if names else text[:MAX_NAME_CHARS], value)
    if value is not None and names == [walk.import_syntax.export_list]:
        walk.has_export_list = True
        for item in value.named_children:
            exported = literal_value(walk.slice(item)) or ""
            if exported:
                walk.exports.append(Export(exported, line, exported))


def member(walk: Walk, node: Node, entry: Entry) -> None:
    """A key or field and its value: may name a function or class."""
    if walk.free_names is not None and (key := part(node, entry, "name")) is not None:
        walk.key_at = key.start_byte  # mostly a field
    target = _named_value(walk, walk.only_value(part(node, entry, "value")))
    if target is not None:
        name = part(node, entry, "name")
        if name is not None:
            walk.names[target.id] = walk.text(name).strip("\"'` ")[:MAX_NAME_CHARS]
    elif part(node, entry, "decorator") is not None:
        walk.on_leave(walk.drop_decorators)


def _named_value(walk: Walk, value: Node | None) -> Node | None:
    """The function or class that a name bound to `value` names: the value, or the first argument of a wrapper.

    `onPick = useCallback((row) => …)` and `App = memo(function …)`, but not `rows = items.map((item) => …)`.
    """
    role = walk.role(value)
    if value is None or role in ("function", "class"):
        return value
    if role != "call" or not walk.reader.has_anonymous:
        return None
    arguments = part(value, walk.entries[value.kind_id], "arguments")
    first = first_argument(walk, arguments) if arguments is not None else None
    if arguments is None or first is None or walk.role(first) != "function":
        return None
    callee = walk.source[value.start_byte : arguments.start_byte]
    return first if _WRAPPER.fullmatch(callee) else None


def _note_environment_variable(walk: Walk, start: int) -> None:
    """Note an environment variable that is written as an attribute, as if it were a string."""
    match = _NAME.match(walk.source, start)
    if match is not None:
        name = match.group().decode("utf-8", "replace")
        call = walk.name_syntax.environment.decode().removesuffix(".")
        walk.texts.append(Text(name, walk.lines.line(start), walk.frame.index, call))


def attribute(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """`self.x` in a method: an attribute it touches. A plain dotted name is not walked."""
    start, source = node.start_byte, walk.source
    prefix = walk.frame.self_prefix or walk.name_syntax.self_prefix
    if prefix and source.startswith(prefix, start):
        match = _NAME.match(source, start + len(prefix))
        if match is not None:
            walk.frame.attributes.add(match.group().decode("utf-8", "replace"))
    elif walk.name_syntax.environment and source.startswith(walk.name_syntax.environment, start):
        _note_environment_variable(walk, start + len(walk.name_syntax.environment))
    elif "member" in entry.parts:
        member = part(node, entry, "member")
        if member is not None:
            walk.members.add(member.start_byte)
    elif walk.reader.has_references:
        note_qualified(walk, start, node.end_byte)
    return not walk.reader.has_references and _HOLDS_MORE.search(source, start, node.end_byte) is None

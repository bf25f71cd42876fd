"""Errors: what is guarded, what catches them, and what the handlers do."""

from __future__ import annotations

from msgspec.structs import replace

from crimes.languages.engine.nodes import Node, first_child, last_child
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.frames import HandlerFrame, TryFrame
from crimes.languages.engine.walk.nesting import nest
from crimes.languages.engine.walk.state import Walk, guards_hold, part
from crimes.languages.engine.walk.writes import note_write
from crimes.languages.engine.words import EMPTY_VALUES, bound_names
from crimes.model.facts import Handler, ParseError
from crimes.model.lazy_regex import regex

_IN_WORD = regex(rb"[\w$\x80-\xff]")
# A module imported under a handler of one of these may be absent.
_IMPORT_ERRORS = ("ImportError", "ModuleNotFoundError", "Exception", "Error", "LoadError")
_PLAIN = frozenset({"", "name", "skip", "string", "attribute", "reference", "literal.list", "literal.tuple"})
_NO_VALUES = frozenset({"Unit", "()", "continue", "break"})
MAX_ERRORS = 20
MAX_RESULT_CHARS = 200
_ASSIGNED = regex(rb"\s*(?:,\s*\w+\s*)*:?=(?!=)")
MAX_EMPTY_BYTES = max(map(len, EMPTY_VALUES))
_WRITES = regex(rb"\+\+|--|(?:del|unset)\b|[^=;]*(?:\+\+|--)\Z")  # other updates write nothing
_ZERO = regex(rb"[\w.]+\{\}")  # a struct with nothing set


def try_(walk: Walk, node: Node, entry: Entry) -> None:
    if entry.guards and not guards_hold(node, entry):
        return  # a body without handlers
    body = part(node, entry, "body") or node
    frame = TryFrame((body.start_byte, body.end_byte), len(walk.imports))
    frame.has_else = part(node, entry, "else") is not None
    nest(walk, node, entry, deeper=0, control=0 if entry.guards else 1, structural=False)
    walk.open_tries.append(frame)

    def leave() -> None:
        walk.open_tries.pop()
        for handler in frame.handlers:
            finish_handler(walk, handler, frame)
        if any(_covers_import_errors(handler) for handler in frame.handlers):
            guarded = walk.imports[frame.first_import :]
            walk.imports[frame.first_import :] = [replace(item, guarded=True) for item in guarded]

    walk.on_leave(leave)


def _covers_import_errors(handler: HandlerFrame) -> bool:
    return not handler.caught or any(name.endswith(_IMPORT_ERRORS) for name in handler.caught)


def finally_(walk: Walk, node: Node, entry: Entry) -> None:
    if walk.open_tries:
        walk.open_tries[-1].has_finally = True


def handler(walk: Walk, node: Node, entry: Entry) -> None:
    nest(walk, node, entry, control=0)
    handle(walk, node, entry)


def catches(walk: Walk, node: Node, entry: Entry) -> None:
    """The cases that a try catches: each of them is a handler."""
    nest(walk, node, entry, control=0)


def is_handler(walk: Walk, node: Node) -> bool:
    """Whether a case belongs to a catching clause, and not to a match inside it."""
    if not walk.inside or walk.inside[-1] != "catches":
        return False
    block = node.parent
    return block is not None and walk.role(block.parent) == "catches"


def handle(walk: Walk, node: Node, entry: Entry) -> None:
    """A clause or case that catches."""
    frame = walk.frame
    frame.cyclomatic += 1
    if "guarded" in entry.parts:
        _handle_modifier(walk, node, entry)
        return
    if not walk.open_tries:
        return
    _end_guarded_span(walk, walk.open_tries[-1], node.start_byte)
    head = walk.error_syntax.handler(node, walk.source)
    draft = HandlerFrame(node.start_byte, walk.end_of(node), frame, walk.open_tries[-1].body)
    draft.caught, draft.error_name = head.caught, head.error_name
    body = part(node, entry, "body")
    if body is None and entry.role == "case":
        draft.body = node.end_byte  # nothing follows the arrow
    else:
        body = body or last_child(node)
        draft.body = body.start_byte if body is not None else node.start_byte
    if walk.function_syntax.blocks_are_values and body is not None:
        alone = entry.role == "case" and walk.role(body) != "block"
        _note_value(walk, draft, body if alone else last_child(body))
    walk.open_tries[-1].handlers.append(draft)
    walk.open_handlers.append(draft)
    walk.on_leave(walk.open_handlers.pop)


def _end_guarded_span(walk: Walk, frame: TryFrame, at: int) -> None:
    """End the guarded span before the first handler, where it has no node of its own."""
    start, end = frame.body
    if at < end:
        frame.body = (start, start + len(walk.source[start:at].rstrip()))


def _handle_modifier(walk: Walk, node: Node, entry: Entry) -> None:
    """`load(x) rescue nil`: one expression is guarded, the other is the value if it fails."""
    guarded, body = part(node, entry, "guarded"), part(node, entry, "body")
    if guarded is None or body is None:
        return
    draft = HandlerFrame(node.start_byte, node.end_byte, walk.frame, (guarded.start_byte, guarded.end_byte))
    draft.body = body.start_byte
    if walk.role(body) in _PLAIN:
        draft.does.add("return_empty" if walk.text(body) in EMPTY_VALUES else "return_value")
    walk.open_handlers.append(draft)

    def leave() -> None:
        walk.open_handlers.remove(draft)
        finish_handler(walk, draft, None)

    walk.on_leave(leave)


def _note_value(walk: Walk, draft: HandlerFrame, last: Node | None) -> None:
    """Note a plain value at the end of a block as the handler's result, where blocks are expressions."""
    text = walk.text(last) if last is not None and walk.role(last) in _PLAIN else ""
    if text and text not in _NO_VALUES:
        draft.does.add("return_empty" if text in EMPTY_VALUES else "return_value")


def open_error_branch(walk: Walk, node: Node, body: Node | None) -> None:
    """Open a handler for the body of a branch that tests an error value; an arm that is an expression is its result."""
    read_head = walk.error_syntax.branch
    head = read_head(node, walk.source) if read_head is not None else None
    if head is None:
        return
    if head.body is not None:
        body = head.body
    if body is None:
        return
    guarded = head.guarded or (node.start_byte, body.start_byte)
    if walk.frame is not walk.module and guarded[0] < walk.starts[walk.frame.start - 1]:
        return  # the error of an outer function, which checks it itself
    draft = HandlerFrame(node.start_byte, body.end_byte, walk.frame, guarded)
    draft.caught, draft.error_name, draft.body = head.caught, head.error_name, body.start_byte
    value = walk.text(body).strip(" ,;")
    if value in EMPTY_VALUES and value not in ("()", "{}"):
        draft.does.add("return_empty")
    elif head.body_is_value and not value.startswith(("{", "()")):
        draft.does.add("return_value")
    walk.open_handlers.append(draft)

    def leave() -> None:
        walk.open_handlers.remove(draft)
        if _is_read_later(walk, draft, outlives=head.outlives):
            draft.does.add("uses_error")
        finish_handler(walk, draft, None)

    walk.on_leave(leave)


def _is_read_later(walk: Walk, draft: HandlerFrame, *, outlives: bool) -> bool:
    """Whether an error is a named result, is read after its branch, or is read by a nested function."""
    frame, source, name = draft.function, walk.source, draft.error_name
    if not name or frame is walk.module:
        return False
    if mentions(frame.result.encode(), name, 0, MAX_RESULT_CHARS):
        return True
    if not outlives:
        return False
    top = frame
    while top.parent >= 0:
        top = walk.functions[top.parent]
    continues = "return" not in draft.does or top is not frame
    if continues and mentions(source, name, draft.end, walk.starts[top.end], read=True):
        return True
    return any(
        mentions(source, name, walk.starts[inner.start - 1], walk.starts[inner.end])
        for inner in walk.functions[frame.index + 1 :]
        if inner.parent == frame.index
    )


def note_discard(walk: Walk, node: Node) -> None:
    """Note a statement that drops an error value, as a handler that does nothing."""
    read_head = walk.error_syntax.discards
    head = read_head(node, walk.source) if read_head is not None else None
    if head is not None:
        span = (node.start_byte, node.end_byte)
        draft = HandlerFrame(*span, walk.frame, guarded=span)
        draft.caught = head.caught
        draft.does.add("discard")
        finish_handler(walk, draft, None)


def finish_handler(walk: Walk, draft: HandlerFrame, try_frame: TryFrame | None) -> None:
    """Turn a handler that has been read into a fact; outside a try statement (a promise's) without a frame."""
    name = draft.error_name
    if any(mentions(walk.source, word, draft.body, draft.end) for word in bound_names(name.encode())):
        draft.does.add("uses_error")
    lines = walk.lines
    walk.handlers.append(
        Handler(
            lines.line(draft.start),
            lines.last_line(draft.end),
            lines.line(draft.guarded[0]),
            lines.last_line(draft.guarded[1]),
            draft.function.index,
            draft.caught,
            name,
            tuple(sorted(draft.does)) or ("pass",),
            try_frame is not None and try_frame.has_finally,
            try_frame is not None and try_frame.has_else,
        )
    )


def mentions(source: bytes, name: str, start: int, end: int, *, read: bool = False) -> bool:
    """Whether a name occurs as a whole word in a span of the source; with `read`, other than to be assigned."""
    word = name.encode()
    at = source.find(word, start, end)
    while at >= 0:
        after = at + len(word)
        alone = not (at and _IN_WORD.match(source, at - 1)) and not _IN_WORD.match(source, after)
        if alone and not (read and _ASSIGNED.match(source, after)):
            return True
        at = source.find(word, after, end)
    return False


def return_(walk: Walk, node: Node, entry: Entry) -> None:
    value = walk.only_value(first_child(node))
    if part(node, entry, "label") is not None:  # `return@forEach x`
        value = node.named_child(1) if node.named_child_count > 1 else None
    frame = walk.frame
    if value is None:
        does, shape = "return", "nothing"
    else:
        frame.returns_value = True
        does, shape = "return_value", "value"
        if _is_empty(walk, value):
            does, shape = "return_empty", "empty"
        elif walk.role(value) == "literal.tuple":
            shape = f"tuple {sum(not child.is_extra for child in value.named_children)}"
    frame.returns.add(shape)
    if walk.open_handlers:
        walk.note_in_handlers(does, node)


def _is_empty(walk: Walk, value: Node) -> bool:
    """Whether a value is empty, or a list of empty values: `0, nil`, `Result{}, nil`."""
    if walk.role(value) == "values":
        return all(
            _is_empty(walk, child) or _ZERO.fullmatch(walk.slice(child)) for child in value.named_children
        )
    return value.end_byte - value.start_byte <= MAX_EMPTY_BYTES and walk.text(value) in EMPTY_VALUES


def raise_(walk: Walk, node: Node, entry: Entry) -> None:
    walk.frame.raises = True
    if walk.open_handlers:
        walk.note_in_handlers("raise", node)


def assert_(walk: Walk, node: Node, entry: Entry) -> None:
    walk.calls.append(("assert", node.start_byte, walk.frame.index, False))
    if walk.open_handlers:
        walk.note_in_handlers("raise", node)


def changes(walk: Walk, node: Node, entry: Entry) -> None:
    """An increment or decrement, or a deleted name or entry."""
    if walk.frame is not walk.module and _WRITES.match(walk.source, node.start_byte, node.end_byte):
        note_write(walk, first_child(node))
    if walk.open_handlers and guards_hold(node, entry):
        walk.note_in_handlers("assign", node)


def yields(walk: Walk, node: Node, entry: Entry) -> None:
    if walk.open_handlers:
        walk.note_in_handlers("return_value", node)


def error(walk: Walk, node: Node, entry: Entry) -> None:
    """A place the grammar could not read."""
    if len(walk.errors) < MAX_ERRORS:
        first, last = walk.lines.line(node.start_byte), walk.lines.last_line(node.end_byte)
        walk.errors.append(ParseError(first, last))

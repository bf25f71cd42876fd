"""Calls, imports, exports, strings and comments."""

from __future__ import annotations

from functools import lru_cache

from crimes.languages.engine.nodes import Node, first_child
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.frames import MAX_DOTTED_CHARS, Namespace, qualified
from crimes.languages.engine.walk.handlers import note_discard, raise_
from crimes.languages.engine.walk.state import SKIP, Walk, first_argument, part
from crimes.languages.engine.words import INTERESTING, call_target, literal_value
from crimes.languages.spec import ImportDraft
from crimes.model.facts import Comment, EdgeKind, Export, Import, Text
from crimes.model.lazy_regex import regex

MAX_LITERAL_BYTES = 220
_BRACKET = 91
_HOLDS_CODE = regex(rb"[({]|lambda")


def call(walk: Walk, node: Node, entry: Entry) -> None:
    if walk.inner_calls and node.id in walk.inner_calls:
        return
    arguments = part(node, entry, "arguments")
    block = part(node, entry, "block") if "block" in entry.parts else None
    if block is not None and arguments is None:
        arguments = _arguments_before(walk, node, entry, block)
    suffix = part(node, entry, "suffix") if "suffix" in entry.parts else None
    if suffix is not None:  # arguments and block are one level down
        inner = walk.entries[suffix.kind_id]
        arguments, block = part(suffix, inner, "arguments"), part(suffix, inner, "block")
        callee_end = suffix.start_byte
        if walk.source[callee_end] == _BRACKET:
            return  # `rows[1]`
    elif arguments is not None:
        callee_end = arguments.start_byte
    elif "block" in entry.parts or "body" in entry.parts:  # a language that calls without parentheses
        after = block or part(node, entry, "body")
        callee_end = after.start_byte if after is not None else node.end_byte
    else:
        return
    start = node.start_byte
    target = call_target(walk.source, start, callee_end)
    if walk.syntax.brackets_hold_types:
        target = target.replace("[]", "")
    frame = walk.frame
    if frame is walk.module:
        walk.top_statement(node, "call", target)
    walk.calls.append((target, callee_end - 1, frame.index, bool(walk.awaited) and node.id in walk.awaited))
    around = walk.open_calls
    while around and around[-1][0] <= start:
        around.pop()
    around.append(
        (node.end_byte, callee_end, target, arguments, block.start_byte if block is not None else -1)
    )
    if walk.open_handlers:
        walk.note_in_handlers("call", node)
    if frame.name and target.endswith(frame.name):
        frame.recursive = frame.recursive or is_recursive(walk, target, arguments)
    if "body" in entry.parts and part(node, entry, "body") is not None:
        enter_anonymous_type(walk, target)
    imports, errors, tests = walk.import_syntax, walk.error_syntax, walk.test_syntax.calls
    if block is not None and tests is not None and walk.role(block) == "block" and tests.match(target):
        walk.test_blocks.add(block.id)
    if errors.raising_calls and target in errors.raising_calls:
        raise_(walk, node, entry)
    if arguments is None:
        return
    if imports.call_draft is not None and target in imports.calls:
        draft = imports.call_draft(target, arguments, walk.source)
        if draft is not None:
            add_import(walk, draft, walk.lines.line(callee_end - 1), start)
    elif target in imports.calls:
        first = first_argument(walk, arguments)
        if first is not None and walk.role(first) == "string":
            value = literal_value(walk.slice(first))
            if value and "${" not in value:
                draft = ImportDraft(value, kind=imports.calls[target])
                add_import(walk, draft, walk.lines.line(callee_end - 1), start)
    elif errors.handler_calls and target.rpartition(".")[2] in errors.handler_calls:
        for child in arguments.named_children:
            if walk.role(child) == "function":
                walk.handler_functions[child.id] = (start, callee_end)


def _arguments_before(walk: Walk, node: Node, entry: Entry, block: Node) -> Node | None:
    """Arguments before a block, where the grammar makes two calls of `f(x) { … }`; they count as one."""
    inner = first_child(node)
    if inner is None or inner.kind_id != node.kind_id or part(inner, entry, "block") is not None:
        return None
    if walk.source[inner.end_byte : block.start_byte].strip():
        return None  # a receiver
    walk.inner_calls.add(inner.id)
    return part(inner, entry, "arguments")


def call_with_block(walk: Walk, node: Node, block: Node) -> None:
    """Note the call `f<T> { … }`, which a grammar reads as two comparisons."""
    end = walk.source.find(b"<", node.start_byte, block.start_byte)
    if end >= 0:
        target = call_target(walk.source, node.start_byte, end)
        walk.calls.append((target, node.start_byte, walk.frame.index, False))
        walk.open_calls.append((node.end_byte, end, target, None, block.start_byte))
        if walk.open_handlers:
            walk.note_in_handlers("call", node)


def is_recursive(walk: Walk, target: str, arguments: Node | None) -> bool:
    """Whether a call is one of the function it stands in."""
    frame, syntax = walk.frame, walk.name_syntax
    prefix = (frame.self_prefix or syntax.self_prefix).decode("utf-8", "replace")
    own_name = prefix + frame.name if frame.class_index >= 0 else frame.name
    if not syntax.implicit_self and not syntax.bare_calls:
        return target == own_name
    if target == "this":  # another constructor
        return False
    # Where methods need no prefix they may also be overloaded: the number of arguments tells them apart.
    count = arguments.named_child_count if arguments is not None else 0
    return target in (own_name, frame.name) and count == len(frame.params)


def enter_anonymous_type(walk: Walk, target: str) -> None:
    """Enter the type that a call with a body defines: its methods are not those of the type around it."""
    outer = walk.scopes[-1].qualname
    walk.scopes.append(Namespace(qualified(outer, target)))
    walk.on_leave(walk.scopes.pop)


def await_(walk: Walk, node: Node, entry: Entry) -> None:
    value = first_child(node)
    if value is not None:
        walk.awaited.add(value.id)


def drafts_of(walk: Walk, node: Node) -> tuple[ImportDraft, ...]:
    """The imports of a statement; memoised as parameters are."""
    key = (str(node), walk.slice(node))
    memo = walk.reader.imports
    drafts = memo.get(key)
    if drafts is None:
        drafts = memo[key] = tuple(walk.import_syntax.statements(node, walk.source))
    return drafts


def import_(walk: Walk, node: Node, entry: Entry) -> bool | None:
    start = node.start_byte
    line = walk.lines.line(start)
    for draft in drafts_of(walk, node):
        add_import(walk, draft, line, start)
    if walk.open_handlers:
        walk.note_in_handlers("assign", node)
    return SKIP


def add_import(walk: Walk, draft: ImportDraft, line: int, offset: int) -> None:
    guards = walk.import_guards  # in the order of the file, and so are imports
    while guards and guards[-1][1] <= offset:
        guards.pop()
    stated = draft.kind or walk.import_syntax.kind
    target, relative = draft.target, walk.import_syntax.relative
    if relative is not None and walk.namespace_path:
        target = relative(target, walk.namespace_path)
    if len(target) > MAX_DOTTED_CHARS:
        return  # no file has such a name
    if draft.type_only:
        kind = EdgeKind.TYPE_ONLY
    elif guards and guards[-1][0] <= offset:
        kind = guards[-1][2]
    elif stated in (EdgeKind.DYNAMIC, EdgeKind.DEFERRED) or (
        stated is EdgeKind.LINKED and not draft.reexport
    ):
        kind = stated
    elif walk.frame is not walk.module or walk.module.lambdas:
        kind = EdgeKind.DEFERRED
    else:
        kind = EdgeKind.REEXPORT if draft.reexport else EdgeKind.RUNTIME
    walk.imports.append(Import(target, line, kind, draft.names, draft.alias, walk.frame.index, guarded=False))


def export(walk: Walk, node: Node, entry: Entry) -> bool | None:
    start = node.start_byte
    line = walk.lines.line(start)
    drafts = tuple(walk.import_syntax.statements(node, walk.source))
    for draft in drafts:
        add_import(walk, draft, line, start)
    if walk.at_module_level():  # what a namespace exports is not the file's
        for exported in walk.import_syntax.exports(node, walk.source):
            walk.exports.append(Export(exported.name, line, exported.local))
    return bool(drafts)


def statement(walk: Walk, node: Node, entry: Entry) -> None:
    walk.bare_start, walk.bare_end = node.start_byte, node.end_byte
    if walk.error_syntax.discards is not None:
        note_discard(walk, node)


def string(walk: Walk, node: Node, entry: Entry) -> bool | None:
    start, end = node.start_byte, node.end_byte
    if start == walk.bare_start and end == walk.bare_end:  # a docstring, or a string without effect
        _note_comment(walk, start, end, doc=True)
        return SKIP
    raw = walk.source[start:end]
    value, is_plain = _literal(raw) if end - start < MAX_LITERAL_BYTES else (None, _holds_no_code(raw))
    if value is not None:
        around = walk.call_around(start, end)
        line = walk.lines.line(start)
        walk.texts.append(Text(value, line, walk.frame.index, around[2] if around else ""))
    return is_plain


@lru_cache(maxsize=100_000)
def _literal(raw: bytes) -> tuple[str | None, bool]:
    """The value of a literal of interest, and whether it holds no code. Memoised: most are written many times."""
    match = INTERESTING.match(raw) if raw.find(b" ") < 0 else None
    return match.group("value").decode("utf-8", "replace") if match else None, _holds_no_code(raw)


def _holds_no_code(raw: bytes) -> bool:
    """Whether a string has no interpolation, which may hold calls."""
    return raw.find(b"{") < 0 and raw.find(b"\\(") < 0


def comment(walk: Walk, node: Node, entry: Entry) -> bool | None:
    _note_comment(walk, node.start_byte, node.end_byte, doc=False)
    return SKIP


def _note_comment(walk: Walk, start: int, end: int, *, doc: bool) -> None:
    """Note a comment or docstring, and take its lines out of the code."""
    first, last, own = walk.lines.comment(start, end)
    text = walk.source[start:end].decode("utf-8", "replace").rstrip()
    walk.comments.append(Comment(first, last, text, own, doc))


def parameters(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """Read with their function; walked only for types, and defaults that are more than a literal."""
    written = walk.source[node.start_byte + 1 : node.end_byte - 1]
    if written.find(b"@") >= 0:
        walk.on_leave(walk.drop_decorators)
    return not walk.reader.has_references and _HOLDS_CODE.search(written) is None


def nothing(walk: Walk, node: Node, entry: Entry) -> None:
    """A role that only other actions use."""

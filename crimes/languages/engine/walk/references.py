"""Names a file uses, for languages whose files see each other without an import; and fields named without a prefix."""

from __future__ import annotations

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.handlers import raise_
from crimes.languages.engine.walk.state import SKIP, Walk, part
from crimes.languages.engine.walk.uses import add_import
from crimes.languages.spec import MacroContents
from crimes.model.lazy_regex import regex

MAX_REFERENCE_BYTES = 120
_ALONE = regex(rb"[ \t\r]*(?:#.*)?(?:\n|\Z)")
_WORD = regex(rb"[\w\x80-\xff]+")
_IN_PACKAGE = regex(rb"(?:[a-z_][\w\x80-\xff]*\.)+[A-Z][\w\x80-\xff]*")
_QUALIFIED = regex(rb"(?:\\|::)?[\w$\x80-\xff]+(?:(?:\.|::|\\)[\w$\x80-\xff]+)*")


def note_qualified(walk: Walk, start: int, end: int) -> None:
    """Note `package.Name` in an expression, unless it is a callee. Fields of an object look the same and are noted too."""
    around = walk.open_calls
    if end - start > MAX_REFERENCE_BYTES:
        return
    if not (around and around[-1][1] == end) and _IN_PACKAGE.fullmatch(walk.source, start, end):
        walk.references.setdefault(walk.source[start:end], start)


def name(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A plain name. Only one that begins with a capital can be a type or constant of another file."""
    start = node.start_byte
    text = walk.source[start : node.end_byte]
    if start in walk.members or start == walk.declared_at:
        return SKIP
    if text[:1].isupper():
        walk.references.setdefault(text, start)
    elif walk.open_handlers and text in (b"continue", b"break"):  # names in some grammars
        walk.note_in_handlers(text.decode(), node)
    elif walk.free_names is not None and start != walk.key_at:
        walk.free_names.setdefault(text, start)
    elif walk.name_syntax.bare_calls:
        _bare_call(walk, node, text, start)
    if walk.name_syntax.implicit_self and walk.frame is not walk.module and start != walk.frame.head:
        walk.frame.words.add(text)
    return SKIP


def _bare_call(walk: Walk, node: Node, name: bytes, start: int) -> None:
    """Note an undeclared name alone on its line as a call; and one that raises, anywhere."""
    around = walk.open_calls
    if around and start < around[-1][0] and node.end_byte <= around[-1][1]:
        return  # a callee or receiver
    word = name.decode("utf-8", "replace")
    if word in walk.error_syntax.raising_calls:
        raise_(walk, node, Entry("raise"))
    elif (
        name in walk.declared
        or not _ALONE.match(walk.source, node.end_byte)
        or not walk.lines.first_on_line(start)
    ):
        return
    walk.calls.append((word, start, walk.frame.index, False))
    if walk.open_handlers:
        walk.note_in_handlers("call", node)


def note_declared(walk: Walk, *nodes: Node | None) -> None:
    """Note the names that nodes declare inside a function: parameters, results, the left of an assignment."""
    for node in nodes:
        if node is not None:
            walk.declared.update(_WORD.findall(walk.source, node.start_byte, node.end_byte))


def type_parameter(walk: Walk, node: Node, entry: Entry) -> None:
    """A type parameter: its name is no type of another file."""
    name = part(node, entry, "name")
    if name is not None:
        walk.type_parameters.add(walk.slice(name))


def reference(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A type, or a name qualified with its package or type. Anything but one plain name is walked."""
    start, end = node.start_byte, node.end_byte
    if start == walk.declared_at:
        return SKIP
    text = walk.source[start:end]
    if end - start > MAX_REFERENCE_BYTES or not _QUALIFIED.fullmatch(text):
        return None
    _note_reference(walk, text, start)
    return SKIP


def _note_reference(walk: Walk, text: bytes, start: int) -> None:
    relative = walk.import_syntax.relative
    if relative is not None and walk.namespace_path:
        text = relative(text.decode("utf-8", "replace"), walk.namespace_path).encode()
    walk.references.setdefault(text, start)


def tokens(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """The arguments of a macro, which the grammar leaves as tokens: the language searches them by pattern."""
    start, end = node.start_byte, node.end_byte
    if start >= walk.tokens_end:
        walk.tokens_end = end
        read = walk.syntax.tokens
        contents = read(walk.slice(node)) if read is not None else MacroContents()
        line = walk.lines.line
        for offset, draft in contents.imports:
            add_import(walk, draft, line(start + offset), start + offset)
        for offset, target in contents.calls if start >= walk.decorators_end else ():
            walk.calls.append((target, start + offset, walk.frame.index, False))
        for offset, text in contents.names:
            _note_reference(walk, text, start + offset)
        if walk.at_module_level():
            walk.definitions.update(contents.definitions)
    return walk.source.find(b"/", start, end) < 0  # a comment inside still has to be visited

"""Types, the packages they stand in, and the blocks that add methods to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from crimes.languages.engine.nodes import Node, first_child
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.frames import MAX_DOTTED_CHARS, ClassFrame, Namespace, prefix_of, qualified
from crimes.languages.engine.walk.state import SKIP, Walk, guards_hold, part, parts
from crimes.languages.engine.walk.uses import add_import, drafts_of, enter_anonymous_type
from crimes.languages.engine.words import call_target
from crimes.model.lazy_regex import regex

MAX_BASES = 20
_SEPARATOR = regex(r"::|\\")
_SPACE = regex(r"\s+")
_WORD = regex(rb"[\w$\x80-\xff]+")
_DELEGATED = regex(rb"\sby\s.*", re.DOTALL)  # Kotlin: the delegate of a base
_WITH = regex(rb"\swith\s")
_ACCESS = regex(rb"\b(?:public|protected|private|virtual)\s")
_ARGUMENTS = regex(r"<[^<>]*>")
_TYPE_NAME = regex(
    r"(?<![\w$])([\w$]++)\s*+(?:<.*>|\[.*\])?\s*+$", re.DOTALL, within=500
)  # the last name, without type arguments


def class_(walk: Walk, node: Node, entry: Entry) -> None:
    if "adds" in entry.parts and part(node, entry, "adds") is not None:
        implementation(walk, node, entry)  # one kind of node for both: this keyword tells them apart
        return
    if entry.guards and not guards_hold(node, entry):
        return  # a use: `struct order *next`
    lines = walk.lines
    name_node = part(node, entry, "name")
    defines = name_node is not None
    if not defines:
        name_node = part(node, entry, "key")
    name = walk.text(name_node) if name_node is not None else walk.names.pop(node.id, "")
    if walk.name_syntax.reopens and name_node is not None:
        walk.declared_at = name_node.start_byte
    body, bases = part(node, entry, "body"), part(node, entry, "bases")
    outer = prefix_of(walk.scopes[-1])
    label = name or "(class)"
    frame = ClassFrame(
        len(walk.classes),
        label,
        qualified(outer, label),
        lines.line(node.start_byte),
        lines.last_line(walk.end_of(node)),
        body.start_byte if body is not None else node.end_byte,
    )
    if bases is not None:
        frame.bases = tuple(_base_names(walk, bases))[:MAX_BASES]
    frame.decorators = walk.take_decorators(node.start_byte)
    if walk.at_module_level() and defines:
        walk.definitions.add(name)
    if defines and walk.open_handlers:
        walk.note_in_handlers("assign", node)
    walk.classes.append(frame)
    walk.types_by_name.setdefault(label, frame)
    walk.scopes.append(frame)
    walk.on_leave(walk.scopes.pop)


def _base_names(walk: Walk, node: Node) -> Iterator[str]:
    """Names in a list of base classes, without comments and settings such as `metaclass=M`."""
    for child in node.named_children:
        text = call_target(walk.source, child.start_byte, child.end_byte)
        if walk.role(child) != "comment" and "=" not in text:
            yield text


def bases(walk: Walk, node: Node, entry: Entry) -> None:
    """A heritage clause without a field of its own."""
    scope = walk.scopes[-1]
    if isinstance(scope, ClassFrame) and node.start_byte < scope.head:
        written = _DELEGATED.sub(b"", walk.slice(node)).replace(b"extends", b" ").replace(b"implements", b",")
        written = _ACCESS.sub(b" ", _WITH.sub(b",", written))
        words = call_target(written, 0, len(written))
        while "<" in words and (plain := _ARGUMENTS.sub("", words)) != words:
            words = plain
        names = (word.rstrip("()[]") for word in words.lstrip(":").split(",") if word)
        scope.bases = (*scope.bases, *names)[:MAX_BASES]


def type_(walk: Walk, node: Node, entry: Entry) -> None:
    name = part(node, entry, "name")
    if name is None or (entry.guards and not guards_hold(node, entry)):
        return
    words = _WORD.findall(walk.slice(name))
    label = words[0].decode("utf-8", "replace") if words else ""  # without type parameters
    if label and walk.at_module_level():
        walk.definitions.add(label)
    value = part(node, entry, "value")
    if value is not None and walk.role(value) == "class":
        walk.names[value.id] = label  # `typedef struct {…} order;`


def anonymous_type(walk: Walk, node: Node, entry: Entry) -> None:
    """A type without a name, defined in an expression."""
    enter_anonymous_type(walk, "object")


def namespace(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """A namespace: what it holds is not the module's. One whose name is a string describes another file.

    One without a body stands for a file of that name: the language's import reader says which.
    """
    start = node.start_byte
    decorators = walk.take_decorators(start)
    if "body" in entry.parts and part(node, entry, "body") is None:
        names_file = walk.import_syntax.file_decorator
        files = [path for text in decorators for path in names_file.findall(text)] if names_file else []
        for draft in drafts_of(walk, node):
            for stated in [replace(draft, target=path) for path in files] or [draft]:
                add_import(walk, stated, walk.lines.line(start), start)
        return SKIP
    name = part(node, entry, "name")
    label = walk.text(name).strip("\"'") if name is not None else ""
    if walk.name_syntax.namespaces_are_packages:
        _enter_package(walk, label)
        return None
    if walk.role(name) != "string" and walk.at_module_level():
        walk.definitions.add(label.partition(".")[0])
    in_test = walk.marks_tests(decorators)
    walk.test_scopes += in_test
    outer = walk.scopes[-1].qualname
    walk.scopes.append(Namespace(qualified(outer, label)))
    around = walk.namespace_path
    walk.namespace_path = f"{around}::{label}" if 0 < len(around) < MAX_DOTTED_CHARS else label

    def leave() -> None:
        walk.scopes.pop()
        walk.test_scopes -= in_test
        walk.namespace_path = around

    walk.on_leave(leave)
    return None


def _enter_package(walk: Walk, label: str) -> None:
    """Enter a namespace that is a package: only the package changes."""
    outer = walk.namespaces[-1] if walk.namespaces else ""
    inner = _SEPARATOR.sub(".", label) if len(label) <= MAX_DOTTED_CHARS else ""
    walk.namespaces.append(qualified(outer, inner) if inner else outer)
    walk.packages.append(walk.namespaces[-1])
    walk.on_leave(walk.namespaces.pop)


def package(walk: Walk, node: Node, entry: Entry) -> bool | None:
    """The package or namespace that a file declares."""
    name = part(node, entry, "name") or first_child(node)
    if name is not None and name.end_byte - name.start_byte <= MAX_DOTTED_CHARS:
        text = _SEPARATOR.sub(".", _SPACE.sub("", walk.text(name)))
        chained = walk.name_syntax.packages_chain and walk.packages
        walk.packages.append(qualified(walk.packages[-1], text) if chained else text)
    return "body" not in entry.parts


def owner(walk: Walk, name: str, start: int, end: int) -> ClassFrame:
    """The type that methods outside its body belong to; added here if it is not defined in this file."""
    frame = walk.types_by_name.get(name)
    if frame is None:
        frame = walk.types_by_name[name] = ClassFrame(len(walk.classes), name, name, start, end, 0)
        walk.classes.append(frame)
    else:
        frame.spans.append((start, end))
    return frame


def implementation(walk: Walk, node: Node, entry: Entry) -> None:
    """A block of methods for a type that is defined elsewhere."""
    in_test = walk.marks_tests(walk.take_decorators(node.start_byte))
    walk.decorators.clear()
    name = part(node, entry, "name")
    if name is None:
        return
    walk.test_scopes += in_test
    match = _TYPE_NAME.search(walk.text(name))
    label = match.group(1) if match else "(type)"
    frame = owner(walk, label, walk.lines.line(node.start_byte), walk.lines.last_line(node.end_byte))
    base = part(node, entry, "base")
    if base is not None and len(frame.bases) < MAX_BASES:
        frame.bases += (call_target(walk.source, base.start_byte, base.end_byte),)
    body = part(node, entry, "body")
    if body is not None:
        frame.head = body.start_byte  # bases and decorators before it are the type's own
    walk.scopes.append(frame)

    def leave() -> None:
        walk.scopes.pop()
        walk.test_scopes -= in_test

    walk.on_leave(leave)


def field(walk: Walk, node: Node, entry: Entry) -> None:
    """A field of a type. `name` may be a declarator; its first word is the name."""
    scope = walk.scopes[-1]
    if isinstance(scope, ClassFrame):
        names = parts(node, entry, "name")
        for name in names:
            match = _WORD.search(walk.slice(name))
            if match is not None:
                scope.fields.add(match.group())
                walk.declared_at = name.start_byte + match.start()
                walk.field = (node.end_byte, match.group().decode("utf-8", "replace"))
        embedded = part(node, entry, "base") if not names else None
        if embedded is not None and len(scope.bases) < MAX_BASES:
            scope.bases += (call_target(walk.source, embedded.start_byte, embedded.end_byte).lstrip("*"),)
    walk.on_leave(walk.drop_decorators)

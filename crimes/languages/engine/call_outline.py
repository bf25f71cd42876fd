"""What decides whether calls fit, read from one file on demand: parameters, arguments, and what names are bound to.

Facts do not hold this: only few files matter to a change, and reading them again costs less than keeping it for all.
"""

from __future__ import annotations

from crimes.languages.engine.call_bindings import read_bindings
from crimes.languages.engine.call_parameters import parameters_of
from crimes.languages.engine.facts import as_utf8, parse, reader_of
from crimes.languages.engine.nodes import Node
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.state import Action, Actions, Reader, Walk, part
from crimes.languages.spec import CallSyntax, Language
from crimes.model.calls import Arguments, CallOutline, CallSite
from crimes.model.lazy_regex import regex

_NEW = regex(rb"new\b")


class _CallWalk(Walk):
    """A walk that also remembers the nodes of calls."""

    __slots__ = ("sites",)

    def __init__(self, source: bytes, reader: Reader) -> None:
        super().__init__(source, reader)
        self.sites: list[tuple[int, Node, Entry]] = []


def read_call_outline(language: Language, source: bytes) -> CallOutline | None:
    """The outline of one file; None where calls are not followed. Raises Unreadable."""
    source = as_utf8(source)
    if language.inner is not None:
        inner, code = language.inner(source)
        return read_call_outline(inner, code)
    calling = language.syntax.calling if language.syntax else None
    if calling is None:
        return None
    _, reader = reader_of(language)
    walk = _CallWalk(source, Reader(reader.syntax, reader.table, _noting_actions(language)))
    tree = parse(language, source)
    walk.run(tree)
    sites = {node.id: _call_site(walk, calling, *site) for site in walk.sites if (node := site[1])}
    bindings = read_bindings(walk, tree.root_node, calling, sites)
    return CallOutline(
        tuple(parameters_of(walk, frame, calling) for frame in walk.functions),
        tuple(site for site in sites.values() if site is not None),
        {function: tuple(bound.values()) for function, bound in bindings.names.items()},
        tuple(bindings.fields.values()),
        {
            frame.index: frame.self_prefix.decode().rstrip(".")
            for frame in walk.functions
            if frame.self_prefix
        },
        frozenset(bindings.overloaded),
        frozenset(bindings.overriding),
        frozenset(bindings.inert_bases),
        frozenset(bindings.mixins),
    )


_actions: dict[str, Actions] = {}


def _noting_actions(language: Language) -> Actions:
    """The actions of a language, with those of calls remembering the call's node."""
    if language.id not in _actions:
        reader = reader_of(language)[1]
        actions = list(reader.actions)
        for kind, entry in reader.table.entries.items():
            pair = actions[kind]
            if entry.role == "call" and pair is not None:
                actions[kind] = (_noting(pair[0]), entry)
        _actions[language.id] = actions
    return _actions[language.id]


def _noting(action: Action) -> Action:
    def note(walk: Walk, node: Node, entry: Entry) -> int | None:
        count = len(walk.calls)
        skip = action(walk, node, entry)
        if len(walk.calls) > count and isinstance(walk, _CallWalk):
            walk.sites.append((count, node, entry))
        return skip

    return note


def _call_site(walk: _CallWalk, calling: CallSyntax, index: int, node: Node, entry: Entry) -> CallSite | None:
    """A call with its arguments; None for a macro, whose arguments may be anything."""
    target, offset, function, _ = walk.calls[index]
    if walk.source[offset : offset + 1] == b"!":
        return None
    suffix = part(node, entry, "suffix") if "suffix" in entry.parts else None
    holder, holder_entry = (suffix, walk.entries[suffix.kind_id]) if suffix is not None else (node, entry)
    arguments = part(holder, holder_entry, "arguments")
    has_block = "block" in holder_entry.parts and part(holder, holder_entry, "block") is not None
    creates = _NEW.match(walk.source, node.start_byte) is not None
    passed = _arguments(walk, calling, arguments)
    if has_block and not calling.bare_arguments:
        passed = Arguments(passed.positional, passed.keywords, is_open=True)
    line = walk.lines.line(offset)
    return CallSite(target, line, function, passed, creates, walk.slice(node))


def _arguments(walk: Walk, calling: CallSyntax, node: Node | None) -> Arguments:
    if node is None or walk.source[node.start_byte : node.start_byte + 1] != b"(":
        if not calling.bare_arguments:
            return Arguments(0, is_open=True)
        if node is None:
            return Arguments(0)
    positional, keywords, is_open, fills_rest = 0, [], node.has_error, False
    children = [child for child in node.named_children if walk.role(child) != "comment"]
    if len(children) > 1 and not any(child.type == "," for child in node.children):
        return Arguments(1)  # `any(x for x in rows)`: one argument, with the brackets of the call
    for child in children:
        written = walk.slice(child)
        named = calling.keyword.match(written) if calling.keyword else None
        if calling.spread and calling.spread.search(written):
            fills_rest = calling.spread_is_rest
            is_open = is_open or not fills_rest
        elif named is not None:
            keywords.append(named.group(1).decode("utf-8", "replace"))
        else:
            positional += 1
    if calling.calls_spread and len(children) == 1 and walk.role(children[0]) == "call":
        is_open = True
    return Arguments(positional, tuple(keywords), is_open, fills_rest)

"""What decides whether calls fit, read from one file on demand: parameters, arguments, and what names are bound to.

Facts do not hold this: only few files matter to a change, and reading them again costs less than keeping it for all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct
from tree_sitter import Node as TreeNode
from tree_sitter import Query, QueryCursor

from crimes.languages.engine.facts import as_utf8, parse, reader_of
from crimes.languages.engine.nodes import Node
from crimes.languages.engine.table import Entry, query_text, table_for
from crimes.languages.engine.walk.frames import FunctionFrame
from crimes.languages.engine.walk.state import Action, Actions, Reader, Walk, part
from crimes.languages.engine.words import bound_names
from crimes.languages.spec import CallSyntax, Language
from crimes.model.lazy_regex import regex

_NEW = regex(rb"new\b")
_IDENTIFIER = regex(r"[^\W\d][\w$]*|\$\w+")
_BINDING_WORDS = regex(r"^(?:&|mut\b|ref\b|\s)+")
_NO_TYPES = frozenset({"var", "auto", "val", "let"})
_MAX_PATTERN_CHARS = 400


class Parameter(Struct, frozen=True):
    """A parameter. `kind` is empty, `keyword` (by name only), `rest` (any more arguments) or `keywords` (any more names)."""

    name: str
    is_required: bool
    kind: str = ""


class Arguments(Struct, frozen=True):
    """What a call passes. `is_open`: something in it stands for an unknown number of arguments."""

    positional: int
    keywords: tuple[str, ...] = ()
    is_open: bool = False


class CallSite(Struct, frozen=True):
    """A call. `target` and `function` are those of the call's fact."""

    target: str
    line: int
    function: int
    arguments: Arguments
    creates: bool  # `new Order()`
    text: bytes  # as written


class Binding(Struct, frozen=True):
    """A name or field with the type it is declared with, or the call whose result it holds; both empty if unknown."""

    name: str
    line: int
    function: int
    type: str = ""
    value: str = ""  # target of the call
    creates: bool = False  # that call is `new Order()`
    index: int = 0  # in a list of names that share one value
    key: str = ""  # of a destructured name


class CallOutline(Struct, frozen=True):
    """The calls of a file, and what they need to be understood."""

    parameters: tuple[tuple[Parameter, ...] | None, ...]  # by function; None if they are not those of the name
    calls: tuple[CallSite, ...]
    names: Mapping[int, tuple[Binding, ...]]  # by function
    fields: tuple[Binding, ...]
    own_names: Mapping[int, str]  # by function: what it calls its own object, where each names it
    overloaded: frozenset[str]  # names with further signatures that are no functions
    overriding: frozenset[int]  # functions that say that they are inherited too
    inert_bases: frozenset[str]  # bases that bring no methods
    mixins: frozenset[int]  # lines that add methods to the class around them


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
    bindings = _bindings(walk, tree.root_node, calling, sites)
    return CallOutline(
        tuple(_parameters(walk, frame, calling) for frame in walk.functions),
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


def _call_site(
    walk: _CallWalk, calling: CallSyntax, index: int, node: Node, entry: Entry
) -> CallSite | None:
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
    if has_block:
        passed = Arguments(passed.positional, passed.keywords, is_open=True)
    line = walk.lines.line(offset)
    return CallSite(target, line, function, passed, creates, walk.slice(node))


def _arguments(walk: Walk, calling: CallSyntax, node: Node | None) -> Arguments:
    if node is None or walk.source[node.start_byte : node.start_byte + 1] != b"(":
        return Arguments(0, is_open=True)
    if walk.role(node) not in ("", "values", "parameters", "literal.tuple", "skip"):
        return Arguments(1)  # `any(x for x in rows)`: one argument with the brackets of the call
    positional, keywords, is_open = 0, [], node.has_error
    children = [child for child in node.named_children if walk.role(child) != "comment"]
    for child in children:
        written = walk.slice(child)
        named = calling.keyword.match(written) if calling.keyword else None
        if calling.spread and calling.spread.search(written):
            is_open = True
        elif named is not None:
            keywords.append(named.group(1).decode("utf-8", "replace"))
        else:
            positional += 1
    if calling.calls_spread and len(children) == 1 and walk.role(children[0]) == "call":
        is_open = True
    return Arguments(positional, tuple(keywords), is_open)


def _parameters(walk: Walk, frame: FunctionFrame, calling: CallSyntax) -> tuple[Parameter, ...] | None:
    """The parameters of a function; None if its name stands for something that was made of it."""
    node = frame.node
    if node is None or frame.anonymous or _is_wrapped(walk, node):
        return None
    kinds = {"*": "rest", "**": "keywords"}
    params = [
        Parameter(
            param.name.lstrip("$"),
            not (param.has_default or param.star),
            kinds.get(param.star) or ("keyword" if param.keyword_only else ""),
        )
        for param in frame.params
    ]
    if calling.may_omit and frame.body is not None:
        body = walk.source[frame.body.start_byte : node.end_byte].decode("utf-8", "replace")
        params = [
            Parameter(param.name, param.is_required and not _copes_without(body, param.name), param.kind)
            for param in params
        ]
    entry = walk.entries.get(node.kind_id)
    written = part(node, entry, "parameters") if entry is not None else None
    nodes = [
        child
        for child in (written.named_children if written is not None else ())
        if walk.role(child) not in ("comment", "decorator")
    ]
    if len(nodes) == len(params):
        texts = [walk.slice(child) for child in nodes]
        params = [
            _as_written(param, text, calling)
            for param, text in zip(params, texts, strict=True)
            if not (calling.ignored and calling.ignored.match(text))
        ]
    elif written is not None and params and calling.rest and calling.rest.search(walk.slice(written)):
        params[-1] = Parameter(params[-1].name, is_required=False, kind="rest")
    return tuple(params)


def _as_written(param: Parameter, text: bytes, calling: CallSyntax) -> Parameter:
    """A parameter with what its text says and facts do not."""
    if calling.rest and calling.rest.search(text):
        return Parameter(param.name, is_required=False, kind="rest")
    if calling.optional and calling.optional.search(text):
        return Parameter(param.name, is_required=False, kind=param.kind)
    return param


def _copes_without(body: str, name: str) -> bool:
    """Whether a function looks at a parameter before it uses it, or only hands it on."""
    if not name.isidentifier() or name not in body:
        return False
    word = rf"(?<![\w$.]){name}(?![\w$])"
    asked = rf"{word}\s*(?:\|\||\?|&&|[!=]==?)|(?:!|typeof\s+|\|\|\s*|&&\s*|[!=]==?\s*){word}|\barguments\b"
    handed_on = rf"[({{\[,:]\s*{word}\s*[,)}}\]]|\.\.\.{word}|return\s+{word}\s*[;\n}}]"
    return re.search(f"{asked}|{handed_on}", body) is not None


def _is_wrapped(walk: Walk, node: Node) -> bool:
    """Whether a function is an argument: `f = debounce((x) => …)`."""
    parent = node.parent
    around = parent.parent if parent is not None and walk.role(parent) == "argument" else parent
    return around is not None and around.parent is not None and walk.role(around.parent) == "call"


@cache
def _query(file: str, queries: tuple[str, ...], pointer: Callable[[], object]) -> Query:
    return Query(table_for(queries, pointer).grammar, query_text((file,)))


class _Bindings(Struct):
    """What the matches of a query say."""

    names: defaultdict[int, dict[tuple[str, int], Binding]]
    fields: dict[tuple[str, int], Binding]
    overloaded: set[str]
    overriding: set[int]
    inert_bases: set[str]
    mixins: set[int]


def _bindings(
    walk: Walk, root: TreeNode, calling: CallSyntax, sites: Mapping[int, CallSite | None]
) -> _Bindings:
    query = _query(calling.query, walk.syntax.queries, walk.syntax.grammar)
    bindings = _Bindings(defaultdict(dict), {}, set(), set(), set(), set())
    around = _Enclosing(walk.functions)
    for _, captures in QueryCursor(query).matches(root):
        bindings.overloaded.update(walk.text(node) for node in captures.get("overload", ()))
        bindings.overriding.update(around.function(node.start_byte) for node in captures.get("override", ()))
        bindings.inert_bases.update(_base_name(walk.text(node)) for node in captures.get("inert", ()))
        bindings.mixins.update(walk.lines.line(node.start_byte) for node in captures.get("mixin", ()))
        for kind in ("name", "field"):
            for node in captures.get(kind, ()):
                function = around.function(node.start_byte)
                known = bindings.fields if kind == "field" else bindings.names[function]
                for binding in _bound(walk, node, function, captures, sites, is_field=kind == "field"):
                    key = (binding.name, binding.line)
                    if key not in known or _weight(binding) > _weight(known[key]):
                        known[key] = binding
    return bindings


def _base_name(written: str) -> str:
    """The name of a base without its type arguments."""
    return written.partition("<")[0].strip()


def _weight(binding: Binding) -> int:
    """How much is known of a name: several patterns may match one declaration."""
    return 2 if binding.type or binding.key else int(bool(binding.value))


def _bound(
    walk: Walk,
    node: Node,
    function: int,
    captures: Mapping[str, list[TreeNode]],
    sites: Mapping[int, CallSite | None],
    *,
    is_field: bool,
) -> Iterator[Binding]:
    """The names that one declaration binds."""
    text = _BINDING_WORDS.sub("", walk.text(node)[:_MAX_PATTERN_CHARS])
    line = walk.lines.line(node.start_byte)
    type_, value, key = (_first(captures.get(kind, ())) for kind in ("type", "value", "key"))
    site = sites.get(value.id) if value is not None else None
    written = walk.text(type_).lstrip(": ") if type_ is not None else ""
    written = "" if written in _NO_TYPES else written
    text = text.replace("->", ".") if is_field else text
    if is_field or _IDENTIFIER.fullmatch(text):
        yield Binding(
            text,
            line,
            function,
            written,
            site.target if site else "",
            site.creates if site else False,
            key=walk.text(key) if key is not None else "",
        )
        return
    listed = [word.strip() for word in text.strip("()").split(",")]
    if site is not None and all(_IDENTIFIER.fullmatch(word) for word in listed):
        for index, word in enumerate(listed):
            yield Binding(word, line, function, "", site.target, site.creates, index)
        return
    for word in _names_in(text):
        yield Binding(word, line, function)


def _names_in(text: str) -> Iterable[str]:
    """Every name in a pattern: those it binds, and others that do no harm."""
    return {*bound_names(text.encode()), *_IDENTIFIER.findall(text)}


def _first(nodes: Iterable[TreeNode]) -> TreeNode | None:
    return next(iter(nodes), None)


class _Enclosing:
    """The innermost function around an offset."""

    def __init__(self, frames: list[FunctionFrame]) -> None:
        self._spans = [
            (frame.node.start_byte, frame.node.end_byte, frame.index) for frame in frames if frame.node
        ]

    def function(self, offset: int) -> int:
        inner = [(end - start, index) for start, end, index in self._spans if start <= offset < end]
        return min(inner)[1] if inner else -1

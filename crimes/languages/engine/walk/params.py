"""Parameters as written."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from msgspec.structs import replace

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.state import Walk, part
from crimes.model.facts import Param
from crimes.model.lazy_regex import regex

_BOOLEAN_TYPE = regex(
    r"^:?\s*(?:Optional\[)?(?i:_?bool(?:ean)?)[?!]?\]?(?:\s*\|\s*(?:None|null|undefined))?$"
)
_BOOLEANS = frozenset({"True", "False", "true", "false"})
MAX_NAME_CHARS = 60


def params_of(walk: Walk, node: Node) -> tuple[Param, ...]:
    """The parameters of a list; memoised, as the same list is often written many times.

    By its tree, too: what the same text is taken for may depend on what is around it.
    """
    key = (str(node), walk.slice(node))
    memo = walk.reader.params
    params = memo.get(key)
    if params is None:
        params = memo[key] = tuple(_read_list(walk, node))
    return params


def params_beside(walk: Walk, node: Node, first: Node) -> tuple[Param, ...]:
    """Parameters without a list around them, as children of the function; defaults follow their parameters."""
    after = (child for child in node.children if child.start_byte >= first.start_byte)
    return tuple(_read_nodes(walk, takewhile(lambda child: child.type != ")", after)))


def plain_param(walk: Walk, node: Node) -> Param:
    """A parameter that is a name and nothing else."""
    name = walk.text(node)[:MAX_NAME_CHARS]
    return Param(name, has_default=False, boolean=False, keyword_only=False, star="")


def _read_list(walk: Walk, node: Node) -> list[Param]:
    if not node.named_child_count and walk.text(node).isidentifier():  # `x -> x + 1`
        return [plain_param(walk, node)]
    return _read_nodes(walk, node.children)


def _read_nodes(walk: Walk, children: Iterable[Node]) -> list[Param]:
    params: list[Param] = []
    starred = default_follows = rest_follows = False
    for child in children:
        if not child.is_named:
            default_follows = child.type == "="
            continue
        if default_follows and params:  # a default beside its parameter
            default_follows = False
            boolean = params[-1].boolean or walk.text(child) in _BOOLEANS
            params[-1] = replace(params[-1], has_default=True, boolean=boolean)
            continue
        entry = walk.entries.get(child.kind_id)
        if entry and entry.role in ("comment", "decorator", "reference"):
            rest_follows = entry.role == "decorator" and b"vararg" in walk.slice(child)
            continue
        parts = entry if entry and entry.role == "parameter" else None
        default = part(child, parts, "default") if parts else None
        kind = part(child, parts, "type") if parts else None
        boolean = (default is not None and walk.text(default) in _BOOLEANS) or (
            kind is not None and _BOOLEAN_TYPE.match(walk.text(kind)) is not None
        )
        rest = rest_follows or (parts is not None and part(child, parts, "star") is not None)
        rest_follows = False
        keyword = parts is not None and part(child, parts, "keyword") is not None
        for name_node in _name_nodes(child, parts):
            text = walk.text(name_node or child)
            if walk.name_syntax.declared_name is not None:
                declared = walk.name_syntax.declared_name.search(text) if name_node is not None else None
                text = declared.group() if declared else ""
            star = "**" if text.startswith("**") else "*" if rest or text.startswith(("*", "...")) else ""
            name = (text if name_node is not None else text.split(":")[0]).strip("*./& ")
            if name:
                only = keyword if walk.reader.says_keyword else starred and not star
                params.append(Param(name[:MAX_NAME_CHARS], default is not None, boolean, only, star))
            starred = starred or star == "*"
    return params


def _name_nodes(node: Node, entry: Entry | None) -> list[Node | None]:
    """The names in one declaration: `a, b bool` is two parameters."""
    if entry is None:
        return [node]
    name_field = entry.parts.get("name")
    if isinstance(name_field, int):
        kinds = entry.parts.get("type")  # some grammars call the type a name too
        types = kinds if isinstance(kinds, tuple) else ()
        return [child for child in node.children_by_field_id(name_field) if child.kind_id not in types] or [
            None
        ]
    return [part(node, entry, "name")]

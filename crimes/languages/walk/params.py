"""Parameters as written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crimes.languages.walk.state import Walk, part
from crimes.model import Param

if TYPE_CHECKING:
    from tree_sitter import Node

_BOOLEAN_TYPE = re.compile(r"^:?\s*(?:Optional\[)?bool(?:ean)?\]?(?:\s*\|\s*(?:None|null|undefined))?$")
_BOOLEANS = frozenset({"True", "False", "true", "false"})
LONGEST_NAME = 60


def params_of(walk: Walk, node: Node) -> tuple[Param, ...]:
    """The parameters of a list; the same list is often written many times."""
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
        name = (text if name_node is not None else text.split(":")[0]).strip("*./ ")
        if name:
            boolean = (default is not None and walk.text(default) in _BOOLEANS) or (
                kind is not None and _BOOLEAN_TYPE.match(walk.text(kind)) is not None
            )
            params.append(
                Param(name[:LONGEST_NAME], default is not None, boolean, starred and not star, star)
            )
        starred = starred or star == "*"
    return params

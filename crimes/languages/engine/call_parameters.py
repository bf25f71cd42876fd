"""The parameters of functions as calls see them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.walk.frames import FunctionFrame
from crimes.languages.engine.walk.state import Walk, part
from crimes.languages.spec import CallSyntax
from crimes.model.calls import Parameter


def parameters_of(walk: Walk, frame: FunctionFrame, calling: CallSyntax) -> tuple[Parameter, ...] | None:
    """The parameters of a function; None if its name stands for something that was made of it."""
    node = frame.node
    if node is None or frame.anonymous or _is_wrapped(walk, node):
        return None
    params = _read_parameters(frame, calling, walk.source)
    if calling.label is not None:
        return _labelled(walk, node, params, calling.label)
    entry = walk.entries.get(node.kind_id)
    written = part(node, entry, "parameters") if entry is not None else None
    children = written.named_children if written is not None else []
    nodes = [child for child in children if walk.role(child) not in ("comment", "decorator")]
    rest: list[Parameter] = []
    if len(nodes) != len(params) and written is not None and calling.rest and params:
        # Some grammars have no node for the parameter that takes the rest.
        nodes = [child for child in nodes if walk.role(child) == "parameter"]
        if len(nodes) == len(params) - 1 and calling.rest.search(walk.slice(written)):
            rest = [Parameter(params.pop().name, is_required=False, kind="rest")]
    if len(nodes) != len(params):
        return tuple(params + rest)
    texts = [walk.slice(child) for child in nodes]
    read = [
        _as_written(param, text, calling)
        for param, text in zip(params, texts, strict=True)
        if not (calling.ignored and calling.ignored.match(text))
    ]
    return tuple(read + rest)


def _labelled(
    walk: Walk, node: Node, params: Sequence[Parameter], pattern: re.Pattern[bytes]
) -> tuple[Parameter, ...] | None:
    """Parameters under the labels that calls pass them by; None if several arguments follow one label."""
    labels = [
        match.group(1).decode("utf-8", "replace")
        for child in node.named_children
        if walk.role(child) == "parameter" and (match := pattern.match(walk.slice(child)))
    ]
    if len(labels) != len(params):
        return None
    labelled = []
    for param, label in zip(params, labels, strict=True):
        if label != "_" and param.kind == "rest":
            return None
        kind = param.kind if param.kind == "rest" else "" if label == "_" else "keyword"
        labelled.append(Parameter(param.name if label == "_" else label, param.is_required, kind))
    return tuple(labelled)


def _read_parameters(frame: FunctionFrame, calling: CallSyntax, source: bytes) -> list[Parameter]:
    """The parameters as facts have them; one that a function copes without is not required, where it may be left out."""
    body = ""
    if calling.may_omit and frame.body is not None:
        body = source[frame.body.start_byte : frame.body.end_byte].decode("utf-8", "replace")
    kinds = {"*": "rest", "**": "keywords"}
    return [
        Parameter(
            param.name.lstrip("$"),
            not (param.has_default or param.star or _copes_without(body, param.name)),
            kinds.get(param.star) or ("keyword" if param.keyword_only else ""),
        )
        for param in frame.params
    ]


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

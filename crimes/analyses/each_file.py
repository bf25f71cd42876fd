"""What each file tells by itself: looked for once in each content, and kept with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from crimes.context import Analysis, Context, Memory
from crimes.model import FileFacts

T = TypeVar("T")

# Whose code a memory is told apart by: an edit to that of others goes unnoticed.
_OURS = frozenset({"crimes", "crimes_detectors"})

_encode = msgspec.msgpack.Encoder().encode


def each_file(name: str, kind: Any, look: Callable[[FileFacts], T | None]) -> Analysis[Mapping[str, T]]:
    """By path: what `look`, whose results are of this kind, finds in a file, for the files in which it finds something.

    It has to follow from the facts alone, not from path, role, options or other files: after an edit only what
    changed is looked at again.
    """
    ours = look.__module__.partition(".")[0] in _OURS

    def build(context: Context) -> Mapping[str, T]:
        memory = context.memory if ours else None
        before = _recalled(memory, name, kind) if memory else {}
        now: dict[bytes, T | None] = {}
        found: dict[str, T] = {}
        for path, file in context.repo.files.items():
            content = memory.content(path) if memory else b""
            value = before[content] if content in before else look(file.facts) or None
            if content:
                now[content] = value
            if value is not None:
                found[path] = value
        if memory and now.keys() != before.keys():
            memory.keep(name, _encode(now))
        return found

    return Analysis(name, build)


def _recalled(memory: Memory, name: str, kind: Any) -> dict[bytes, Any]:
    data = memory.recall(name)
    try:
        known: dict[bytes, Any] = msgspec.msgpack.decode(data, type=dict[bytes, kind | None]) if data else {}
    except msgspec.MsgspecError:
        return {}
    return known

"""Assignments of a function that are visible outside it."""

from __future__ import annotations

from crimes.languages.engine.nodes import Node
from crimes.languages.engine.walk.state import Walk
from crimes.languages.engine.words import call_target
from crimes.model.lazy_regex import regex

_ATTRIBUTE_OR_ENTRY = regex(rb"[.\[@]|->")
MAX_WRITES = 20
MAX_NAME_BYTES = 60


def note_write(walk: Walk, name: Node | None) -> None:
    """Note an attribute or entry, or a plain name that the module defines so far (though it may be a local)."""
    if name is None:
        return
    start, end, writes = name.start_byte, name.end_byte, walk.frame.writes
    if len(writes) >= MAX_WRITES:
        return
    written = walk.source[start:end].decode("utf-8", "replace") if end - start <= MAX_NAME_BYTES else ""
    if not written.isidentifier() and _ATTRIBUTE_OR_ENTRY.search(walk.source, start, end):
        writes.add(call_target(walk.source, start, end))
    elif written in walk.definitions:
        writes.add(written)

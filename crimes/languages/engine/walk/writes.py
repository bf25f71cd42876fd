"""What a function assigns to that reaches further than itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crimes.languages.engine.walk.state import Walk
from crimes.languages.engine.words import call_target
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

_PLACE = regex(rb"[.\[@]|->")
MOST_WRITES = 20
LONGEST_PLAIN = 60


def note_write(walk: Walk, name: Node | None) -> None:
    """An attribute or an entry; and a plain name that the module has defined by now, though it may be a local's too."""
    if name is None:
        return
    start, end, writes = name.start_byte, name.end_byte, walk.frame.writes
    if len(writes) >= MOST_WRITES:
        return
    written = walk.source[start:end].decode("utf-8", "replace") if end - start <= LONGEST_PLAIN else ""
    if not written.isidentifier() and _PLACE.search(walk.source, start, end):
        writes.add(call_target(walk.source, start, end))
    elif written in walk.definitions:
        writes.add(written)

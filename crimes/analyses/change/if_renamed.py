"""What would break if a function or class had another name: the same search as for a change that was made."""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec.structs import replace

from crimes.analyses.change.broken_references import find_broken_references
from crimes.analyses.change.lost_names import ChangedFile, Changes
from crimes.analyses.change.state import State, last_word
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.reading import Unreadable
from crimes.model.change import Spot
from crimes.model.facts import Class, FileFacts, Function

_SUFFIX = b"__renamed"  # behind the name: what its first letter says of its visibility stays


def find_breaks(state: State, path: str, symbols: Collection[str]) -> tuple[Spot, ...]:
    """The places that refer to these functions or classes of a file, and would lead nowhere if they were renamed."""
    file = state.files.get(path)
    if file is None or file.embedded:
        return ()
    try:
        source = state.read(path)
        renamed = _rename(source, file.facts, symbols)
        facts = read_facts(by_id[file.language], renamed)
    except (OSError, Unreadable):
        return ()

    def read(name: str) -> bytes:
        return renamed if name == path else state.read(name)

    after = state.replaced({**state.files, path: replace(file, facts=facts)}, read)
    words = {last_word(symbol) for symbol in symbols}
    broken = find_broken_references(state, after, Changes((ChangedFile(path, path),)))
    spots = {spot for item in broken if last_word(item.cause.name) in words for spot in item.places}
    return tuple(sorted(spots))


def _rename(source: bytes, facts: FileFacts, symbols: Collection[str]) -> bytes:
    """The source with another name where each symbol is defined, on the same lines."""
    lines = source.split(b"\n")
    items: list[Function | Class] = [*facts.functions, *facts.classes]
    for item in items:
        if item.qualname not in symbols:
            continue
        word = re.compile(
            rb"(?<![\w$])" + re.escape(last_word(item.qualname).rstrip("?!=").encode()) + rb"(?![\w$])"
        )
        for number in range(item.start - 1, min(item.end, len(lines))):
            if match := word.search(lines[number]):
                lines[number] = lines[number][: match.end()] + _SUFFIX + lines[number][match.end() :]
                break
    return b"\n".join(lines)

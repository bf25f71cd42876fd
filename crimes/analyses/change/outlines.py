"""Call outlines of the files of two states, each read once."""

from __future__ import annotations

from crimes.analyses.change.state import State
from crimes.languages import by_id
from crimes.languages.engine.call_outline import read_call_outline
from crimes.languages.engine.reading import Unreadable
from crimes.languages.spec import CallSyntax
from crimes.model.calls import CallOutline
from crimes.model.digests import digest_of


class Outlines:
    """Reads outlines on demand; files with the same content share one."""

    def __init__(self) -> None:
        self._by_state: dict[tuple[int, str], CallOutline | None] = {}
        self._by_content: dict[tuple[str, bytes], CallOutline | None] = {}

    def of(self, state: State, path: str) -> CallOutline | None:
        """The outline of a file; None if it cannot be read, or its calls are not followed."""
        key = (id(state), path)
        if key not in self._by_state:
            self._by_state[key] = self._read(state, path)
        return self._by_state[key]

    def _read(self, state: State, path: str) -> CallOutline | None:
        facts = state.facts(path)
        if facts is None or facts.errors:
            return None
        language = by_id[facts.language]
        try:
            source = state.linker.read(path)
            key = (language.id, digest_of(source))
            if key not in self._by_content:
                outline = read_call_outline(language, source)
                is_same = outline is not None and len(outline.parameters) == len(facts.functions)
                self._by_content[key] = outline if is_same else None
            return self._by_content[key]
        except (OSError, Unreadable):
            return None

    def calling(self, state: State, path: str) -> CallSyntax | None:
        """How the language of a file calls functions; None if its calls are not followed."""
        facts = state.facts(path)
        syntax = by_id[facts.language].syntax if facts else None
        return syntax.calling if syntax else None

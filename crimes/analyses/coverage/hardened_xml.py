"""Parses untrusted XML with expat.

A document type that only names its DTD is common and harmless: expat opens nothing by itself. One with declarations
inside the document can multiply entities, and the document is refused. The encoding is fixed, so that a document
cannot choose a codec.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol
from xml.parsers import expat

from crimes.analyses.coverage.recorder import Malformed
from crimes.model.line_coverage import Recorded

_MAX_DEPTH = 50
_MAX_TEXT_PIECES = 10_000  # of one element, as expat delivers them


class Reader(Protocol):
    """Receives the elements in the order of the document."""

    below_root: frozenset[str]  # possible children of the root: formats may share the name of the root

    def start(self, name: str, attributes: Mapping[str, str]) -> None: ...
    def end(self, name: str, text: str) -> None: ...
    def recorded(self) -> Recorded: ...


def parse(data: bytes, choose: Callable[[str], Reader]) -> Reader:
    """Read a document with the reader that `choose` gives for the name of its root."""
    walker = _Walker(choose)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_declarations
    parser.StartElementHandler = walker.start
    parser.EndElementHandler = walker.end
    parser.CharacterDataHandler = walker.characters
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Malformed(f"it is not well-formed XML: {error}") from error
    return walker.reader


def _refuse_declarations(name: str, system: str | None, public: str | None, inside: int) -> None:
    if inside:
        raise Malformed("its DOCTYPE declares entities, which is not allowed")


class _Walker:
    """Tracks the depth and the text of the innermost element."""

    reader: Reader

    def __init__(self, choose: Callable[[str], Reader]) -> None:
        self._choose = choose
        self._depth = 0
        self._text: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._depth == 0:
            self.reader = self._choose(name)
        elif self._depth == 1 and name not in self.reader.below_root:
            raise Malformed("it is XML, but neither Cobertura nor JaCoCo")
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise Malformed("its elements are nested too deeply")
        self._text.clear()
        self.reader.start(name, attributes)

    def end(self, name: str) -> None:
        self._depth -= 1
        self.reader.end(name, "".join(self._text).strip())
        self._text.clear()

    def characters(self, text: str) -> None:
        if len(self._text) < _MAX_TEXT_PIECES:
            self._text.append(text)

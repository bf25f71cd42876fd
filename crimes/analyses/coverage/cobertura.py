"""Cobertura XML: what coverage.py, gcovr, coverlet, istanbul and many others write."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.analyses.coverage.recorder import Recorder, parse_count
from crimes.model.line_coverage import Recorded

ROOT = "coverage"
_MILLISECONDS_FROM = 100_000_000_000  # as seconds that is the year 5138


class Cobertura:
    """Lines are children of classes, whose file names are relative to one of the sources.

    Lines of methods repeat those of their class, and with some tools add the line where the method begins.
    """

    below_root = frozenset({"sources", "packages"})

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._file = ""
        self._in_method = False
        self._roots: list[str] = []
        self._made: int | None = None

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "line":
            if self._in_method:
                return
            hits = parse_count(attributes.get("hits", ""))
            self._recorder.add(self._file, parse_count(attributes.get("number", "")), hits)
        elif name == "class":
            self._file = attributes.get("filename", "")
            self._recorder.file(self._file)
        elif name == "method":
            self._in_method = True
        elif name == ROOT:
            self._made = _parse_timestamp(attributes.get("timestamp", ""))

    def end(self, name: str, text: str) -> None:
        if name == "class":
            self._file = ""
        elif name == "method":
            self._in_method = False
        elif name == "source" and text and text not in self._roots:
            self._roots.append(text)

    def recorded(self) -> Recorded:
        return self._recorder.recorded("Cobertura XML", tuple(self._roots), self._made)


def _parse_timestamp(text: str) -> int | None:
    """Seconds since the epoch. Tools write seconds or milliseconds, some with decimals, some zero."""
    stated = parse_count(text.partition(".")[0])
    if not stated:
        return None
    return stated // 1000 if stated >= _MILLISECONDS_FROM else stated

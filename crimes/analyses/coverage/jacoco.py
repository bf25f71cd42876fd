"""JaCoCo XML: lines by package and source file, so names lack the source folder."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.analyses.coverage.recorder import Recorder, parse_count
from crimes.model.line_coverage import Recorded

ROOT = "report"


class JaCoCo:
    """A line ran when one of its instructions did."""

    below_root = frozenset({"sessioninfo", "group", "package", "counter"})

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._package = ""
        self._file = ""
        self._made: int | None = None

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "line":
            hits = parse_count(attributes.get("ci", ""))
            self._recorder.add(self._file, parse_count(attributes.get("nr", "")), hits)
        elif name == "sourcefile":
            self._file = f"{self._package}/{attributes.get('name', '')}".removeprefix("/")
            self._recorder.file(self._file)
        elif name == "package":
            self._package = attributes.get("name", "")
        elif name == "sessioninfo":
            dumped = parse_count(attributes.get("dump", ""))
            if dumped:
                self._made = max(dumped // 1000, self._made or 0)

    def end(self, name: str, text: str) -> None:
        if name == "sourcefile":
            self._file = ""

    def recorded(self) -> Recorded:
        return self._recorder.recorded("JaCoCo XML", made=self._made)

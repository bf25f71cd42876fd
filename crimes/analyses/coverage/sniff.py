"""Recognises the format of a coverage file by how it begins, not by its name, and reads it."""

from __future__ import annotations

from crimes.analyses.coverage import coverage_json, go_profile, lcov
from crimes.analyses.coverage.cobertura import ROOT as COBERTURA
from crimes.analyses.coverage.cobertura import Cobertura
from crimes.analyses.coverage.hardened_xml import parse
from crimes.analyses.coverage.jacoco import ROOT as JACOCO
from crimes.analyses.coverage.jacoco import JaCoCo
from crimes.analyses.coverage.recorder import MAX_FILE_BYTES, Malformed
from crimes.model.lazy_regex import regex
from crimes.model.line_coverage import Recorded

_LCOV = regex(rb"(?:#[^\n]*\n\s*)*(?:TN|SF):")
_MAX_HEAD_BYTES = 100_000  # of comments before an lcov record
_FORMATS = "coverage.py JSON, Cobertura XML, JaCoCo XML, lcov, Go cover profile"


def read_coverage(data: bytes) -> Recorded:
    """The content of a coverage file; Malformed when it cannot be used."""
    if len(data) > MAX_FILE_BYTES:
        raise Malformed(f"it is larger than {MAX_FILE_BYTES:,} bytes")
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"<"):
        return _read_xml(text)
    if text.startswith(b"{"):
        return coverage_json.read(text)
    if text.startswith(b"mode:"):
        return go_profile.read(text)
    if _LCOV.match(text[:_MAX_HEAD_BYTES]):
        return lcov.read(text)
    if text.startswith(b"SQLite format 3"):
        raise Malformed("it is a coverage.py database; run `coverage json` and use the file that writes")
    raise Malformed(f"its format is unknown; supported: {_FORMATS}" if text else "it is empty")


def _read_xml(data: bytes) -> Recorded:
    readers: dict[str, Cobertura | JaCoCo] = {COBERTURA: Cobertura(), JACOCO: JaCoCo()}

    def choose(root: str) -> Cobertura | JaCoCo:
        if root not in readers:
            raise Malformed("it is XML, but neither Cobertura nor JaCoCo")
        return readers[root]

    return parse(data, choose).recorded()

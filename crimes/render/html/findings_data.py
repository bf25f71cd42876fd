"""The findings on a page: each with its code as text, and the page of its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from textwrap import dedent
from typing import Any

from crimes.detection.detector import Detector
from crimes.detection.doc_sections import doc_sections
from crimes.model.kind import Kind
from crimes.model.report import Crime, Report
from crimes.model.trust import Withheld
from crimes.render.text import fact_of, short_ids
from crimes.workflows.explanation import WHAT_TITLE, blamed_lines

_MAX_FRAMES = 400  # findings with their code, the worst first
_FRAME_LINES = 14
_LINES_BEFORE = 2
_MAX_LINE_CHARS = 200
_FENCE = "```"
_SKIPPED_SECTIONS = ("Options", "Examples")
_ADVICE = ("What to do", "Before", "After")

Read = Callable[[str], bytes | None]


def findings_data(
    report: Report, number: Mapping[str, int], detectors: Mapping[str, Detector], read: Read
) -> dict[str, Any]:
    """Findings and facts about places, worst first, and what is known of each type."""
    short = short_ids((*report.findings, *report.hidden))
    source = cache(lambda path: _source_lines(read(path)))
    rows = [
        _finding(
            crime, short[crime.id], number.get(crime.file), source(crime.file) if at < _MAX_FRAMES else ()
        )
        for at, crime in enumerate(report.findings)
    ]
    types = {crime.type: crime for crime in reversed(report.findings)}
    return {
        "findings": rows,
        "types": {
            type_: _type_page(
                first, detectors.get(type_), advice=Withheld.ACTIONS not in report.trust.withheld
            )
            for type_, first in sorted(types.items())
        },
    }


def _finding(crime: Crime, short: str, file: int | None, source: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": short,
        "type": crime.type,
        "severity": str(crime.severity),
        "file": crime.file if file is None else file,
        "line": max(crime.lines.start, 1),
        "symbol": crime.symbol,
        "fact": fact_of(crime),
        "why": crime.why,
        "fix": crime.fix,
        "risk": crime.scores.agent_risk,
        "confidence": crime.confidence_band,
        "place": crime.kind is Kind.PLACE,
    }
    if crime.related:
        row["related"] = [[place.file, place.lines.start, place.note] for place in crime.related[:8]]
    if frame := _frame(crime, source):
        row["frame"] = frame
    return row


def _frame(crime: Crime, source: Sequence[str]) -> list[Any]:
    """The number of the first line, the lines, and those the finding is about; empty for a finding about a whole file."""
    if crime.lines.start < 1 or (not crime.symbol and crime.lines.end <= 1):
        return []
    blamed = blamed_lines(crime)
    first = max(min(blamed) - _LINES_BEFORE, 1)
    shown = dedent("\n".join(row.expandtabs(4) for row in source[first - 1 : first - 1 + _FRAME_LINES]))
    return [first, [_cut(row) for row in shown.split("\n")], list(blamed)] if shown else []


def _cut(row: str) -> str:
    return row if len(row) <= _MAX_LINE_CHARS else f"{row[: _MAX_LINE_CHARS - 1]}…"


def _source_lines(data: bytes | None) -> list[str]:
    if not data:
        return []
    rows = data.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n").split(b"\n")
    return [row.decode("utf-8", "backslashreplace").removesuffix("\r") for row in rows]


def _type_page(first: Crime, detector: Detector | None, *, advice: bool) -> dict[str, Any]:
    """The title of a type, and its page: headings with paragraphs. What a report brings itself is used for a type we do not know."""
    if detector is None:
        sections = [["Why it matters", [first.why]]] if first.why else []
        return {"title": first.title, "place": first.kind is Kind.PLACE, "page": sections}
    sections = [
        [title or WHAT_TITLE, [text for text in texts if not text.startswith(_FENCE)]]
        for title, texts in doc_sections(detector.doc).items()
        if texts and title not in _SKIPPED_SECTIONS and (advice or title not in _ADVICE)
    ]
    return {"title": detector.title, "place": detector.kind is Kind.PLACE, "page": sections}

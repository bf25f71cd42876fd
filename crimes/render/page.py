"""A whole report as rows of markdown, without a table: findings may hold any text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crimes.model.report import Crime, HistoryCoverage, Report
from crimes.render.escape import code_span, escape_around_code, escape_line
from crimes.render.summary import (
    coverage_data,
    files_read,
    omitted_findings,
    riskiest_heading,
    risky_file_text,
    scan_gaps,
    scope_of,
    totals,
)
from crimes.render.text import risk, risk_profile
from crimes.render.trust_text import trust_lines
from crimes.workflows.riskiest_files import RiskyFile, riskiest_files

if TYPE_CHECKING:
    from crimes.model.change import ChangeItem
    from crimes.workflows.change_summary import ChangeSummary

_MAX_TEXT_CHARS = 2_000
_MAX_NAME_CHARS = 500
_MAX_GAPS = 30
_MAX_PLACES = 10  # of one broken item


def rows(report: Report, change: ChangeSummary | None = None) -> Iterator[str]:
    """Every finding about code, the riskiest files, and what was looked at; of a change its verdict and new findings."""
    trust, *rest = (escape_around_code(sentence, _MAX_TEXT_CHARS) for sentence in trust_lines(report))
    yield from ("# crimes", "", f"**{trust}**", "")
    total = change.verdict if change and not report.trust.is_collapsed else totals(report)
    yield from (escape_line(f"{report.repository}: {total}.", _MAX_TEXT_CHARS), "")
    yield from (f"- {sentence}" for sentence in rest)
    if change is not None and change.broken:
        yield from ("", "## Broken", "")
        yield from map(_broken, change.broken)
    if report.code_findings:
        yield from ("", "## New findings" if change else "## Findings", "")
        yield from (_entry(crime, report.history) for crime in report.code_findings)
    if not change and (files := riskiest_files(report)):
        yield from (
            "",
            "## Files most likely to need a fix",
            "",
            escape_line(riskiest_heading(report, files), _MAX_TEXT_CHARS),
            "",
        )
        yield from map(_risky_file, files)
    yield from ("", "## What was looked at", "")
    facts = [
        *scope_of(report),
        files_read(report),
        *coverage_data(report),
        *omitted_findings(report, verbose=True),
    ]
    gaps = [f"Not analysed: {gap}" for gap in scan_gaps(report, verbose=False)]
    yield from (f"- {escape_line(sentence, _MAX_TEXT_CHARS)}" for sentence in facts + gaps[:_MAX_GAPS])
    if len(gaps) > _MAX_GAPS:
        yield f"- {len(gaps) - _MAX_GAPS:,} more gaps in the whole report."


def _entry(crime: Crime, history: HistoryCoverage) -> str:
    place = _name(f"{crime.file}:{crime.lines.start}")
    return (
        f"- **{crime.severity}** {risk(crime).strip()} {place} {escape_line(crime.type, _MAX_NAME_CHARS)} ({code_span(crime.id)}): "
        f"{escape_around_code(crime.message, _MAX_TEXT_CHARS)} {escape_line(risk_profile(crime, history), _MAX_TEXT_CHARS)}"
    )


def _broken(item: ChangeItem) -> str:
    places = ", ".join(_name(f"{place.file}:{place.line}") for place in item.places[:_MAX_PLACES])
    more = len(item.places) - _MAX_PLACES
    text = escape_around_code(f"{item.fact} {item.fix}".rstrip(), _MAX_TEXT_CHARS)
    return f"- {text} {places}" + (f" and {more:,} more" if more > 0 else "")


def _risky_file(risky: RiskyFile) -> str:
    ids = ", ".join(code_span(fact.id) for fact in risky.facts)
    text = escape_around_code(risky_file_text(risky), _MAX_TEXT_CHARS)
    return f"- {_name(risky.ranked.file)}: {text}{f' ({ids})' if ids else ''}"


def _name(text: str) -> str:
    return code_span(text if len(text) <= _MAX_NAME_CHARS else f"...{text[-_MAX_NAME_CHARS:]}")

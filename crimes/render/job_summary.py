"""The page of a CI job: how it ended, and the worst findings as a short table with links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from crimes.model.change import ChangeItem
from crimes.model.report import Crime, Report
from crimes.model.wording import capitalized, count
from crimes.render.checkout import Checkout, first_line
from crimes.render.escape import code_cell, escape_around_code, escape_line, linked, table_cell
from crimes.render.summary import totals
from crimes.render.text import risk
from crimes.render.trust_text import endings, headline_with_meaning, trust_remarks

if TYPE_CHECKING:
    from crimes.workflows.change_summary import ChangeSummary

MAX_NEW_FINDINGS = 20
MAX_OLD_FINDINGS = 10
_MAX_WARNINGS = 10
_MAX_ITEMS = 20  # of those broken, and of those to look at
_MAX_PLACES = 10  # of one item
_MAX_LINE_CHARS = 1_000
_MAX_FACT_CHARS = 300
_MAX_PLACE_CHARS = 120


def rows(report: Report, checkout: Checkout, change: ChangeSummary | None) -> Iterator[str]:
    """The page: of a change its new findings, of a plain scan the worst ones."""
    label = escape_around_code(f"{capitalized(headline_with_meaning(report.trust))}.", _MAX_LINE_CHARS)
    yield from ("# crimes", "", label, "")
    yield escape_line(capitalized(change.verdict if change else totals(report)), _MAX_LINE_CHARS)
    facts = [*trust_remarks(report.trust), *endings(report, only_new=change is not None)]
    if facts:
        yield ""
        yield from (f"- {escape_around_code(text, _MAX_LINE_CHARS)}" for text in facts)
    if change is not None:
        yield from _items("Broken", change.broken, checkout)
        yield from _items("Look at", change.look, checkout)
    shown = report.code_findings[: MAX_NEW_FINDINGS if change else MAX_OLD_FINDINGS]
    if shown:
        yield from ("", "| severity | agent_risk | file:line | type | finding |", "|---|---|---|---|---|")
        yield from (_table_row(crime, checkout) for crime in shown)
    yield from _remarks(report, len(shown), change)
    yield from _warnings(report)


def _items(title: str, items: Sequence[ChangeItem], checkout: Checkout) -> Iterator[str]:
    """What is broken, or what to look at, each item with the first of its places."""
    if items:
        yield from ("", f"**{title}**", "")
    for item in items[:_MAX_ITEMS]:
        text = escape_around_code(f"{item.fact} {item.fix}".rstrip(), _MAX_LINE_CHARS)
        yield f"- {text}{_places(item, checkout)}"
    if len(items) > _MAX_ITEMS:
        yield f"- {len(items) - _MAX_ITEMS:,} more"


def _places(item: ChangeItem, checkout: Checkout) -> str:
    """The first lines that an item is about, as links; nothing for an item about whole files, which its text names."""
    lines = [place for place in item.places if place.line]
    shown = (
        linked(code_cell(f"{checkout.path(place.file)}:{place.line}"), checkout.link(place.file, place.line))
        for place in lines[:_MAX_PLACES]
    )
    more = len(lines) - _MAX_PLACES
    return (f" {', '.join(shown)}" if lines else "") + (f" and {more:,} more" if more > 0 else "")


def _table_row(crime: Crime, checkout: Checkout) -> str:
    line = first_line(crime)
    place = f"{checkout.path(crime.file)}:{line}"
    cut = place if len(place) <= _MAX_PLACE_CHARS else f"...{place[-_MAX_PLACE_CHARS:]}"
    cells = (
        crime.severity,
        risk(crime).strip(),
        linked(code_cell(cut), checkout.link(crime.file, line)),
        linked(table_cell(crime.type, _MAX_PLACE_CHARS), crime.docs),
        table_cell(crime.fact or crime.message, _MAX_FACT_CHARS),
    )
    return f"| {' | '.join(cells)} |"


def _remarks(report: Report, shown: int, change: ChangeSummary | None) -> Iterator[str]:
    """How many findings are not in the table, and how many of the new ones have no annotation."""
    if len(report.code_findings) > shown:
        more = count(len(report.code_findings) - shown, "more finding")
        yield from ("", more + ("." if change else ": run `crimes scan --all` to list them."))
    outside = sum(change.line_of(crime) is None for crime in report.code_findings) if change else 0
    if outside:
        finding = count(outside, "new finding is", "new findings are")
        yield from ("", f"{finding} outside the changed lines, so not annotated.")


def _warnings(report: Report) -> Iterator[str]:
    if report.warnings:
        yield ""
        yield from (f"- {escape_line(text, _MAX_LINE_CHARS)}" for text in report.warnings[:_MAX_WARNINGS])
    if len(report.warnings) > _MAX_WARNINGS:
        yield f"- {count(len(report.warnings) - _MAX_WARNINGS, 'more warning')}"

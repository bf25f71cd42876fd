"""All about one finding: what, why, the numbers, the code, the arithmetic, what to do."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.detection.detector import Detector
from crimes.detection.doc_sections import doc_sections
from crimes.model.report import Crime, HistoryCoverage, Lines, MeasureOut
from crimes.model.scores import COMPONENTS
from crimes.model.wording import count
from crimes.render.code_frame import frame
from crimes.render.lines import Line, Link, Span, heading, line, no_link
from crimes.render.text import blast_radius_text, churn_text, coverage_text, risk, test_gap_text
from crimes.workflows.source_lines import Source


def lines(
    crime: Crime,
    detector: Detector | None,
    source: Source,
    history: HistoryCoverage,
    withheld: str = "",
    link: Link = no_link,
    ever: int = 0,
) -> Iterator[Line]:
    """The whole explanation. `withheld` says why the scan is too weak for advice.

    `ever` is the number of all commits to the file, 0 when unknown.
    """
    doc = doc_sections(detector.doc) if detector else {}
    yield line(
        Span(crime.severity, crime.severity),
        "  ",
        Span(crime.title, "heading"),
        Span(f"  {crime.type}  {crime.id}", "dim"),
    )
    symbol = f"  {crime.symbol}" if crime.symbol else ""
    yield line(
        Span(f"{crime.file}:{_range(crime.lines)}", "path", link(crime.file, crime.lines.start)),
        symbol,
        fixed=True,
    )
    yield line()
    yield line(crime.message)
    yield from (line(f"Note: {note}") for note in crime.notes)
    if detector is None:
        yield line()
        yield line(
            f"This crimes has no detector called {crime.type}, so what it looks for is not known here."
        )
    yield from _prose("What it looks for", doc.get("", ()))
    yield from _prose("Why it matters", doc.get("Why it matters", ()))
    yield from _evidence(crime)
    yield from _also(crime)
    yield from _code(crime.lines, source)
    yield from _related(crime)
    yield from _risk(crime, history, ever)
    yield from _confidence(crime)
    advice = (f"Withheld: {withheld}.",) if withheld else doc.get("What to do", ())
    yield from _prose("What to do", advice)
    yield line()
    yield line(f"A fix takes {crime.effort}.", indent=2)
    yield from heading("To ignore it")
    if crime.ignored:
        yield line(f"It is ignored: {crime.ignored.reason} ({crime.ignored.place})", indent=2)
    yield line("In a comment on its line or right above, with the reason:", indent=2)
    yield line(f"crimes: ignore[{crime.type}] REASON", indent=4, fixed=True)
    yield line("This one alone, wherever it moves:", indent=2)
    yield line(f"crimes ignore {crime.id} --reason REASON", indent=4, fixed=True)
    yield line(f"In crimes.toml: leave the file out with `exclude`, or switch {crime.type} off:", indent=2)
    yield line(f"[detectors.{crime.type}]", indent=4)
    yield line("enabled = false", indent=4)
    yield line()
    yield line(Span(f"fingerprint {crime.fingerprint}", "dim"))


def _range(lines: Lines) -> str:
    return str(lines.start) if lines.end <= lines.start else f"{lines.start}-{lines.end}"


def _prose(title: str, paragraphs: tuple[str, ...]) -> Iterator[Line]:
    if paragraphs:
        yield from heading(title)
        yield from (line(text, indent=2) for text in paragraphs)


def _evidence(crime: Crime) -> Iterator[Line]:
    if not crime.evidence:
        return
    yield from heading("Evidence")
    width = max(len(name) for name in crime.evidence)
    for name, measure in crime.evidence.items():
        yield line(f"{name.replace('_', ' '):<{width}}  {_measure_text(measure)}", indent=2)


def _measure_text(measure: MeasureOut) -> str:
    value = measure.value
    shown = ", ".join(value) if isinstance(value, tuple | list) else str(value)
    return shown if measure.limit is None else f"{shown}  (limit {measure.limit})"


def _also(crime: Crime) -> Iterator[Line]:
    """Weaker charges of the same family on the same target."""
    if crime.also:
        yield from heading("Also found here, and not charged again")
        for charge in crime.also:
            yield line(
                f"{charge.severity}  {charge.title} ({charge.type}): {charge.message}", indent=2, hang=2
            )


def _code(place: Lines, source: Source) -> Iterator[Line]:
    """The lines of the finding, marked, with a few around them; the middle of a long one is left out."""
    yield from heading("Code")
    if source.note:
        yield line(source.note, indent=2)
    total = len(source.lines)
    if place.start > total:
        if total:
            yield line(
                f"The file has changed since the scan: it has only {count(total, 'line')} now.", indent=2
            )
        return
    yield from frame(source.lines, place.start, place.end)


def _related(crime: Crime) -> Iterator[Line]:
    if not crime.related:
        return
    yield from heading("Related places")
    for place in crime.related:
        symbol = f" {place.symbol}" if place.symbol else ""
        yield line(f"{place.file}:{place.lines.start}{symbol}: {place.note}", indent=2)


def _risk(crime: Crime, history: HistoryCoverage, ever: int) -> Iterator[Line]:
    scores, evidence = crime.scores, crime.risk_evidence
    yield from heading(f"Risk profile: agent_risk {risk(crime).strip()}")
    churn = churn_text(evidence, history)
    if evidence.commits_3y:
        churn += f", {evidence.commits_365d:,} in a year, {evidence.commits_3y:,} in three"
        churn += f", {ever:,} in all" if ever > evidence.commits_3y else ""
    tests = test_gap_text(scores.test_gap, evidence, crime.role)
    if evidence.tests_importing:
        more = evidence.tests_importing_count - len(evidence.tests_importing)
        tests += ": " + ", ".join((*evidence.tests_importing, *((f"{more:,} more",) if more else ())))
    tests += coverage_text(evidence)
    reasons = {
        "severity": crime.severity.value,
        "confidence": crime.confidence_band,
        "churn": churn,
        "test_gap": tests,
        "blast_radius": blast_radius_text(evidence),
    }
    for component in COMPONENTS:
        value, reason = getattr(scores, component.name), reasons.get(component.name, component.about)
        yield line(f"{component.label:<12}  {value:.2f}  {reason}", indent=2)
    yield line(crime.risk_trace, indent=2)


def _confidence(crime: Crime) -> Iterator[Line]:
    yield from heading(f"Confidence {crime.scores.confidence:.2f}: {crime.confidence_band}")
    for signal in crime.confidence_signals:
        yield line(f"{signal.category:<8}  {signal.value:.2f}  {signal.reason} ({signal.source})", indent=2)
    yield from (line(f"capped: {cap}", indent=2) for cap in crime.confidence_caps)
    yield line()
    yield from (line(step, indent=2, hang=2) for step in crime.confidence_steps)
    yield line(f"in short: {crime.confidence_trace}", indent=2, hang=2)

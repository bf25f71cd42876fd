"""All about one finding, part by part: why, what to do, the code, the numbers and the arithmetic, how to ignore it."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.detection.doc_sections import doc_sections
from crimes.judging.confidence import REPORTED_FROM
from crimes.model.hundredths import two_decimals
from crimes.model.kind import Kind
from crimes.model.report import HistoryCoverage
from crimes.model.scores import COMPONENTS, RiskEvidence
from crimes.model.wording import count
from crimes.render.blocks import Block, Item, Listing, Paragraph, Part, Row, Verbatim, doc_blocks
from crimes.render.code_frame import frame
from crimes.render.evidence_text import evidence_label, evidence_value
from crimes.render.precision_text import precision_text
from crimes.render.text import blast_radius_text, coverage_text, noun_of, risk, test_gap_text
from crimes.workflows.explanation import FindingDetails, blamed_lines
from crimes.workflows.precision import measured_precision

_ABOUT_PARAGRAPHS = 2  # what it looks for; its rules are on the page of the detector


def _risk_title(details: FindingDetails) -> str:
    """The score, with what it means for someone who has never seen it."""
    text = risk(details.crime).strip()
    meaning = (
        " (from 0 to 1: how dangerous an edit here is)" if details.crime.scores.agent_risk is not None else ""
    )
    return f"Risk profile: agent_risk {text}{meaning}"


def finding_parts(details: FindingDetails) -> Iterator[Part]:
    """The parts of the explanation in order; those that have nothing to say are left out."""
    parts = (
        Part("Why", tuple(_why(details))),
        Part("What to do", tuple(_advice(details))),
        Part("Code", tuple(_code(details))),
        Part("Evidence", tuple(_evidence(details))),
        Part("Also found here, and not counted again", tuple(_also(details))),
        Part("Related places", tuple(_related(details))),
        Part(_risk_title(details), tuple(_risk(details))),
        Part(_confidence_title(details), tuple(_confidence(details))),
        Part(f"About {details.crime.type}", tuple(_about(details))),
        Part("To ignore it", tuple(_ignoring(details))),
    )
    return (part for part in parts if part.blocks)


def _why(details: FindingDetails) -> Iterator[Block]:
    return doc_blocks(_own_first(details.crime.why, _section(details, "Why it matters")))


def _advice(details: FindingDetails) -> Iterator[Block]:
    if details.withheld:
        yield Paragraph(f"Withheld: {details.withheld}.")
        return
    yield from doc_blocks(_own_first(details.crime.fix, _section(details, "What to do")))
    if details.crime.kind is Kind.CODE:
        yield Paragraph(f"A fix usually takes a few {details.crime.effort}.")


def _section(details: FindingDetails, title: str) -> tuple[str, ...]:
    return doc_sections(details.detector.doc).get(title, ()) if details.detector else ()


def _own_first(own: str, general: tuple[str, ...]) -> tuple[str, ...]:
    """What the finding says itself instead of the detector's first paragraph, then the rest of what that says."""
    is_general = any(own in paragraph for paragraph in general)
    return general if is_general or not own else (own, *general[1:])


def _code(details: FindingDetails) -> Iterator[Block]:
    source, place = details.source, details.crime.lines
    if source.note:
        yield Paragraph(source.note)
    total = len(source.lines)
    if 0 < total < place.start:
        yield Paragraph(f"The file has changed since the scan: it now has only {count(total, 'line')}.")
    elif total:
        yield Listing(tuple(frame(source.lines, place.start, place.end, blamed_lines(details.crime))))


def _evidence(details: FindingDetails) -> Iterator[Block]:
    """The measures; those that counted nothing are left out."""
    day = details.history.reference_time[:10]
    for key, measure in details.crime.evidence.items():
        if measure.value not in (0, "", (), []):
            yield Row((evidence_label(key, day), evidence_value(key, measure)))


def _also(details: FindingDetails) -> Iterator[Block]:
    """Weaker charges of the same family on the same target."""
    for charge in details.crime.also:
        yield Item(f"{charge.severity}  {charge.title} ({charge.type}): {charge.message}")


def _related(details: FindingDetails) -> Iterator[Block]:
    for place in details.crime.related:
        symbol = f" {place.symbol}" if place.symbol else ""
        yield Item(f"{place.file}:{place.lines.start}{symbol}: {place.note}")


def _risk(details: FindingDetails) -> Iterator[Block]:
    crime = details.crime
    scores, evidence = crime.scores, crime.risk_evidence
    tests = test_gap_text(scores.test_gap, evidence, crime.role)
    if evidence.tests_importing:
        more = evidence.tests_importing_count - len(evidence.tests_importing)
        tests += ": " + ", ".join((*evidence.tests_importing, *((f"{more:,} more",) if more else ())))
    tests += coverage_text(evidence)
    reasons = {
        "severity": crime.severity.value,
        "confidence": crime.confidence_band,
        "churn": _commits_text(evidence, details.history, details.commits_ever),
        "test_gap": tests,
        "blast_radius": blast_radius_text(evidence),
    }
    for component in COMPONENTS:
        reason = reasons.get(component.name, component.about)
        yield Row((component.label, f"{getattr(scores, component.name):.2f}", reason))
    yield Paragraph(crime.risk_trace)


def _commits_text(evidence: RiskEvidence, history: HistoryCoverage, ever: int) -> str:
    """The commits behind churn, with the day they are counted back from, or why they are not known."""
    if history.limited and not evidence.commits_3y:
        return history.reason
    day = history.reference_time.partition("T")[0]
    text = f"{count(evidence.commits_90d, 'commit')} in {f'the 90 days before {day}' if day else '90 days'}"
    if evidence.commits_3y:
        text += f", {evidence.commits_365d:,} in the past year, {evidence.commits_3y:,} in three years"
        text += f", {ever:,} in all" if ever > evidence.commits_3y else ""
    return text


def _confidence_title(details: FindingDetails) -> str:
    crime = details.crime
    what = "real and worth acting on" if crime.kind is Kind.CODE else "true and worth knowing"
    return f"Confidence that it is {what}: {crime.scores.confidence:.2f} ({crime.confidence_band}; hidden below {two_decimals(REPORTED_FROM)})"


def _confidence(details: FindingDetails) -> Iterator[Block]:
    crime = details.crime
    for signal in crime.confidence_signals:
        sample = (
            f" ({signal.value:.0%} of {count(signal.measured_on, 'judged finding')} with this evidence were useful)"
            if signal.measured_on
            else ""
        )
        yield Row((signal.category, f"{signal.value:.2f}", f"{signal.reason}{sample}"))
    steps = crime.confidence_steps
    if not steps:  # a report of an older version
        yield Paragraph(crime.confidence_trace)
    elif len(crime.confidence_signals) > 1 or len(steps) > 1:
        yield from map(Item, steps)


def _about(details: FindingDetails) -> Iterator[Block]:
    detector = details.detector
    if detector is None:
        type_ = details.crime.type
        yield Paragraph(f"This version of crimes has no detector called {type_}, so it cannot explain it.")
        return
    yield from doc_blocks(doc_sections(detector.doc).get("", ())[:_ABOUT_PARAGRAPHS])
    yield Paragraph(precision_text(measured_precision().get(detector.id), detector.kind))
    yield Paragraph(
        f"Run `crimes explain {detector.id}{details.place}` for all of its rules, its options and an example."
    )
    if detector.docs:
        yield Paragraph(f"Page: {detector.docs}")


def _ignoring(details: FindingDetails) -> Iterator[Block]:
    crime = details.crime
    if crime.ignored:
        yield Paragraph(f"It is ignored: {crime.ignored.reason} ({crime.ignored.place})")
    line = crime.lines.start
    yield Paragraph(
        "With a comment on line 1:" if line == 1 else f"With a comment on line {line} or the line above:"
    )
    yield Verbatim(details.comment.format(f"crimes: ignore[{crime.type}] REASON"))
    yield Paragraph(f"This {noun_of(crime)} only, wherever its code moves:")
    yield Verbatim(f'crimes ignore {crime.id} --reason "REASON"{details.place}')
    yield Paragraph(f"In crimes.toml: exclude the file with `exclude`, or turn {crime.type} off:")
    yield Verbatim(f"[detectors.{crime.type}]\nenabled = false")

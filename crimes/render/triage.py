"""Triage at a terminal: a finding to decide on, past decisions, and how many findings are left."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime
from crimes.model.wording import count
from crimes.render.code_frame import frame
from crimes.render.lines import Line, Span, line
from crimes.render.text import risk
from crimes.tracking.triage import PATH, Choice
from crimes.workflows.explanation import blamed_lines
from crimes.workflows.source_lines import Source
from crimes.workflows.triage import PastDecision, PastDecisions

CHOICES = {
    Choice.FIX_NOW: "fix now",
    Choice.THIS_CHANGE: "this change",
    Choice.LATER: "later",
    Choice.WONT_FIX: "won't fix",
    Choice.FALSE_ALARM: "false alarm",
}


def question(crime: Crime, number: int, total: int, past: PastDecision | None = None) -> Iterator[Line]:
    """The finding to decide on, with the decision it has already."""
    yield line()
    yield line(
        f"{number} of {total}  ",
        Span(crime.severity, crime.severity),
        f"  {risk(crime).strip()}  {crime.type}  ",
        Span(f"{crime.file}:{crime.lines.start}", "path"),
        f"  {crime.symbol}" if crime.symbol else "",
        fixed=True,
    )
    yield line(crime.fact or crime.message, indent=2)
    if past is not None:
        yield line(f"Decided: {_decision_text(past)}", indent=2)


def code(crime: Crime, source: Source) -> Iterator[Line]:
    """The code of a finding, or why it is missing."""
    yield line()
    if source.note:
        yield line(source.note, indent=2)
    if crime.lines.start <= len(source.lines):
        yield from frame(source.lines, crime.lines.start, crime.lines.end, blamed_lines(crime))
    yield line()


def decisions_left(left: int) -> Iterator[Line]:
    """How many findings wait for a decision."""
    yield line()
    yield line(f"{count(left, 'finding')} without a decision." if left else "Every finding has a decision.")


def past_lines(past: PastDecisions) -> Iterator[Line]:
    """Past decisions, one per line."""
    if not past.decisions:
        yield line(f"No decisions in {PATH} yet.")
    for decision in past.decisions:
        symbol = f" {decision.symbol}" if decision.symbol else ""
        yield line(
            f"{decision.id[:7]}  {decision.type}  ", Span(f"{decision.file}{symbol}", "path"), fixed=True
        )
        changed = "" if decision.holds else "; its file has changed since, so it is open again"
        yield line(f"{_decision_text(decision)}{changed}", indent=2)


def _decision_text(decision: PastDecision) -> str:
    """What was decided, by whom, when and why, as far as known."""
    who = f" by {decision.owner}" if decision.owner else ""
    when = f" on {decision.date}" if decision.date else ""
    why = f": {decision.reason}" if decision.reason else ""
    return f"{CHOICES[decision.decision]}{who}{when}{why}"

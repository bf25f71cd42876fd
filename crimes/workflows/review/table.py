"""The points of a record: verdict, evidence and context, and whether two assessors agree. Integers throughout."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from crimes.judging.confidence import band
from crimes.model.severity import Severity
from crimes.workflows.review.record import Evidence, Record, ReviewVerdict, Visibility

VERDICT: Mapping[ReviewVerdict, int] = {ReviewVerdict.CONFIRMED: 70, ReviewVerdict.LIKELY: 40}
EVIDENCE: Mapping[Evidence, int] = {
    Evidence.DIRECT: 18,
    Evidence.CIRCUMSTANTIAL: 8,
    Evidence.SPECULATIVE: -4,
}
CONTEXT: Mapping[Visibility, int] = {Visibility.FULL: 12, Visibility.PARTIAL: 4, Visibility.NONE: -10}
CONCORDANCE = (5, 0, -8)  # by how many steps the two severities differ

_RANK = tuple(Severity)


class Gate(StrEnum):
    """What kept a record from being scored."""

    SCOPE = "scope"
    DISMISSED = "dismissed"


class Points(Struct, frozen=True):
    """A record's score, and how it was computed."""

    score: int
    subtotal: int
    concordance: int
    gate: Gate | None
    trace: str

    @property
    def band(self) -> str:
        """The score as a word."""
        return band(self.score)


def score_record(record: Record) -> Points:
    """The points of a record."""
    if not (record.in_diff and record.in_changed_code):
        where = "the diff" if not record.in_diff else "changed code"
        return _refused(Gate.SCOPE, f"not in {where}")
    if record.verdict is ReviewVerdict.DISMISSED:
        return _refused(Gate.DISMISSED, "dismissed")
    parts = (VERDICT[record.verdict], EVIDENCE[record.evidence], CONTEXT[record.context])
    subtotal = sum(parts)
    concordance = _concordance(record.drafter, record.verifier)
    score = min(max(subtotal + concordance, 0), 100)
    names = (record.verdict, record.evidence, f"context {record.context}")
    trace = " ".join(f"{value:+d} {name}" for name, value in zip(names, parts, strict=True)).removeprefix("+")
    agreement = f" {concordance:+d} severities {record.drafter} and {record.verifier}" if concordance else ""
    limit = ", at most 100" if subtotal + concordance > score else ""
    return Points(score, subtotal, concordance, gate=None, trace=f"{score} = {trace}{agreement}{limit}")


def _refused(gate: Gate, why: str) -> Points:
    return Points(score=0, subtotal=0, concordance=0, gate=gate, trace=f"0: {why}")


def _concordance(drafter: Severity | None, verifier: Severity) -> int:
    if drafter is None:
        return 0
    return CONCORDANCE[abs(_RANK.index(drafter) - _RANK.index(verifier))]

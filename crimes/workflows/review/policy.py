"""Where a scored record goes: a comment on its line, the summary, the audit list, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from crimes.judging.confidence import band
from crimes.model.severity import Severity
from crimes.workflows.review.record import Evidence, Kind, Record, ReviewVerdict, Visibility
from crimes.workflows.review.table import Gate, Points, score_record

THRESHOLDS: Mapping[str, int] = {"strong": 80, "moderate": 55, "medium": 55, "weak": 30}
DEFAULT_THRESHOLD = 55
MIN_THRESHOLD, MAX_THRESHOLD = 30, 100
SUMMARY_FROM = 30
DEFAULT_CAP = 5
APPROVE, COMMENT = "approve", "comment"

_RANK = {member: rank for kind in (ReviewVerdict, Evidence, Visibility) for rank, member in enumerate(kind)}


class Disposition(StrEnum):
    """What becomes of a record."""

    INLINE = "inline"
    SUMMARY = "summary"
    AUDIT = "audit"
    DROP = "drop"


class Threshold(Struct, frozen=True):
    """The score a comment needs. `recognized` is False when the text was not understood and the default is used."""

    score: int
    recognized: bool = True

    @property
    def band(self) -> str:
        """The threshold as a word."""
        return band(self.score)


class PlacedRecord(Struct, frozen=True):
    """A record with its points, where it goes, and why."""

    record: Record
    points: Points
    disposition: Disposition
    forced: bool
    why: str


class Arranged(Struct, frozen=True):
    """All records, each in one list; the lists are in the order of posting."""

    inline: tuple[PlacedRecord, ...]
    summary: tuple[PlacedRecord, ...]
    audit: tuple[PlacedRecord, ...]
    dropped: tuple[PlacedRecord, ...]

    @property
    def assessment(self) -> str:
        """What to make of the change: nothing to say on a line, or something."""
        return COMMENT if self.inline else APPROVE


def parse_threshold(value: str | float | None) -> Threshold:
    """A threshold from a word, digits or a number; numbers are clamped to 30 to 100."""
    if isinstance(value, str):
        word = value.strip().lower()
        if not word:
            return Threshold(DEFAULT_THRESHOLD)
        if word in THRESHOLDS:
            return Threshold(THRESHOLDS[word])
        if not re.fullmatch("[0-9]{1,9}", word):
            return Threshold(DEFAULT_THRESHOLD, recognized=False)
        value = int(word)
    if value is None:
        return Threshold(DEFAULT_THRESHOLD)
    number = int(Decimal(str(value)).quantize(Decimal(1), ROUND_HALF_UP))
    return Threshold(min(max(number, MIN_THRESHOLD), MAX_THRESHOLD))


def place(record: Record, min_score: int) -> PlacedRecord:
    """Score one record and decide where it goes; the first rule that fits decides."""
    points = score_record(record)

    def to(disposition: Disposition, why: str, forced: bool = False) -> PlacedRecord:
        return PlacedRecord(record, points, disposition, forced, why)

    if points.gate is Gate.SCOPE:
        return to(Disposition.DROP, "not in the diff" if not record.in_diff else "not in changed code")
    if points.gate is Gate.DISMISSED:
        if record.category is Kind.SECURITY:
            return to(Disposition.AUDIT, "a dismissed security record is kept for the audit")
        return to(Disposition.DROP, "dismissed")
    if record.category is Kind.SECURITY:
        return to(Disposition.INLINE, "security is always posted", forced=True)
    if record.verifier is Severity.HIGH:
        return to(Disposition.INLINE, "high severity is always posted", forced=True)
    if points.score >= min_score:
        return to(Disposition.INLINE, f"score {points.score} reaches {min_score}")
    if points.score >= SUMMARY_FROM:
        return to(Disposition.SUMMARY, f"score {points.score} is under {min_score}")
    if record.verifier is Severity.MEDIUM:
        return to(Disposition.SUMMARY, f"score {points.score} is low, but the severity is medium")
    return to(Disposition.DROP, f"score {points.score} is under {SUMMARY_FROM} and the severity is low")


def arrange(
    records: Iterable[Record], min_score: int = DEFAULT_THRESHOLD, cap: int = DEFAULT_CAP
) -> Arranged:
    """Place all records. Beyond `cap` comments, those that are not forced go to the summary."""
    lists: dict[Disposition, list[PlacedRecord]] = {disposition: [] for disposition in Disposition}
    room = cap
    for item in sorted((place(record, min_score) for record in records), key=_order):
        if item.disposition is Disposition.INLINE and not item.forced:
            if not room:
                why = f"{item.why}, over the cap of {cap}"
                item = replace(item, disposition=Disposition.SUMMARY, why=why)
            room = max(room - 1, 0)
        lists[item.disposition].append(item)
    return Arranged(*(tuple(lists[disposition]) for disposition in Disposition))


def _order(item: PlacedRecord) -> tuple[int, ...]:
    """Forced first, then score, verdict, subtotal, evidence, context; a stable sort keeps the input's order."""
    record, points = item.record, item.points
    ranks = _RANK[record.verdict], _RANK[record.evidence], _RANK[record.context]
    return not item.forced, -points.score, ranks[0], -points.subtotal, *ranks[1:]

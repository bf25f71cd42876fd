"""Where a scored record goes: a comment on its line, the summary, the audit list, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from crimes.judging.confidence import band
from crimes.model.facts import Severity
from crimes.workflows.review.record import Evidence, Kind, Record, ReviewVerdict, Visibility
from crimes.workflows.review.table import Gate, Points, points

THRESHOLDS: Mapping[str, int] = {"strong": 80, "moderate": 55, "medium": 55, "weak": 30}
DEFAULT_THRESHOLD = 55
LOWEST_THRESHOLD, HIGHEST_THRESHOLD = 30, 100
SUMMARY_FROM = 30
DEFAULT_CAP = 5

_RANK = {member: rank for kind in (ReviewVerdict, Evidence, Visibility) for rank, member in enumerate(kind)}


class Disposition(StrEnum):
    """What becomes of a record."""

    INLINE = "inline"
    SUMMARY = "summary"
    AUDIT = "audit"
    DROP = "drop"


class Threshold(Struct, frozen=True):
    """The score a comment needs. `recognized` is False when the text was none, and the default stands in."""

    score: int
    recognized: bool = True

    @property
    def band(self) -> str:
        """The threshold as a word."""
        return band(self.score)


class Placed(Struct, frozen=True):
    """A record with its points, where it goes, and why."""

    record: Record
    points: Points
    disposition: Disposition
    forced: bool
    why: str


class Arranged(Struct, frozen=True):
    """All records, each in one list; the lists are in the order of posting."""

    inline: tuple[Placed, ...]
    summary: tuple[Placed, ...]
    audit: tuple[Placed, ...]
    dropped: tuple[Placed, ...]


def threshold(wanted: str | float | None) -> Threshold:
    """A threshold from a word, digits or a number; numbers outside of 30 to 100 become the nearest of these."""
    if isinstance(wanted, str):
        word = wanted.strip().lower()
        if not word:
            return Threshold(DEFAULT_THRESHOLD)
        if word in THRESHOLDS:
            return Threshold(THRESHOLDS[word])
        if not re.fullmatch("[0-9]{1,9}", word):
            return Threshold(DEFAULT_THRESHOLD, recognized=False)
        wanted = int(word)
    if wanted is None:
        return Threshold(DEFAULT_THRESHOLD)
    number = int(Decimal(str(wanted)).quantize(Decimal(1), ROUND_HALF_UP))
    return Threshold(min(max(number, LOWEST_THRESHOLD), HIGHEST_THRESHOLD))


def place(record: Record, least: int) -> Placed:
    """Score one record and decide where it goes; the first rule that fits decides."""
    scored = points(record)

    def goes(disposition: Disposition, why: str, forced: bool = False) -> Placed:
        return Placed(record, scored, disposition, forced, why)

    if scored.gate is Gate.SCOPE:
        return goes(Disposition.DROP, "not in the diff" if not record.in_diff else "not in changed code")
    if scored.gate is Gate.DISMISSED:
        if record.category is Kind.SECURITY:
            return goes(Disposition.AUDIT, "a dismissed security record is kept for the audit")
        return goes(Disposition.DROP, "dismissed")
    if record.category is Kind.SECURITY:
        return goes(Disposition.INLINE, "security is always posted", forced=True)
    if record.verifier is Severity.HIGH:
        return goes(Disposition.INLINE, "high severity is always posted", forced=True)
    if scored.score >= least:
        return goes(Disposition.INLINE, f"score {scored.score} reaches {least}")
    if scored.score >= SUMMARY_FROM:
        return goes(Disposition.SUMMARY, f"score {scored.score} is under {least}")
    if record.verifier is Severity.MEDIUM:
        return goes(Disposition.SUMMARY, f"score {scored.score} is low, the severity is medium")
    return goes(Disposition.DROP, f"score {scored.score} is under {SUMMARY_FROM}, the severity low")


def arrange(records: Iterable[Record], least: int = DEFAULT_THRESHOLD, cap: int = DEFAULT_CAP) -> Arranged:
    """Place all records. Beyond `cap` comments, those that are not forced go to the summary."""
    lists: dict[Disposition, list[Placed]] = {disposition: [] for disposition in Disposition}
    room = cap
    for item in sorted((place(record, least) for record in records), key=_order):
        if item.disposition is Disposition.INLINE and not item.forced:
            if not room:
                why = f"{item.why}, over the cap of {cap}"
                item = replace(item, disposition=Disposition.SUMMARY, why=why)
            room = max(room - 1, 0)
        lists[item.disposition].append(item)
    return Arranged(*(tuple(lists[disposition]) for disposition in Disposition))


def _order(item: Placed) -> tuple[int, ...]:
    """Forced first, then score, verdict, subtotal, evidence, context; a stable sort keeps the input's order."""
    record, scored = item.record, item.points
    ranks = _RANK[record.verdict], _RANK[record.evidence], _RANK[record.context]
    return not item.forced, -scored.score, ranks[0], -scored.subtotal, *ranks[1:]

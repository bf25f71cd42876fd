"""Verdicts of people as evidence: on the finding itself, and weaker on other findings of its detector in this repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from crimes.model.finding import Category, Signal
from crimes.model.hundredths import half_up
from crimes.model.wording import count
from crimes.tracking.feedback import Feedback, FeedbackVerdict, last_verdicts

RIGHT_VALUE, WRONG_VALUE = 95, 5  # of a verdict on the finding itself
MIN_DETECTOR_VERDICTS = 3  # on other findings, before they say anything about this one
_SOURCE = "feedback"


class FeedbackEvidence(Struct, frozen=True):
    """The last verdict on each finding, and how many findings of each type were called right, of how many."""

    by_finding: Mapping[str, FeedbackVerdict] = {}
    by_type: Mapping[str, tuple[int, int]] = {}

    def signals(self, type_: str, fingerprint: str) -> tuple[Signal, ...]:
        """What people say of a finding: its own verdict, or else those on its detector."""
        verdict = self.by_finding.get(fingerprint)
        if verdict is not None:
            value, word = (RIGHT_VALUE, "right") if verdict is FeedbackVerdict.TP else (WRONG_VALUE, "wrong")
            return (Signal(_SOURCE, Category.REVIEW, value, f"a person called it {word}"),)
        right, total = self.by_type.get(type_, (0, 0))
        if total < MIN_DETECTOR_VERDICTS:
            return ()
        reason = (
            f"people called {right} of {count(total, 'finding')} of this detector right in this repository"
        )
        return (Signal(_SOURCE, Category.REVIEW, _detector_value(right, total), reason),)


def feedback_evidence(records: Iterable[Feedback]) -> FeedbackEvidence:
    """What these verdicts say; the last on a finding counts."""
    last = last_verdicts(tuple(records))
    total = Counter(record.type for record in last)
    right = Counter(record.type for record in last if record.verdict is FeedbackVerdict.TP)
    return FeedbackEvidence(
        by_finding={record.fingerprint: record.verdict for record in last},
        by_type={type_: (right[type_], number) for type_, number in total.items()},
    )


def _detector_value(right: int, total: int) -> int:
    """Half as far from .50 as the share that was right, with one more verdict of each kind: few verdicts say little."""
    return half_up(50 * (total + 2) + 100 * (right + 1), 2 * (total + 2))

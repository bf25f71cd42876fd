"""Laws of reviews: order, bands, posting, the cap."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from crimes.model.severity import Severity
from crimes.workflows.review.policy import Disposition, PlacedRecord, arrange, place
from crimes.workflows.review.record import Evidence, Kind, Record, ReviewVerdict, Visibility

records = st.builds(
    Record,
    file=st.sampled_from(["a.py", "b.py"]),
    line=st.integers(1, 9),
    category=st.sampled_from(Kind),
    verdict=st.sampled_from(ReviewVerdict),
    evidence=st.sampled_from(Evidence),
    context=st.sampled_from(Visibility),
    drafter=st.none() | st.sampled_from(Severity),
    verifier=st.sampled_from(Severity),
    in_diff=st.booleans(),
    in_changed_code=st.booleans(),
)
thresholds = st.integers(30, 100)


def everything(lists: object) -> list[PlacedRecord]:
    return [item for name in ("inline", "summary", "audit", "dropped") for item in getattr(lists, name)]


def same(item: PlacedRecord) -> tuple[object, ...]:
    """All that decides the order."""
    record, scored = item.record, item.points
    return (item.forced, scored.score, scored.subtotal, record.verdict, record.evidence, record.context)


@given(st.lists(records, max_size=12), st.randoms(), thresholds, st.integers(0, 6))
def test_order_of_the_input_decides_only_among_equals(
    made: list[Record], random: object, least: int, cap: int
) -> None:
    numbered = [replace(record, number=at) for at, record in enumerate(made)]
    shuffled = list(numbered)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for one, two in zip(_lists(numbered, least, cap), _lists(shuffled, least, cap), strict=True):
        assert [same(item) for item in one] == [same(item) for item in two]
    for items in _lists(numbered, least, cap):
        for before, after in pairwise(items):
            if same(before) == same(after):
                assert (before.record.number or 0) < (after.record.number or 0)


def _lists(made: list[Record], least: int, cap: int) -> tuple[tuple[PlacedRecord, ...], ...]:
    arranged = arrange(made, least, cap)
    return arranged.inline, arranged.summary, arranged.audit, arranged.dropped


@given(records, thresholds)
def test_likely_is_never_strong(record: Record, least: int) -> None:
    made = place(replace(record, verdict=ReviewVerdict.LIKELY), least)
    assert made.points.band != "strong"
    assert made.points.score <= 75


@given(records, thresholds)
def test_dismissed_is_never_posted(record: Record, least: int) -> None:
    made = place(replace(record, verdict=ReviewVerdict.DISMISSED), least)
    assert made.points.score == 0
    assert made.disposition in (Disposition.AUDIT, Disposition.DROP)
    if made.disposition is Disposition.AUDIT:
        assert record.category is Kind.SECURITY


@given(records, thresholds)
def test_record_out_of_scope_is_always_dropped(record: Record, least: int) -> None:
    for outside in (replace(record, in_diff=False), replace(record, in_changed_code=False)):
        made = place(outside, least)
        assert (made.disposition, made.points.score, made.forced) == (Disposition.DROP, 0, False)
        assert made.why


@given(st.lists(records, max_size=15), thresholds, st.integers(0, 6))
def test_every_record_is_placed_once_and_the_cap_holds(made: list[Record], least: int, cap: int) -> None:
    numbered = [replace(record, number=at) for at, record in enumerate(made)]
    arranged = arrange(numbered, least, cap)
    assert sorted(item.record.number or 0 for item in everything(arranged)) == list(range(len(made)))
    forced = [item.forced for item in arranged.inline]
    assert forced == sorted(forced, reverse=True)
    assert forced.count(False) <= cap
    if forced.count(False) < cap:
        assert not any("over the cap" in item.why for item in arranged.summary)


@given(records, thresholds, st.integers(0, 70))
def test_a_lower_threshold_never_hides_a_comment(record: Record, least: int, lower: int) -> None:
    if place(record, least).disposition is Disposition.INLINE:
        assert place(record, max(30, least - lower)).disposition is Disposition.INLINE

"""The formula of edit risk: its terms, the probability of a fix, and the bands that are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.model.edit_risk import (
    COMMIT_HALF_LIFE_DAYS,
    Band,
    age_weight,
    band_of,
    probability_per_line,
    risk_scale,
    risk_terms,
)

COUNTS = ("lines", "complexity", "commits", "fixes")
NUMBERS = st.integers(0, 100_000)


def test_risk_is_the_sum_of_the_terms_as_they_are_shown() -> None:
    terms = risk_terms(5385, 500, 21.5, 9.25)
    assert (terms.lines, terms.complexity, terms.commits, terms.fixes) == (12.39, 8.97, 8.98, 6.72)
    assert terms.risk == 37.06


@pytest.mark.parametrize(
    ("counted", "added"), [("lines", 1), ("complexity", 1), ("commits", 2), ("fixes", 2)]
)
def test_doubling_a_count_adds_what_the_formula_says(counted: str, added: int) -> None:
    before = dict.fromkeys(COUNTS, 127)
    after = before | {counted: 255}
    assert risk_terms(**after).risk - risk_terms(**before).risk == pytest.approx(added)


@given(st.fixed_dictionaries(dict.fromkeys(COUNTS, NUMBERS)), st.sampled_from(COUNTS), NUMBERS)
def test_risk_never_falls_when_one_count_grows(before: dict[str, int], counted: str, more: int) -> None:
    after = before | {counted: before[counted] + more}
    assert risk_terms(**after).risk >= risk_terms(**before).risk
    for name in COUNTS:
        grown, was = getattr(risk_terms(**after), name), getattr(risk_terms(**before), name)
        assert grown >= was if name == counted else grown == was


@given(st.lists(st.floats(0, 60), min_size=1), st.data())
def test_probability_and_band_never_fall_when_risk_grows(risks: list[float], data: st.DataObject) -> None:
    scale = risk_scale(risks, data.draw(st.integers(0, len(risks))))
    probabilities = [scale.probability(risk) for risk in sorted(risks)]
    assert probabilities == sorted(probabilities)
    assert all(0 < probability < 1 for probability in probabilities)
    assert [band_of(value) for value in probabilities] == sorted(map(band_of, probabilities))


def test_file_without_code_or_past_has_no_risk() -> None:
    assert risk_terms(0, 0, 0, 0).risk == 0


def test_commit_weighs_half_after_its_half_life_and_never_more_than_one() -> None:
    assert age_weight(0, COMMIT_HALF_LIFE_DAYS) == 1
    assert age_weight(180, COMMIT_HALF_LIFE_DAYS) == 0.5
    assert age_weight(-5, COMMIT_HALF_LIFE_DAYS) == 1


def test_probability_grows_with_risk_and_with_the_share_of_files_fixed() -> None:
    risks = [5.0, 10.0, 15.0, 20.0, 25.0]
    calm, busy = risk_scale(risks, 0), risk_scale(risks, 4)
    assert [calm.probability(risk) for risk in risks] == sorted(map(calm.probability, risks))
    assert all(calm.probability(risk) < busy.probability(risk) for risk in risks)


def test_probability_of_the_average_file_is_the_formula_written_out() -> None:
    # q = (19 + 1) / (98 + 2) = 0.2: logit p = -0.81 + 0.78 x ln(0.25)
    assert risk_scale([4.0, 6.0] * 49, 19).probability(5.0) == pytest.approx(0.1311, abs=1e-4)


def test_files_of_equal_risk_are_average() -> None:
    scale = risk_scale([7.1, 7.1, 7.1], 1)
    assert scale.deviation == 0
    assert 0 < scale.probability(7.1) < 1


def test_bands_are_the_nearest_of_their_names_and_the_first_ends_at_one_in_twenty() -> None:
    shown = {
        probability: band_of(probability).text for probability in (0.01, 0.05, 0.17, 0.18, 0.4, 0.6, 0.9)
    }
    assert shown == {
        0.01: "under 1 in 20",
        0.05: "about 1 in 10",
        0.17: "about 1 in 10",
        0.18: "about 1 in 4",
        0.4: "about 1 in 2",
        0.6: "about 1 in 2",
        0.9: "about 3 in 4",
    }
    assert Band.UNDER_1_IN_20 < Band.ABOUT_1_IN_10


def test_per_line_a_short_file_beats_a_long_one_of_the_same_probability() -> None:
    assert probability_per_line(0.5, 70) == 0.005
    assert probability_per_line(0.5, 70) > probability_per_line(0.5, 71)

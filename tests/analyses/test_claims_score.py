"""A claim's confidence against its vectors and its laws."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from crimes.analyses.claims.score import Support, Surroundings, band, factors, score
from crimes.config.claims.kinds import Kind
from crimes.config.claims.settings import PRESETS, Settings, Weights
from tests.kit.paths import TESTS

VECTORS = json.loads((TESTS / "vectors" / "claims.json").read_text())
REFERENCE = PRESETS["reference"]
# What the vectors of the reference call by other names than the specification.
OURS = {"ungrounded_behavioral_assertion": "ungrounded_behavioral_claim"}
PHRASES = {"should be (epistemic)": "should be", "i assume": "assume"}

surroundings = st.builds(
    Surroundings, st.sampled_from(Support), st.integers(1, 8), st.integers(0, 8), st.integers(0, 100)
)
weights = st.builds(Weights, *[st.integers(0, 100)] * 5)
phrases = st.sampled_from(sorted(PRESETS["default"].phrases))
kinds = st.sampled_from(Kind)


def confidence(phrase: str, kind: str, around: Surroundings, settings: Settings) -> int:
    return score(factors(phrase, kind, around, settings), settings)


@pytest.mark.parametrize("vector", VECTORS["presetA_reference"], ids=lambda vector: vector["id"])
def test_confidence_matches_the_reference_vector(vector: dict[str, Any]) -> None:
    told = vector["input"]
    around = Surroundings(
        Support.UNVERIFIED if told["evidence_nearby"] else Support.NONE,
        told["kinds_in_sentence"],
        told["other_matches_within_200"],
    )
    kind = OURS.get(told["kind"], told["kind"])
    found = confidence(PHRASES.get(told["phrase"], told["phrase"]), kind, around, REFERENCE)
    assert found == vector["expected"]
    assert (found >= REFERENCE.threshold) == vector["reported"]


@pytest.mark.parametrize("vector", VECTORS["presetB_issue_calibrated"], ids=lambda vector: vector["id"])
def test_confidence_and_band_match_the_vector(vector: dict[str, Any]) -> None:
    told, expected = vector["input"], vector["expected"]
    settings = Settings()
    changed = {name: round(100 * value) for name, value in told.get("weights", {}).items()}
    settings = replace(settings, weights=replace(settings.weights, **changed))
    around = Surroundings(
        Support(told.get("evidence", "none")),
        told.get("kinds_in_sentence", 1),
        told.get("others_in_paragraph", 0),
        told.get("words", 0),
    )
    found = confidence(told["phrase"], told["kind"], around, settings)
    assert found == expected["confidence"]
    assert band(found) == expected["band"]
    assert (found >= settings.threshold) == expected["reported"]


@pytest.mark.parametrize("vector", VECTORS["bands"], ids=lambda vector: str(vector["input"]))
def test_band_matches_the_vector(vector: dict[str, Any]) -> None:
    assert band(vector["input"]) == vector["expected"]


@pytest.mark.parametrize("kind", VECTORS["presetA_max_per_kind"])
def test_highest_and_single_match_confidence_of_each_kind_match_the_reference(kind: str) -> None:
    own = OURS.get(kind, kind)
    assert (
        confidence("", own, Surroundings(Support.NONE, 9, 9), REFERENCE)
        == VECTORS["presetA_max_per_kind"][kind]
    )
    single = VECTORS["presetA_single_match_per_kind"][kind]
    assert confidence("", own, Surroundings(), REFERENCE) == single


@given(phrases, kinds, surroundings, weights)
def test_confidence_equals_the_formula_in_exact_arithmetic(
    phrase: str, kind: Kind, around: Surroundings, weights: Weights
) -> None:
    settings = Settings(weights=weights)
    support = {Support.NONE: 100, Support.UNVERIFIED: 50, Support.VERIFIED: 0}[around.support]
    parts = (
        weights.pattern_strength * Fraction(settings.strength(phrase, kind)),
        weights.evidence_proximity * Fraction(support),
        weights.category_stacking * Fraction((0, 70, 90, 100)[min(around.kinds, 4) - 1]),
        weights.context_density * Fraction((0, 30, 60, 100)[min(around.others, 3)]),
        weights.text_length * min(max(Fraction(100 * (60 - around.words), 48), Fraction(0)), Fraction(100)),
    )
    exact = min(sum(parts, Fraction(0)) / 10_000, Fraction(1))
    assert confidence(phrase, kind, around, settings) == int(100 * exact + Fraction(1, 2))


@given(phrases, kinds, surroundings, weights, st.sampled_from(sorted(PRESETS)))
def test_evidence_and_length_never_raise_confidence_and_more_claims_never_lower_it(
    phrase: str, kind: Kind, around: Surroundings, weights: Weights, preset: str
) -> None:
    settings = replace(PRESETS[preset], weights=weights)
    here = confidence(phrase, kind, around, settings)
    assert 0 <= here <= 100
    assert confidence(phrase, kind, replace(around, support=Support.VERIFIED), settings) <= here
    assert confidence(phrase, kind, replace(around, support=Support.NONE), settings) >= here
    assert confidence(phrase, kind, replace(around, words=around.words + 1), settings) <= here
    assert confidence(phrase, kind, replace(around, kinds=around.kinds + 1), settings) >= here
    assert confidence(phrase, kind, replace(around, others=around.others + 1), settings) >= here

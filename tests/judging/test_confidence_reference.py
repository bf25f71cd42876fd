"""The models that a finding's confidence was taken from, and where ours differs on purpose.

The document model is our arithmetic under other names, without the choice of categories and the ceiling. The reference model is
what its code did: fixed weights, so that one source never says much, and agreement by substrings, also between sources that
speak of different things. It is written down here only to hold ours against it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from crimes.judging.confidence import (
    CEILING,
    DISCARDED_BELOW,
    REPORTED_FROM,
    WEIGHTS,
    Visibility,
    Witness,
    combine,
    visibility,
    weigh,
)
from crimes.model.finding import Category
from tests.kit.paths import TESTS

VECTORS = json.loads((TESTS / "vectors" / "evidence_reference.json").read_text())
OURS = {
    "search": Category.GRAPH,
    "read": Category.SYNTAX,
    "discovery": Category.DOCS,
    "verification": Category.TESTS,
    "git": Category.HISTORY,
    "ci": Category.REVIEW,
}
HERE = "src/a.py"


def hundredths(value: float) -> int:
    return int(Decimal(str(value)) * 100)


def agreeing_categories(names: Sequence[str], converging: int) -> tuple[Category, ...]:
    """The categories that agree: search and read first, since they always do when any do."""
    ordered = sorted(names, key=lambda name: name not in ("search", "read"))
    return tuple(c for c in WEIGHTS if c in [OURS[name] for name in ordered[:converging]])


def alternatives(given: dict[str, Any]) -> dict[str, Fraction]:
    """The four ways to read the document: weights renormalised or not, bonus multiplied or added."""
    strengths = {OURS[name]: Fraction(str(value)) for name, value in given["categories"].items()}
    weights = {c: Fraction(WEIGHTS[c], 100) for c in strengths}
    literal = sum((weights[c] * strengths[c] for c in strengths), Fraction())
    mean = literal / sum(weights.values()) if weights else Fraction()
    bonus = Fraction({0: 0, 1: 0, 2: 10}.get(given["converging_categories"], 20), 100)
    bonus += Fraction(5 * given["search_and_read"], 100)
    return {
        "renorm_mult": mean * (1 + bonus),
        "renorm_add": mean + bonus,
        "literal_mult": literal * (1 + bonus),
        "literal_add": literal + bonus,
    }


def rounded(value: Fraction) -> float:
    exact = Decimal(min(value, Fraction(1)).numerator) / Decimal(min(value, Fraction(1)).denominator)
    return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))


each_document = pytest.mark.parametrize("vector", VECTORS["document_model"], ids=lambda vector: vector["id"])


@each_document
def test_our_arithmetic_equals_the_model_of_the_document(vector: dict[str, Any]) -> None:
    given = vector["input"]
    strengths = {OURS[name]: hundredths(value) for name, value in given["categories"].items()}
    agreeing = agreeing_categories(list(given["categories"]), given["converging_categories"])
    against = tuple(c for c in strengths if c not in agreeing)
    choice = weigh(strengths, agreeing, against)
    assert min(choice.rounded, 100) == hundredths(vector["expected"])
    assert (choice.rounded < REPORTED_FROM) == vector["recovery_fires"]
    assert (choice.rounded < DISCARDED_BELOW) == vector["emergency_stop"]


@each_document
def test_our_confidence_is_at_least_the_references_up_to_the_ceiling(vector: dict[str, Any]) -> None:
    """Of the categories that agree, ours leaves out those that would only lower the result."""
    given = vector["input"]
    witnesses = [Witness(OURS[name], hundredths(v), HERE) for name, v in given["categories"].items()]
    assert combine(HERE, witnesses).value >= min(hundredths(vector["expected"]), CEILING)


@each_document
def test_other_readings_of_the_document_give_other_numbers(vector: dict[str, Any]) -> None:
    found = {name: rounded(value) for name, value in alternatives(vector["input"]).items()}
    assert found == {
        "renorm_mult": vector["expected"],
        "renorm_add": vector["alt_renormalised_additive"],
        "literal_mult": vector["alt_literal_multiplicative"],
        "literal_add": vector["alt_literal_additive"],
    }
    if vector["document_range"] is not None:
        low, high = vector["document_range"]
        assert {name: low <= value <= high for name, value in found.items()} == vector["in_range"]


def test_chosen_reading_fits_the_document_best() -> None:
    ranged = [vector["in_range"] for vector in VECTORS["document_model"] if "in_range" in vector]
    hits = {name: sum(inside[name] for inside in ranged) for name in ranged[0]}
    assert (len(ranged), hits) == (VECTORS["range_hits_of"], VECTORS["range_hits"])
    assert max(hits, key=lambda name: hits[name]) == "renorm_mult"


REFERENCE_WEIGHTS = {
    "search": Fraction(25, 100),
    "read": Fraction(50, 100),
    "discovery": Fraction(10, 100),
    "verification": Fraction(10, 100),
}
GENERIC_WEIGHT = Fraction(5, 100)


def normalise(target: str) -> str:
    """A path's last name without its extension, lowered and bare; any other text stays as it is."""
    name = target.rpartition("/")[2]
    if "." not in name:
        return target
    stem = name.rpartition(".")[0]
    return re.sub("[_-]", "", stem).lower()


def reference(observations: Sequence[Sequence[Any]]) -> tuple[Fraction, int]:
    """Score and number of agreeing pairs, the way the reference has it."""
    values: dict[str, list[Fraction]] = {}
    targets: dict[str, list[str]] = {}
    for category, value, target in observations:
        kind = category if category in REFERENCE_WEIGHTS else "generic"
        values.setdefault(kind, []).append(Fraction(str(value)))
        targets.setdefault(category, []).append(normalise(target).lower())
    score = sum(
        (
            REFERENCE_WEIGHTS.get(kind, GENERIC_WEIGHT) * sum(found, Fraction()) / len(found)
            for kind, found in values.items()
        ),
        Fraction(),
    )
    pairs = sum(
        any(a and b and (a in b or b in a) for a in targets[one] for b in targets[other])
        for one, other in combinations(targets, 2)
    )
    factor = {0: Fraction(1), 1: Fraction(125, 100)}.get(pairs, Fraction(140, 100))
    return min(score * factor, Fraction(1)), pairs


each_reference = pytest.mark.parametrize(
    "vector", VECTORS["reference_model"], ids=lambda vector: vector["id"]
)


@each_reference
def test_reference_model_matches_its_vectors(vector: dict[str, Any]) -> None:
    score, pairs = reference(vector["input"])
    expected = vector["expected"]
    assert (score, pairs) == (Fraction(str(expected["score"])), expected["pairs"])
    assert (100 * score < REPORTED_FROM) == expected["recovery"]
    assert (100 * score < DISCARDED_BELOW) == expected["stop"]


@each_reference
def test_our_model_uses_only_signals_about_the_same_target(vector: dict[str, Any]) -> None:
    """Whatever the observations, each target is judged by its own: no agreement between different things."""
    known = [
        (OURS[kind], hundredths(value), target) for kind, value, target in vector["input"] if kind in OURS
    ]
    witnesses = [Witness(category, value, target) for category, value, target in known]
    for target in {target for *_, target in known}:
        result = combine(target, witnesses)
        assert set(result.confirming) <= {category for category, _, own in known if own == target}
        assert result.ignored == sum(own != target for *_, own in known)


def test_one_good_source_suffices_for_our_model_but_not_for_the_reference() -> None:
    alone = [Witness(Category.GRAPH, 80, HERE)]
    assert visibility(combine(HERE, alone).value) is Visibility.REPORTED
    assert 100 * reference([("search", 0.8, HERE)])[0] < REPORTED_FROM


@pytest.mark.parametrize("vector", VECTORS["normalise"], ids=lambda vector: vector["input"])
def test_reference_normalises_target_names_and_our_model_does_not(vector: dict[str, str]) -> None:
    assert normalise(vector["input"]) == vector["expected"]
    said = Witness(Category.SYNTAX, 80, vector["input"] + "#f")
    assert combine(vector["input"], [said]).value == 0

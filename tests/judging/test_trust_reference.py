"""The vectors of the model that trust was taken from, run against ours where the two mean the same.

Their dimensions, domains and scores have other names; what is kept is the arithmetic: composite, caps, bottlenecks, the
steps of the mean, classes, the gate, applicability, the second label.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from string import ascii_uppercase
from typing import Any

import pytest

from crimes.judging.confidence import CAPS, Cap, undersampled
from crimes.judging.gates import Outcome, decide
from crimes.judging.trust.arithmetic import (
    Class,
    Status,
    Validity,
    applicability,
    bottlenecks,
    classify,
    composite,
    is_collapsed,
    max_validity,
    second_language_weight,
    withholds_actions,
)
from crimes.model.hundredths import half_up
from crimes.model.scores import churn
from tests.kit.paths import TESTS

VECTORS = json.loads((TESTS / "vectors" / "trust_reference.json").read_text())
UNKNOWN = Fraction(8, 10)


def exact(value: float | None) -> Fraction | None:
    return None if value is None else Fraction(str(value))


def share(value: float) -> Fraction:
    return Fraction(str(value))


def hundredths(value: Fraction) -> int:
    return half_up(100 * value.numerator, value.denominator)


def each(key: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", VECTORS[key], ids=lambda vector: vector.get("id", ""))


@each("dimension")
def test_churn_matches_the_reference(vector: dict[str, Any]) -> None:
    assert churn(vector["input"]["samples"]) == hundredths(share(vector["expected"]))


@each("composite")
def test_composite_matches_the_reference(vector: dict[str, Any]) -> None:
    values = [exact(value) for value in vector["input"]]
    result = composite(values)
    assert (None if result is None else hundredths(result)) == (
        None if vector["expected"] is None else hundredths(share(vector["expected"]))
    )
    assert _reasons(values) == vector["reasons"]


def _reasons(values: list[Fraction | None]) -> list[str]:
    """Their way to say it: the lowest dimension, and a mean that lies well above it."""
    known = [UNKNOWN if value is None else value for value in values]
    if not known or min(known) == 1:
        return []
    lowest, mean = min(known), sum(known, Fraction()) / len(known)
    name = ascii_uppercase[known.index(lowest)]
    told = [f"Bottleneck: {name} (confidence={float(lowest):g})"]
    if mean - lowest > Fraction(1, 10):
        told.append(f"Average dimension confidence ({hundredths(mean)}%) higher than bottleneck")
    return told


def test_float_composites_disagree_as_often_as_the_reference_says() -> None:
    wrong = 0
    for a, b in product(range(101), repeat=2):
        result = composite([Fraction(a, 100), Fraction(b, 100)])
        assert result is not None
        inexact = 0.6 * min(a, b) / 100 + 0.4 * ((a / 100 + b / 100) / 2)
        wrong += int(inexact * 100 + 0.5 + 1e-9) != hundredths(result)
    assert wrong == VECTORS["ieee_disagreements_of_10201"]


@each("caps")
def test_caps_match_the_reference(vector: dict[str, Any]) -> None:
    given, expected = vector["input"], vector["expected"]
    nothing_sampled = 0 in (given.get("positions"), given.get("declarations"))
    reasons = 3 if nothing_sampled else given.get("undersample_reasons", 0)
    caps = [
        *([Cap.PARSE_FALLBACK] if given.get("source_fallback") else []),
        *([Cap.GRAPH_FALLBACK] if given.get("fallback_glob") else []),
        *undersampled(reasons),
    ]
    names = {Cap.PARSE_FALLBACK: "source-fallback", Cap.GRAPH_FALLBACK: "fallback-glob"}
    assert [f"{names.get(cap, 'undersampled')}:{CAPS[cap][0] / 100:g}" for cap in caps] == expected["signals"]
    before = 100 if given["conf"] is None else hundredths(share(given["conf"]))
    assert min([before, *(CAPS[cap][0] for cap in caps)]) == hundredths(share(expected["confidence"]))


@each("bottlenecks")
def test_bottlenecks_match_the_reference(vector: dict[str, Any]) -> None:
    values = {name: exact(value) for name, value in vector["input"].items()}
    assert bottlenecks(values) == vector["expected"]


@each("summary_gate")
def test_status_and_validity_follow_from_the_mean(vector: dict[str, Any]) -> None:
    values, expected = [share(value) for value in vector["input"].values()], vector["expected"]
    mean = sum(values, Fraction()) / len(values)
    assert mean == share(expected["avg"])
    assert ("degraded" if is_collapsed(mean) else "complete") == expected["status"]
    assert max_validity(mean).replace("_", "-") == expected["scoreValidity"]
    assert withholds_actions(mean) == expected["suppressFixBatches"]
    assert ("confidence-collapse" if is_collapsed(mean) else None) == expected.get("degradedCategory")


@each("trust")
def test_classification_matches_the_reference(vector: dict[str, Any]) -> None:
    given, expected = vector["input"], vector["expected"]
    status = Status.COMPLETE if given.get("status", "complete") == "complete" else Status.DEGRADED
    # With us a fallback or a small sample makes a result partly comparable; it is no input of its own.
    doubt = given.get("fallback_glob") or given.get("undersampled")
    validity = Validity(given["validity"].replace("-", "_")) if "validity" in given else Validity.FULLY
    if doubt and validity is Validity.FULLY:
        validity = Validity.PARTIALLY
    known = [share(value) for value in given.get("composite_confs", []) if value is not None]
    class_ = classify(status, validity, min(known, default=None))
    assert class_ == expected["classification"]
    assert (class_ is not Class.ABSTAINED and validity is not Validity.NOT) == expected["canCompare"]
    assert (class_ is Class.TRUSTED) == expected["canGate"]


@each("min_score_gate")
def test_score_gate_matches_the_reference(vector: dict[str, Any]) -> None:
    given = vector["input"]
    validity = Validity(given["scoreValidity"].replace("-", "_"))
    hit = given["score"] < given["min_score"]
    decision = decide(Class(given["classification"]), validity, (), hit=hit, strict=False)
    told = {Outcome.PASSED: "pass", Outcome.FAILED: "fail"}
    rejected = f"rejected:{decision.why.replace('_', '-')}"
    assert told.get(decision.outcome, rejected) == vector["expected"]


@each("scenario")
def test_applicability_matches_the_reference(vector: dict[str, Any]) -> None:
    given = vector["input"]
    result = applicability(
        share(given["domain_conf"]),
        fallback=given.get("fallback_glob", False),
        weak=given.get("ambiguity", 0) > 0.7,
        off=given.get("disabled", False),
    )
    assert result == vector["expected"]


@each("multi_label")
def test_second_label_matches_the_reference(vector: dict[str, Any]) -> None:
    first, second = vector["input"]
    assert second_language_weight(share(first), share(second)) == exact(vector["expected"])

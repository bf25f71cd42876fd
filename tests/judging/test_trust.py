"""Trust in a scan, and the gate table, against their vectors and their laws."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from crimes.judging.gates import Metric, decide, new_gate, risk_gate, severity_gate, weak_for
from crimes.judging.trust.arithmetic import (
    Class,
    Counts,
    Validity,
    bottlenecks,
    resolution,
    stopped_verdict,
    verdict,
)
from crimes.judging.trust.assess import build_trust, profile_of
from crimes.judging.trust.sampling import Sample, Undersampling
from crimes.model.hundredths import half_up
from crimes.model.report import Report
from crimes.model.severity import Severity
from crimes.model.trust import Trust
from tests.kit.paths import TESTS
from tests.kit.reports import crime, report

VECTORS = json.loads((TESTS / "vectors" / "joint.json").read_text())["trust_and_gate"]
# What the vectors call the dimensions as they count in the composite.
OLD_NAMES = {
    "parse_coverage": "parse",
    "import_resolution": "blast_radius",
    "history_depth": "churn",
    "test_discovery": "test_gap",
}
LEAST_FIRST = (Class.ABSTAINED, Class.DIRECTIONAL, Class.TRUSTED)


def two_decimals(value: Fraction | None) -> float | None:
    return None if value is None else half_up(100 * value.numerator, value.denominator) / 100


def counts_of(given: dict[str, Any]) -> Counts:
    """The input of a vector; a shallow clone is one way for history to be cut."""
    rest = dict(given)
    return Counts(cut="shallow clone" if rest.pop("shallow", False) else "", **rest)


each_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])


@each_vector
def test_verdict_matches_the_vector(vector: dict[str, Any]) -> None:
    expected, result = vector["expected"], verdict(counts_of(vector["input"]))
    assert result.status == expected["status"]
    assert (result.category or None) == expected["degraded_category"]
    assert result.validity == expected["validity"]
    assert result.class_ == expected["classification"]
    assert (result.can_compare, result.can_gate) == (expected["can_compare"], expected["can_gate"])
    assert two_decimals(result.composite) == expected["agent_risk_confidence"]
    assert {name: two_decimals(value) for name, value in result.dimensions.items()} == expected["summary"]
    assert two_decimals(result.mean) == expected["summary_average"]
    weighed = {OLD_NAMES[name]: two_decimals(value) for name, value in result.weighed.items()}
    assert weighed == expected["dimensions"]
    assert [OLD_NAMES[name] for name in bottlenecks(result.weighed)] == expected["bottlenecks"]
    assert [f"{reason.area}: {reason.text}" for reason in result.reasons] == expected["reasons"]
    areas = [reason.area for reason in result.reasons]
    assert {str(metric): list(weak_for(metric, areas)) for metric in Metric} == expected["gates"]


@each_vector
@pytest.mark.parametrize("metric", list(Metric))
@pytest.mark.parametrize(
    ("case", "hit", "strict"), [("hit", True, False), ("clean", False, False), ("strict_clean", False, True)]
)
def test_gate_decision_matches_the_vector(
    vector: dict[str, Any], metric: Metric, case: str, hit: bool, strict: bool
) -> None:
    result = verdict(counts_of(vector["input"]))
    weak = weak_for(metric, [reason.area for reason in result.reasons])
    decision = decide(result.class_, result.validity, weak, hit=hit, strict=strict)
    expected = vector["gate"][f"{metric}_{case}"]
    assert {"exit": decision.exit, "outcome": decision.outcome, "why": decision.why} == expected


samples = st.builds(
    Sample,
    files=st.integers(0, 4),
    functions=st.integers(0, 12),
    commits=st.integers(0, 12),
    span_days=st.integers(0, 40),
)


@st.composite
def counts(draw: st.DrawFn) -> Counts:
    """Counts a scan can have."""
    claimed = draw(st.integers(0, 60))
    ok = draw(st.integers(0, claimed))
    tests = draw(st.integers(0, 5))
    return Counts(
        claimed=claimed,
        ok=ok,
        partial=draw(st.integers(0, claimed - ok)),
        resolved=draw(st.integers(0, 40)),
        unresolved=draw(st.integers(0, 40)),
        graph=draw(st.booleans()),
        git=draw(st.booleans()),
        cut=draw(st.sampled_from(["", "shallow clone"])),
        days=draw(st.integers(0, 120)),
        test_files=tests,
        tests_resolving=draw(st.integers(0, tests)),
        working_set_unparsed=draw(st.integers(0, 1)),
        sample=draw(st.none() | samples),
    )


def rank(made: Counts) -> int:
    return LEAST_FIRST.index(verdict(made).class_)


@given(counts().filter(lambda made: made.ok > 0), st.booleans())
def test_worse_coverage_of_files_never_raises_the_class(made: Counts, in_part: bool) -> None:
    worse = replace(made, ok=made.ok - 1, partial=made.partial + in_part)
    assert rank(worse) <= rank(made)


@given(counts())
def test_missing_evidence_never_raises_the_class(made: Counts) -> None:
    # By its numbers no graph is .30, and one that leads nowhere 0: only a graph that told more can be missed.
    told_more = Fraction(95, 100) * resolution(made) >= Fraction(30, 100)
    for change in (
        {"graph": made.graph and not told_more},
        {"git": False},
        {"cut": "shallow clone"},
        {"unresolved": made.unresolved + 1},
        {"working_set_unparsed": 1},
        {"tests_resolving": 0},
        {"test_files": 0, "tests_resolving": 0},
    ):
        assert rank(replace(made, **change)) <= rank(made), change


@given(counts(), st.booleans(), st.booleans())
def test_a_changed_file_that_was_not_parsed_is_never_green(made: Counts, hit: bool, strict: bool) -> None:
    result = verdict(replace(made, working_set_unparsed=1))
    for metric in Metric:
        weak = weak_for(metric, [reason.area for reason in result.reasons])
        assert decide(result.class_, result.validity, weak, hit=hit, strict=strict).exit == 2


@given(counts())
def test_strictness_and_hits_never_improve_a_gate(made: Counts) -> None:
    result = verdict(made)
    for metric in Metric:
        weak = weak_for(metric, [reason.area for reason in result.reasons])
        clean = decide(result.class_, result.validity, weak, hit=False, strict=False)
        for hit, strict in ((True, False), (False, True), (True, True)):
            decision = decide(result.class_, result.validity, weak, hit=hit, strict=strict)
            assert decision.exit >= min(clean.exit, 1)


@given(counts())
def test_every_share_lies_between_zero_and_one(made: Counts) -> None:
    result = verdict(made)
    shares = [*result.dimensions.values(), *result.weighed.values(), result.composite, result.mean]
    assert all(value is None or 0 <= value <= 1 for value in shares)


@pytest.mark.parametrize("category", ["timeout", "out-of-memory"])
def test_unfinished_scan_abstains(category: str) -> None:
    result = stopped_verdict(category)
    assert (result.class_, result.validity, result.category) == (Class.ABSTAINED, Validity.NOT, category)
    assert (result.composite, result.mean, dict(result.dimensions)) == (None, None, {})
    assert not result.can_compare
    assert not result.can_gate


WHOLE = Counts(claimed=20, ok=20, resolved=40, test_files=3, tests_resolving=3)
ENOUGH = Sample(files=20, functions=60, commits=10, span_days=30)


@pytest.mark.parametrize(
    ("sample", "step", "composite", "validity"),
    [
        (ENOUGH, "none", 0.92, Validity.FULLY),
        (replace(ENOUGH, files=2), "mild", 0.65, Validity.PARTIALLY),
        (replace(ENOUGH, functions=9), "mild", 0.65, Validity.PARTIALLY),
        (replace(ENOUGH, commits=9), "mild", 0.65, Validity.PARTIALLY),
        (replace(ENOUGH, span_days=29), "mild", 0.65, Validity.PARTIALLY),
        (replace(ENOUGH, files=2, functions=9), "moderate", 0.55, Validity.PARTIALLY),
        (replace(ENOUGH, files=2, functions=9, commits=9), "severe", 0.4, Validity.NOT),
    ],
)
def test_a_small_sample_limits_the_composite(
    sample: Sample, step: str, composite: float, validity: Validity
) -> None:
    result = verdict(replace(WHOLE, sample=sample))
    assert (result.undersampling, two_decimals(result.composite), result.validity) == (
        Undersampling(step),
        composite,
        validity,
    )
    assert (result.class_ is Class.TRUSTED) == (step == "none")


def test_a_whole_clone_without_a_past_is_a_shallow_one_without_a_past() -> None:
    sample = Sample(files=20, functions=60, commits=1, span_days=0)
    whole, shallow = (verdict(replace(WHOLE, sample=sample, cut=cut)) for cut in ("", "shallow clone"))
    assert whole.dimensions == shallow.dimensions
    assert two_decimals(whole.dimensions["history_depth"]) == 0.1
    assert (whole.class_, whole.validity, whole.composite) == (
        shallow.class_,
        shallow.validity,
        shallow.composite,
    )


# Each part of the counts that a gate rests on, at its steps and on both sides of its limits.
PARSED: list[dict[str, Any]] = [
    {"claimed": 0, "ok": 0},
    {"claimed": 20, "ok": 0},
    {"claimed": 20, "ok": 0, "partial": 1},
    *({"claimed": 20, "ok": ok} for ok in (9, 10, 17, 18, 20)),
]
IMPORTED: list[dict[str, Any]] = [
    {"graph": False},
    *({"resolved": 40 - n, "unresolved": n} for n in (0, 20, 21)),
]
PASTS: list[dict[str, Any]] = [{"git": False}, {"cut": "shallow clone", "days": 60}, {}]
TESTED: list[dict[str, Any]] = [{}, {"test_files": 3, "tests_resolving": 3}]
SAMPLES: list[dict[str, Any]] = [
    {"sample": sample}
    for sample in (
        None,
        ENOUGH,
        replace(ENOUGH, files=2),
        replace(ENOUGH, span_days=0),
        replace(ENOUGH, files=2, functions=9, commits=9),
    )
]
WORKING_SETS: list[dict[str, Any]] = [{}, {"working_set_unparsed": 1}, {"working_set_partial": 1}]
CLEAN, SEVERE = report(), report(crime(severity=Severity.HIGH))


def gate_exits(shape: Report, trust: Trust) -> list[int]:
    """The exit codes of every gate on a report, with `--strict`."""
    judged = replace(shape, trust=trust)
    gates = (
        severity_gate(judged, Severity.HIGH, strict=True),
        risk_gate(judged, 0.1, strict=True),
        new_gate(judged.findings, [trust], strict=True),
    )
    return [gate.exit for gate in gates]


def test_can_gate_of_a_report_agrees_with_its_gates_over_a_grid() -> None:
    answers = set()
    for parts in product(PARSED, IMPORTED, PASTS, TESTED, SAMPLES, WORKING_SETS):
        result = verdict(Counts(**{name: value for part in parts for name, value in part.items()}))
        trust = build_trust(result, signals={}, bottlenecks=(), applicability=(), profile=profile_of(()))
        if trust.can_gate:
            assert (gate_exits(CLEAN, trust), gate_exits(SEVERE, trust)) == ([0, 0, 0], [1, 1, 1]), parts
        else:
            assert 2 in gate_exits(CLEAN, trust), parts
        answers.add(trust.can_gate)
    assert answers == {True, False}


@given(counts())
def test_can_gate_agrees_with_the_gates(made: Counts) -> None:
    result = verdict(made)
    areas = [reason.area for reason in result.reasons]
    outcomes = {
        decide(result.class_, result.validity, weak_for(metric, areas), hit=False, strict=True).exit
        for metric in Metric
    }
    assert result.can_gate == (outcomes == {0})

"""agent_risk against its vectors, its whole lattice, and its laws."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from decimal import Decimal
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.judging import scoring
from crimes.model.scores import COMPONENTS, WeightsConfig, blast_radius, churn, severity_score
from crimes.model.severity import Severity
from tests.kit.paths import ROOT, TESTS

VECTORS = json.loads((TESTS / "vectors" / "scoring.json").read_text())
DEFAULT = WeightsConfig()
SHARES = st.integers(0, 100)


def by_name(*values: int) -> dict[str, int]:
    """The five components of the specification; any other is 0."""
    specified = ("severity", "confidence", "churn", "test_gap", "blast_radius")
    others = {component.name: 0 for component in COMPONENTS}
    return others | dict(zip(specified, values, strict=True))


def hundredths(value: float) -> int:
    exact = Decimal(str(value)) * 100
    assert exact == int(exact)
    return int(exact)


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["id"])
def test_scores_match_the_vector(vector: dict[str, Any]) -> None:
    given, expected = vector["input"], vector["expected"]
    changes = churn(given["commits_90d"])
    gap = hundredths(given["test_gap"])
    blast = blast_radius(given["transitive_importers"])
    severity = severity_score(Severity(given["severity"]))
    risk = scoring.agent_risk(
        by_name(severity, hundredths(given["confidence"]), changes, gap, blast), DEFAULT
    )
    assert changes == hundredths(expected["churn"])
    assert blast == hundredths(expected["blast_radius"])
    assert risk == hundredths(expected["agent_risk"])
    assert scoring.should_show_profile(changes, gap, blast) == expected["risk_profile_shown"]


@pytest.mark.parametrize("point", VECTORS["lattice"]["examples"])
def test_agent_risk_matches_the_lattice_example(point: dict[str, Any]) -> None:
    severity = severity_score(Severity(point["severity"]))
    rest = (hundredths(point[key]) for key in ("confidence", "churn", "test_gap", "blast_radius"))
    assert scoring.agent_risk(by_name(severity, *rest), DEFAULT) == hundredths(point["exact_half_up"])


def test_every_point_is_rounded_half_up_and_floats_would_not_do() -> None:
    points = floats_wrong = 0
    steps = product((90, 70, 45), range(101), range(0, 101, 5), (0, 50, 100), range(0, 101, 2))
    for s, c, h, t, b in steps:
        risk = scoring.agent_risk(by_name(s, c, h, t, b), DEFAULT)
        excess = 100 * risk - (40 * s + 20 * c + 15 * h + 15 * t + 10 * b)
        assert -50 < excess <= 50, (s, c, h, t, b)
        inexact = 0.40 * (s / 100) + 0.20 * (c / 100) + 0.15 * (h / 100) + 0.15 * (t / 100) + 0.10 * (b / 100)
        floats_wrong += math.floor(inexact * 100 + 0.5) != risk
        points += 1
    assert points == VECTORS["lattice"]["points"]
    assert floats_wrong == VECTORS["lattice"]["ieee_disagrees"]


@st.composite
def weights(draw: st.DrawFn) -> WeightsConfig:
    cuts = sorted(draw(st.lists(SHARES, min_size=4, max_size=4)))
    ends = [0, *cuts, 100]
    return WeightsConfig(*(high - low for low, high in pairwise(ends)))


@given(st.lists(SHARES, min_size=5, max_size=5), weights())
def test_a_weighted_mean_stays_between_its_inputs(values: list[int], weights: WeightsConfig) -> None:
    risk = scoring.agent_risk(by_name(*values), weights)
    assert 0 <= min(values) <= risk <= max(values) <= 100


@given(st.lists(SHARES, min_size=5, max_size=5), st.integers(0, 4), SHARES, weights())
def test_raising_any_factor_never_lowers_the_risk(
    values: list[int], index: int, other: int, weights: WeightsConfig
) -> None:
    changed = [*values[:index], other, *values[index + 1 :]]
    low, high = (values, changed) if values[index] <= other else (changed, values)
    assert scoring.agent_risk(by_name(*low), weights) <= scoring.agent_risk(by_name(*high), weights)


@given(st.lists(st.integers(0, 80), min_size=5, max_size=5), st.integers(0, 4))
def test_a_large_step_in_any_input_raises_the_risk(values: list[int], index: int) -> None:
    raised = [*values[:index], values[index] + 20, *values[index + 1 :]]
    assert scoring.agent_risk(by_name(*raised), DEFAULT) > scoring.agent_risk(by_name(*values), DEFAULT)


@given(st.integers(0, 10_000))
def test_counts_saturate_and_are_monotone(count: int) -> None:
    for score, full in ((churn, 20), (blast_radius, 50)):
        assert 0 <= score(count) <= score(count + 1) <= 100
        assert (score(count) == 100) == (count >= full)


def test_severities_are_ordered() -> None:
    order = (Severity.LOW, Severity.MEDIUM, Severity.HIGH)
    assert [severity_score(severity) for severity in order] == [45, 70, 90]


def test_trace_writes_out_the_weighted_sum() -> None:
    trace = scoring.risk_trace(by_name(90, 88, 35, 100, 24), DEFAULT)
    assert trace.startswith(
        "0.76 = 0.40 x 0.90 severity + 0.20 x 0.88 confidence + 0.15 x 0.35 churn"
        " + 0.15 x 1.00 test gap + 0.10 x 0.24 blast radius"
    )


def test_component_that_came_later_is_zero_in_an_older_report() -> None:
    """In a new interpreter: structs are made from the table when their module is imported."""
    program = (
        "import crimes.model.facts, msgspec, sys\n"
        "from pathlib import Path\n"
        "source = Path(sys.argv[1]).read_text()\n"
        'row = \'Component(name="age", label="age", weight=0, measure=lambda inputs: 0, about="", since="1.1"),\\n)\\n\\n\\nif TYPE_CHECKING\'\n'
        "later = {'__name__': 'later'}\n"
        "exec(compile(source.replace(')\\n\\n\\nif TYPE_CHECKING', row, 1), 'later', 'exec'), later)\n"
        "old = dict.fromkeys((c.name for c in later['COMPONENTS'][:-1]), 0.5) | {'agent_risk': 0.5}\n"
        "print(msgspec.convert(old, later['Scores']).age)\n"
    )
    file = ROOT / "crimes/model/scores.py"
    done = subprocess.run(
        [sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "0.0\n"

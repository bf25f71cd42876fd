"""agent_risk: severity, confidence, churn, test gap and blast radius in one number; all in hundredths."""

from __future__ import annotations

from typing import NamedTuple

from crimes.config.schema import WeightsConfig
from crimes.model.facts import Severity
from crimes.model.hundredths import half_up, two_decimals

_SEVERITY = {Severity.HIGH: 90, Severity.MEDIUM: 70, Severity.LOW: 45}
_CHURN_FULL = 20  # commits in 90 days
_BLAST_FULL = 50  # files that reach it
_SHOWN_ABOVE = 50


def severity_score(severity: Severity) -> int:
    """The number a severity stands for."""
    return _SEVERITY[severity]


def churn(commits: int) -> int:
    """Commits that touched the file in 90 days, full at 20."""
    return min(half_up(100 * commits, _CHURN_FULL), 100)


def blast_radius(importers: int) -> int:
    """Files that reach the file over imports, full at 50."""
    return min(half_up(100 * importers, _BLAST_FULL), 100)


class Factors(NamedTuple):
    """What agent_risk is made of, each in hundredths, in the order of the weights."""

    severity: int
    confidence: int
    churn: int
    test_gap: int
    blast_radius: int


def agent_risk(factors: Factors, weights: WeightsConfig) -> int:
    """The weighted sum, rounded half up."""
    total = sum(weight * value for weight, value, _ in _terms(factors, weights))
    return max(0, min(half_up(total, 100), 100))


def risk_trace(factors: Factors, weights: WeightsConfig) -> str:
    """agent_risk written out, so that a reader can check it."""
    terms = (
        f"{two_decimals(weight)} x {two_decimals(value)} {name}"
        for weight, value, name in _terms(factors, weights)
    )
    return f"{two_decimals(agent_risk(factors, weights))} = {' + '.join(terms)}"


def profile_shown(churn: int, test_gap: int, blast_radius: int) -> bool:
    """Whether a report shows the risk profile unasked: one of the three is over a half."""
    return max(churn, test_gap, blast_radius) > _SHOWN_ABOVE


def _terms(factors: Factors, weights: WeightsConfig) -> tuple[tuple[int, int, str], ...]:
    return (
        (weights.severity, factors.severity, "severity"),
        (weights.confidence, factors.confidence, "confidence"),
        (weights.churn, factors.churn, "churn"),
        (weights.test_gap, factors.test_gap, "test gap"),
        (weights.blast_radius, factors.blast_radius, "blast radius"),
    )

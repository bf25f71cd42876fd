"""Gates on a report: which findings reach a threshold, and what that means given the trust in the scan.

Hidden findings never gate: only `findings` is looked at. Neither do those of detectors that stay out of gates.
"""

from __future__ import annotations

from collections.abc import Collection

from crimes.judging.gates import Decision, Metric, Outcome, decide
from crimes.judging.trust.arithmetic import Class, Validity
from crimes.model.report import Crime, Gate, Report
from crimes.model.severity import Severity
from crimes.model.trust import Trust

_LEAST_FIRST = (Severity.LOW, Severity.MEDIUM, Severity.HIGH)
_WORST_LAST = (Outcome.PASSED, Outcome.WARNED, Outcome.NOT_EVALUATED, Outcome.FAILED)
NEW = "new"  # the metric of `--fail-on-new`


def severity_gate(report: Report, least: Severity, *, strict: bool, advisory: Collection[str] = ()) -> Gate:
    """`--fail-on`: a finding of this severity or worse."""
    enough = _LEAST_FIRST[_LEAST_FIRST.index(least) :]
    hits = [crime for crime in _gating(report, advisory) if crime.severity in enough]
    return _gate(report, Metric.SEVERITY, str(least), len(hits), strict)


def risk_gate(report: Report, least: float, *, strict: bool, advisory: Collection[str] = ()) -> Gate:
    """`--fail-on-risk`: a finding with this agent_risk or more."""
    risks = (crime.scores.agent_risk for crime in _gating(report, advisory))
    hits = [risk for risk in risks if risk is not None and risk >= least]
    return _gate(report, Metric.AGENT_RISK, least, len(hits), strict)


def new_gate(
    new: Collection[Crime], trusts: Collection[Trust], *, strict: bool, advisory: Collection[str] = ()
) -> Gate:
    """`--fail-on-new`: a finding that was not there before. It rests on both scans, `trusts` are those in them.

    That something is new cannot be said where one of them saw too little: then the gate is not evaluated.
    """
    ids = tuple(crime.id for crime in new if crime.type not in advisory)
    decisions = [_decision(trust, Metric.SEVERITY, len(ids), strict) for trust in trusts]
    order = (Outcome.PASSED, Outcome.WARNED, Outcome.FAILED, Outcome.NOT_EVALUATED)
    worst = max(decisions, key=lambda decision: order.index(decision.outcome))
    return Gate(NEW, "any", str(worst.outcome), worst.exit, worst.why, len(ids), ids)


def deciding(gates: Collection[Gate]) -> Gate | None:
    """Of several gates the one that decides: the worst outcome, of equals the first."""
    return max(gates, key=lambda gate: _WORST_LAST.index(Outcome(gate.outcome)), default=None)


def _gating(report: Report, advisory: Collection[str]) -> list[Crime]:
    return [crime for crime in report.findings if crime.type not in advisory]


def _gate(report: Report, metric: Metric, threshold: str | float, hits: int, strict: bool) -> Gate:
    decision = _decision(report.trust, metric, hits, strict)
    return Gate(str(metric), threshold, str(decision.outcome), decision.exit, decision.why, hits)


def _decision(trust: Trust, metric: Metric, hits: int, strict: bool) -> Decision:
    return decide(
        Class(trust.classification),
        Validity(trust.validity),
        trust.gates[metric],
        hit=hits > 0,
        strict=strict,
    )

"""Gates on a report: which findings reach a threshold, and whether that means anything given the trust in the scan.

A clean result passes only as far as what the gate rests on was seen: severity needs what was parsed and whose imports are
known, agent_risk needs the past as well, and both a sample that is large enough. Hidden findings never gate, and neither do facts about places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec.structs import replace

from crimes.judging.trust.arithmetic import Class, Validity
from crimes.model.report import Crime, Gate, Report, code_only
from crimes.model.severity import Severity
from crimes.model.trust import Trust

NEW = "new"  # the metric of `--fail-on-new`
BROKEN = "broken"  # the metric of a change that breaks references: it needs no option


class Metric(StrEnum):
    """What a gate is about."""

    SEVERITY = "severity"
    AGENT_RISK = "agent_risk"


class Outcome(StrEnum):
    """How a gate ended."""

    PASSED = "passed"
    WARNED = "passed_with_warning"
    NOT_EVALUATED = "not_evaluated"
    FAILED = "failed"


_RESTS_ON: Mapping[Metric, tuple[str, ...]] = {
    Metric.SEVERITY: ("parse", "graph", "sample"),
    Metric.AGENT_RISK: ("parse", "graph", "history", "tests", "sample"),
}
_EXIT = {Outcome.PASSED: 0, Outcome.WARNED: 0, Outcome.NOT_EVALUATED: 2, Outcome.FAILED: 1}
_SEVERITIES = (Severity.LOW, Severity.MEDIUM, Severity.HIGH)
_WORST_LAST = (Outcome.PASSED, Outcome.WARNED, Outcome.NOT_EVALUATED, Outcome.FAILED)


class Decision(NamedTuple):
    """The outcome of a gate and the reason for it."""

    outcome: Outcome
    why: str

    @property
    def exit(self) -> int:
        return _EXIT[self.outcome]


def weak_for(metric: Metric, areas: Iterable[str]) -> tuple[str, ...]:
    """Of the areas that weaken a scan, those a gate on this metric rests on."""
    return tuple(area for area in areas if area in _RESTS_ON[metric])


def decide(class_: Class, validity: Validity, weak: Iterable[str], *, hit: bool, strict: bool) -> Decision:
    """The gate table. `weak` is what the gate rests on and was not seen well; `strict` refuses to pass on that."""
    if class_ is Class.ABSTAINED:
        return Decision(Outcome.NOT_EVALUATED, str(class_))
    if validity is Validity.NOT:
        return Decision(Outcome.NOT_EVALUATED, str(validity))
    if hit:
        return Decision(Outcome.FAILED, "threshold met")
    areas = tuple(dict.fromkeys(weak))
    if areas:
        why = f"a pass is not proven: {', '.join(areas)}"
        return Decision(Outcome.NOT_EVALUATED if strict else Outcome.WARNED, why)
    return Decision(Outcome.PASSED, "sufficient evidence for this gate")


def severity_gate(report: Report, minimum: Severity, *, strict: bool) -> Gate:
    """`--fail-on`: a finding of this severity or worse."""
    severe = _SEVERITIES[_SEVERITIES.index(minimum) :]
    hits = [crime for crime in report.code_findings if crime.severity in severe]
    return _gate(report, Metric.SEVERITY, str(minimum), hits, strict)


def risk_gate(report: Report, minimum: float, *, strict: bool) -> Gate:
    """`--fail-on-risk`: a finding with this agent_risk or more."""
    hits = [
        crime
        for crime in report.code_findings
        if crime.scores.agent_risk is not None and crime.scores.agent_risk >= minimum
    ]
    return _gate(report, Metric.AGENT_RISK, minimum, hits, strict)


def new_gate(new: Collection[Crime], trusts: Collection[Trust], *, strict: bool) -> Gate:
    """`--fail-on-new`: a finding that was not there before. It rests on both scans, whose trust is in `trusts`.

    Where one of them saw too little, nothing can be called new, and the gate is not evaluated.
    """
    ids = tuple(crime.id for crime in code_only(new))
    decisions = [_decision(trust, Metric.SEVERITY, len(ids), strict) for trust in trusts]
    order = (Outcome.PASSED, Outcome.WARNED, Outcome.FAILED, Outcome.NOT_EVALUATED)
    worst = max(decisions, key=lambda decision: order.index(decision.outcome))
    failed = ids if worst.outcome is Outcome.FAILED else ()
    return Gate(NEW, "any", str(worst.outcome), worst.exit, worst.why, len(ids), new=ids, failed=failed)


def broken_gate(causes: int, trusts: Iterable[Trust]) -> Gate:
    """The gate that a change with broken references fails, whatever was asked for.

    After a collapse no gate is evaluated: what seems to lead nowhere may lead to what was not read.
    """
    if any(trust.is_collapsed for trust in trusts):
        outcome = Outcome.NOT_EVALUATED
        return Gate(BROKEN, "any", str(outcome), _EXIT[outcome], str(Class.ABSTAINED), causes)
    return Gate(
        BROKEN, "any", str(Outcome.FAILED), _EXIT[Outcome.FAILED], "references no longer resolve", causes
    )


def not_evaluated(gate: Gate, why: str) -> Gate:
    """The gate without an answer."""
    outcome = Outcome.NOT_EVALUATED
    return replace(gate, outcome=str(outcome), exit=_EXIT[outcome], why=why)


def deciding_gate(gates: Collection[Gate]) -> Gate | None:
    """Of several gates the one that decides: the worst outcome, of equals the first."""
    return max(gates, key=lambda gate: _WORST_LAST.index(Outcome(gate.outcome)), default=None)


def _gate(
    report: Report, metric: Metric, threshold: str | float, hits: Collection[Crime], strict: bool
) -> Gate:
    decision = _decision(report.trust, metric, len(hits), strict)
    failed = tuple(crime.id for crime in hits) if decision.outcome is Outcome.FAILED else ()
    return Gate(
        str(metric), threshold, str(decision.outcome), decision.exit, decision.why, len(hits), failed=failed
    )


def _decision(trust: Trust, metric: Metric, hits: int, strict: bool) -> Decision:
    return decide(
        Class(trust.classification),
        Validity(trust.validity),
        trust.gates[metric],
        hit=hits > 0,
        strict=strict,
    )

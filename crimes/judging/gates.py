"""Whether a gate fails, and whether a pass means anything: a function of trust and of what was hit.

A clean result passes only as far as what the gate rests on was seen: severity needs what was parsed and whose imports are
known, agent_risk needs the past as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from crimes.judging.trust.arithmetic import Class, Validity


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
    Metric.SEVERITY: ("parse", "graph"),
    Metric.AGENT_RISK: ("parse", "graph", "history", "tests"),
}
_EXIT = {Outcome.PASSED: 0, Outcome.WARNED: 0, Outcome.NOT_EVALUATED: 2, Outcome.FAILED: 1}


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

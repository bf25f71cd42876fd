"""Trust and gates in a sentence or two, for every view of a scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crimes.model.report import Gate, Report
from crimes.model.trust import Trust
from crimes.model.wording import count

_MAX_IDS = 10  # of new findings, in one line
_MEANING = {
    "trusted": "numbers may be compared and gated",
    "directional": "a direction, not a measure",
    "abstained": "nothing may be concluded from it",
}
_OPTION = {"severity": "--fail-on", "agent_risk": "--fail-on-risk", "new": "--fail-on-new"}


def headline(trust: Trust) -> str:
    """The class, the composite, and what weakens the scan."""
    number = "" if trust.composite is None else f" {trust.composite:.2f}"
    weakened = f"; {'; '.join(trust.reasons)}" if trust.reasons else ""
    # A report from elsewhere may hold any class.
    meaning = _MEANING.get(trust.classification, "a class this crimes does not know")
    return f"Trust{number}: {trust.classification}, {meaning}{weakened}."


def bottleneck_lines(trust: Trust) -> Iterator[str]:
    """The worst bottleneck and its fix, if there is one."""
    for bottleneck in trust.bottlenecks[:1]:
        name = bottleneck.dimension.replace("_", " ")
        yield f"Weakest is {name} {bottleneck.value:.2f}: {bottleneck.explanation}; {bottleneck.fix}."


def trust_lines(report: Report) -> Iterator[str]:
    """The end of a report: how far to trust it, what went wrong on the way, and how a gate ended."""
    yield headline(report.trust)
    yield from bottleneck_lines(report.trust)
    for reason in report.trust.withheld.values():
        yield f"Withheld: {reason}."
    yield from endings(report)


def endings(report: Report) -> Iterator[str]:
    """What went wrong during the scan, and how a gate ended: shown even without the report."""
    for diagnostic in report.diagnostics:
        yield f"{diagnostic.kind}: {diagnostic.message} ({diagnostic.source})"
    if report.gate is not None:
        yield gate_line(report.gate)


def _id_list(ids: Sequence[str]) -> str:
    """The ids of new findings, which a whole scan lists among all others."""
    more = f" and {len(ids) - _MAX_IDS:,} more" if len(ids) > _MAX_IDS else ""
    return f": {', '.join(ids[:_MAX_IDS])}{more}" if ids else ""


def gate_line(gate: Gate) -> str:
    """A gate and how it ended."""
    threshold = "" if gate.metric == "new" else f" {gate.threshold}"
    gate_text = f"Gate {_OPTION.get(gate.metric, gate.metric)}{threshold}: {gate.outcome.replace('_', ' ')}"
    if gate.outcome == "failed" and gate.metric == "new":
        return f"{gate_text}, {count(gate.hits, 'new finding')}{_id_list(gate.new)}."
    if gate.outcome == "failed":
        return f"{gate_text}, {count(gate.hits, 'finding')} at or above it."
    return f"{gate_text}, {gate.why.replace('_', ' ')}."

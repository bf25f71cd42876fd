"""Trust and gates in a sentence or two, for every view that tells about a scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crimes.model.report import Gate, Report
from crimes.model.trust import Trust
from crimes.model.wording import count

_MOST_IDS = 10  # of new findings, in one line
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
    meaning = _MEANING.get(
        trust.classification, "a class this crimes does not know"
    )  # of a stranger's report
    return f"Trust{number}: {trust.classification}, {meaning}{weakened}."


def weakest(trust: Trust) -> Iterator[str]:
    """The worst bottleneck and its fix, if there is one."""
    for bottleneck in trust.bottlenecks[:1]:
        name = bottleneck.dimension.replace("_", " ")
        yield f"Weakest is {name} {bottleneck.value:.2f}: {bottleneck.explanation}; {bottleneck.fix}."


def trust_lines(report: Report) -> Iterator[str]:
    """The end of a report: how far to trust it, what went wrong on the way, and how a gate ended."""
    yield headline(report.trust)
    yield from weakest(report.trust)
    for reason in report.trust.withheld.values():
        yield f"Withheld: {reason}."
    yield from endings(report)


def endings(report: Report) -> Iterator[str]:
    """What went wrong during the scan, and how a gate ended: said also to who reads no report."""
    for diagnostic in report.diagnostics:
        yield f"{diagnostic.kind}: {diagnostic.message} ({diagnostic.source})"
    if report.gate is not None:
        yield gate_line(report.gate)


def _listed(ids: Sequence[str]) -> str:
    """Which they are: a whole scan lists them among all others."""
    more = f" and {len(ids) - _MOST_IDS:,} more" if len(ids) > _MOST_IDS else ""
    return f": {', '.join(ids[:_MOST_IDS])}{more}" if ids else ""


def gate_line(gate: Gate) -> str:
    """A gate and how it ended."""
    threshold = "" if gate.metric == "new" else f" {gate.threshold}"
    asked = f"Gate {_OPTION.get(gate.metric, gate.metric)}{threshold}: {gate.outcome.replace('_', ' ')}"
    if gate.outcome == "failed" and gate.metric == "new":
        return f"{asked}, {count(gate.hits, 'new finding')}{_listed(gate.new)}."
    if gate.outcome == "failed":
        return f"{asked}, {count(gate.hits, 'finding')} at or above it."
    return f"{asked}, {gate.why.replace('_', ' ')}."

"""Trust and gates in a sentence or two, for every view of a scan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crimes.model.report import Gate, Report
from crimes.model.trust import TRUSTED, Trust
from crimes.model.wording import capitalized, count

ABSTAINED = "abstained"
TRUST_STYLE = {TRUSTED: "good", "directional": "warn"}  # others are bad
GATE_STYLE = {"passed": "good", "passed_with_warning": "warn"}  # others are bad
_MAX_IDS = 10  # of findings, in one line
_NO_IDS: Mapping[str, str] = {}
_PROVEN = "a pass is not proven: "
MEANING = {
    TRUSTED: "enough of the code and its history was read to compare scores and to gate a build",
    "directional": "numbers show a direction, not a measurement",
    ABSTAINED: "nothing can be concluded from a scan",
}
_NOT_EVALUATED = {
    ABSTAINED: "too little was seen to decide",
    "not_comparable": "the scan cannot be compared with another",
}


def trust_advice(trust: Trust) -> str:
    """What would help a scan that is not trusted most; empty when nothing is known to, or it is trusted."""
    if trust.classification == TRUSTED or not trust.bottlenecks:
        return ""
    worst = trust.bottlenecks[0]
    return f"Weakest: {worst.dimension} {worst.value:.2f}, {worst.explanation}. To improve it: {worst.fix}."


def meaning(trust: Trust) -> str:
    """What the class of a scan allows; empty for one that this version does not know."""
    return MEANING.get(trust.classification, "")


def quiet_headline(trust: Trust) -> str:
    """What is said of trust even when quiet: that nothing can be concluded, since silence looks like a clean scan.

    Empty where something can be, and in a folder without source files, in which there was nothing to find.
    """
    return trust.label if trust.classification == ABSTAINED and trust.degraded_category != "no-files" else ""


def headline_with_meaning(trust: Trust) -> str:
    """The class with its reason, or with what it means where there is no reason to give."""
    text = trust.label
    return f"{text}: {meaning(trust)}" if text == TRUSTED else text


def trust_lines(report: Report) -> Iterator[str]:
    """How far to trust a report, what is withheld, what went wrong on the way, and how a gate ended."""
    yield f"{capitalized(headline_with_meaning(report.trust))}."
    yield from trust_remarks(report.trust)
    yield from endings(report)


def trust_remarks(trust: Trust) -> Iterator[str]:
    """What would help a scan that is not trusted, and what it withholds."""
    if advice := trust_advice(trust):
        yield advice
    yield from withheld_lines(trust)


def withheld_lines(trust: Trust) -> Iterator[str]:
    """What a scan does not give, a line for each reason."""
    by_cause: dict[str, list[str]] = {}
    for what, reason in trust.withheld.items():
        by_cause.setdefault(reason, []).append(_WITHHELD.get(what, what))
    for reason, names in by_cause.items():
        yield f"Withheld: {', '.join(names)} ({reason})."


_WITHHELD = {
    "findings": "the list of findings",
    "scores": "scores",
    "actions": "advice",
    "edit_risk": "edit risk and ranks",
    "verdict": "verdicts on changes",
    "suggestions": "suggestions",
}


def endings(
    report: Report, short: Mapping[str, str] = _NO_IDS, *, quiet: bool = False, only_new: bool = False
) -> Iterator[str]:
    """What went wrong during the scan, and how a gate ended: shown even without the report.

    A gate that passed is no news when `quiet`. `only_new` is for the report of a change, whose gates look at new findings.
    """
    yield from diagnostic_lines(report)
    if report.gate is not None and (report.gate.exit or not quiet):
        yield gate_line(report.gate, short, only_new=only_new, trust=report.trust)


def diagnostic_lines(report: Report) -> Iterator[str]:
    """What went wrong during the scan."""
    for diagnostic in report.diagnostics:
        yield f"{diagnostic.kind}: {diagnostic.message} ({diagnostic.source})"


def gate_line(
    gate: Gate, short: Mapping[str, str] = _NO_IDS, *, only_new: bool = False, trust: Trust | None = None
) -> str:
    """A gate and how it ended, with the ids of findings that failed it, as `short` writes them.

    `only_new` is for a comparison, in which every gate looks at new findings alone. `trust` says why a gate is not evaluated.
    """
    because = f": {trust.main_reason}" if trust is not None and trust.main_reason else ""
    if gate.metric == "broken" and gate.outcome == "failed":
        return "Gate failed: the change breaks references"
    finding = "new finding" if only_new or gate.metric == "new" else "finding"
    limit = _limit(gate)
    none = f"no {finding}s{limit}"
    if gate.outcome == "failed":
        ids = gate.failed or gate.new
        return f"Gate failed: {count(gate.hits, finding)}{limit}{_id_list(ids, short)}"
    areas = _area_names(gate.why.removeprefix(_PROVEN))
    if gate.outcome == "passed":
        return f"Gate passed: {none}"
    if gate.outcome == "passed_with_warning":
        return f"Gate passed with a warning: {none}, but too little is known of {areas} to be sure"
    if gate.why.startswith(_PROVEN):
        return (
            f"Gate not evaluated: {none}, but too little is known of {areas} to be sure (--require-trusted)"
        )
    return f"Gate not evaluated: {_NOT_EVALUATED.get(gate.why, gate.why.replace('_', ' '))}{because}"


def _area_names(areas: str) -> str:
    return ", ".join(_AREAS.get(area, area) for area in areas.split(", "))


# What a gate rests on, in words that follow "too little is known of".
_AREAS = {"sample": "a repository this small"}


def _limit(gate: Gate) -> str:
    if gate.metric == "severity":
        return f" at {gate.threshold} or above"
    return f" with agent_risk {gate.threshold} or more" if gate.metric == "agent_risk" else ""


def _id_list(ids: Sequence[str], short: Mapping[str, str]) -> str:
    more = f" and {len(ids) - _MAX_IDS:,} more" if len(ids) > _MAX_IDS else ""
    shown = ", ".join(short.get(id_, id_) for id_ in ids[:_MAX_IDS])
    return f": {shown}{more}" if ids else ""

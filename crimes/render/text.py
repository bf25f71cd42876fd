"""Sentences and short ids that several views share. Plain strings; `lines` makes them safe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crimes.judging.scoring import profile_shown
from crimes.model.facts import Role
from crimes.model.report import Crime, HistoryCoverage, RiskEvidence
from crimes.model.wording import count

SHORTEST_ID = 7


def short_ids(crimes: Iterable[Crime]) -> Mapping[str, str]:
    """For each id its shortest prefix, of at least seven characters, that no other id shares."""
    ids = sorted({crime.id for crime in crimes})
    short = {}
    for index, own in enumerate(ids):
        neighbours = ids[max(index - 1, 0) : index] + ids[index + 1 : index + 2]
        shared = max((_shared(own, other) for other in neighbours), default=0)
        short[own] = own[: max(SHORTEST_ID, shared + 1)]
    return short


def _shared(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def by_file(findings: Iterable[Crime]) -> list[list[Crime]]:
    """Findings of one file together; files in the order of their worst finding."""
    groups: dict[str, list[Crime]] = {}
    for crime in findings:
        groups.setdefault(crime.file, []).append(crime)
    return list(groups.values())


def risk(crime: Crime) -> str:
    """agent_risk with two decimals, or that it is withheld."""
    return " n/a" if crime.scores.agent_risk is None else f"{crime.scores.agent_risk:.2f}"


def stands_out(crime: Crime) -> bool:
    """Whether the risk profile must be shown without being asked for."""
    scores = crime.scores
    return profile_shown(
        *(round(100 * part) for part in (scores.churn, scores.test_gap, scores.blast_radius))
    )


def commits_behind(evidence: RiskEvidence, history: HistoryCoverage | None) -> str:
    """The commits behind churn, or why they are not known."""
    if history is not None and history.limited and not evidence.commits_3y:
        return history.reason
    return f"{count(evidence.commits_90d, 'commit')} in 90 days"


def tests_behind(gap: float, evidence: RiskEvidence, role: Role) -> str:
    """The tests behind test_gap."""
    if role is Role.TEST:
        return "it is a test"
    if evidence.tests_importing_count:
        number = evidence.tests_importing_count
        return f"{count(number, 'test file')} {'imports' if number == 1 else 'import'} it"
    if evidence.tests_by_name:
        return f"{evidence.tests_by_name[0]} has its name, no test imports it"
    return "no test imports it or has its name" if gap else "not something to be tested"


def lines_behind(evidence: RiskEvidence) -> str:
    """What coverage data say of the file, after a semicolon; nothing where there are none."""
    run = evidence.lines_run
    if run is None or not run.total:
        return ""
    when = ", before it changed" if run.stale else ""
    return f"; coverage data: {run.covered:,} of {count(run.total, 'line')} ran{when}"


def importers_behind(evidence: RiskEvidence) -> str:
    """The importers behind blast_radius: the possible ones, and how many of them are sure."""
    if not evidence.importers_possible:
        return "nothing imports it"
    files = count(evidence.importers_possible, "file")
    reach = "reaches" if evidence.importers_possible == 1 else "reach"
    sure = ""
    if evidence.importers_sure != evidence.importers_possible:
        sure = f", {evidence.importers_sure:,} for sure"
    return f"{files} {reach} it{sure}, {evidence.importers_direct:,} directly"


def risk_profile(crime: Crime, history: HistoryCoverage | None) -> str:
    """Churn, test gap and blast radius, each number beside its raw evidence."""
    scores, evidence = crime.scores, crime.risk_evidence
    return (
        f"Risk profile: churn {scores.churn:.2f} ({commits_behind(evidence, history)}); "
        f"test gap {scores.test_gap:.2f} ({tests_behind(scores.test_gap, evidence, crime.role)}{lines_behind(evidence)}); "
        f"blast radius {scores.blast_radius:.2f} ({importers_behind(evidence)})"
    )

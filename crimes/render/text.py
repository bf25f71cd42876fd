"""Sentences and short ids that several views share. Plain strings; `lines` makes them safe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crimes.judging.scoring import should_show_profile
from crimes.model.change import ChangeItem
from crimes.model.facts import Role
from crimes.model.kind import Kind
from crimes.model.report import Crime, HistoryCoverage
from crimes.model.scores import RiskEvidence
from crimes.model.wording import count, dependents_text, direct_tests_text

MIN_ID_CHARS = 7


def short_ids(crimes: Iterable[Crime | ChangeItem]) -> Mapping[str, str]:
    """The shortest prefix of each id, at least seven characters, that no other id shares."""
    ids = sorted({crime.id for crime in crimes})
    short = {}
    for index, own in enumerate(ids):
        neighbours = ids[max(index - 1, 0) : index] + ids[index + 1 : index + 2]
        shared = max((_shared_length(own, other) for other in neighbours), default=0)
        short[own] = own[: max(MIN_ID_CHARS, shared + 1)]
    return short


def _shared_length(first: str, second: str) -> int:
    pairs = zip(first, second, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


def by_file(findings: Iterable[Crime]) -> list[list[Crime]]:
    """The findings of each file; files in the order of their worst finding."""
    groups: dict[str, list[Crime]] = {}
    for crime in findings:
        groups.setdefault(crime.file, []).append(crime)
    return list(groups.values())


def by_type(findings: Iterable[Crime]) -> list[list[Crime]]:
    """The findings of each type; types in the order of their worst finding."""
    groups: dict[str, list[Crime]] = {}
    for crime in findings:
        groups.setdefault(crime.type, []).append(crime)
    return list(groups.values())


def fact_of(crime: Crime) -> str:
    """What is there, in a sentence; a report of an older version has only the whole message."""
    return crime.fact or crime.message


PLACE_LABEL = "caution"
LOW_CONFIDENCE = "Low confidence: probably not real, or not worth acting on"


def noun_of(crime: Crime) -> str:
    """What to call it."""
    return "finding" if crime.kind is Kind.CODE else PLACE_LABEL


def kind_note(crime: Crime) -> str:
    """What a caution is for; empty for a finding about code."""
    if crime.kind is Kind.CODE:
        return ""
    return "This is a caution, not a finding: there is nothing to fix, but be careful when you edit it. It is never counted as new and never fails a gate."


def finding_row(crime: Crime, short: str, status: str = "") -> str:
    """`path:line:column: severity type message [id]`, for a pipe; a status stands before the message.

    A path that begins with `#` gets `./`, for lines that begin so are remarks.
    """
    path = f"./{crime.file}" if crime.file.startswith("#") else crime.file
    message = f"{status}: {fact_of(crime)}" if status else fact_of(crime)
    place = f"{path}:{crime.lines.start}:{crime.columns.start}"
    return f"{place}: {crime.severity} {crime.type} {message} [{short}]"


def risk(crime: Crime) -> str:
    """agent_risk with two decimals, or `n/a` when it is withheld."""
    return " n/a" if crime.scores.agent_risk is None else f"{crime.scores.agent_risk:.2f}"


def stands_out(crime: Crime) -> bool:
    """Whether the risk profile is shown even if nobody asks for it."""
    scores = crime.scores
    return should_show_profile(
        *(round(100 * part) for part in (scores.churn, scores.test_gap, scores.blast_radius))
    )


def churn_text(evidence: RiskEvidence, history: HistoryCoverage | None, *, until_head: bool = False) -> str:
    """The commits behind churn with the day they are counted back from, or why they are not known.

    `until_head` says that this is the day of the last commit: always, but with `--as-of`.
    """
    if history is not None and history.limited and not evidence.commits_3y:
        return history.reason
    day = history.reference_time[:10] if history is not None else ""
    moment = f"the last commit, {day}" if until_head else day
    period = f"the 90 days before {moment}" if day else "90 days"
    return f"{count(evidence.commits_90d, 'commit')} in {period}"


def test_gap_text(gap: float, evidence: RiskEvidence, role: Role) -> str:
    """The tests behind test_gap."""
    if role is Role.TEST:
        return "it is a test"
    if used := direct_tests_text(evidence.has_own_tests, evidence.tests_importing_count):
        return f"it {used}" if evidence.has_own_tests else used
    if evidence.tests_by_name:
        return f"only {evidence.tests_by_name[0]} matches its name"
    return "no test file imports it" if gap else "no tests expected"


def coverage_text(evidence: RiskEvidence) -> str:
    """The file's coverage data after a semicolon; empty where there are none."""
    run = evidence.lines_run
    if run is None or not run.total:
        return ""
    when = " before it last changed" if run.stale else ""
    return f"; coverage data: {run.covered:,} of {count(run.total, 'line')} ran{when}"


def importers_text(evidence: RiskEvidence) -> str:
    """The files behind blast_radius in short: all that depend on it, and those that import it."""
    return dependents_text(evidence.importers_possible, evidence.importers_direct)


def blast_radius_text(evidence: RiskEvidence) -> str:
    """The importers behind blast_radius, and what they count that another total may not: tests, and imports that may not run."""
    text = importers_text(evidence)
    if evidence.importers_possible and evidence.tests_importing_count:
        text += ", tests included"
    unsure = evidence.importers_possible - evidence.importers_sure
    if unsure <= 0:
        return text
    if not evidence.importers_sure:
        return f"{text}; all of them only through dynamic, deferred or type-only imports"
    loading = f"{evidence.importers_sure:,} of the {evidence.importers_possible:,}"
    return f"{text}; {loading} load it, the others have only dynamic, deferred or type-only imports"


def risk_profile(crime: Crime, history: HistoryCoverage | None, *, until_head: bool = False) -> str:
    """Churn, test gap and blast radius, each number beside its raw evidence."""
    scores, evidence = crime.scores, crime.risk_evidence
    tests = test_gap_text(scores.test_gap, evidence, crime.role) + coverage_text(evidence)
    return _profile(
        crime, churn_text(evidence, history, until_head=until_head), tests, importers_text(evidence)
    )


def brief_profile(crime: Crime, history: HistoryCoverage | None) -> str:
    """The risk profile in fewer words, for a list that has named the days in which commits are counted."""
    scores, evidence = crime.scores, crime.risk_evidence
    total = evidence.importers_possible
    return _profile(
        crime,
        churn_text(evidence, history).partition(" in the 90 days before ")[0],
        test_gap_text(scores.test_gap, evidence, crime.role).partition(" import")[0],
        count(total, "dependent") if total else "no dependents",
    )


def _profile(crime: Crime, churn: str, tests: str, importers: str) -> str:
    scores = crime.scores
    return (
        f"Risk profile: churn {scores.churn:.2f} ({churn}); test gap {scores.test_gap:.2f} ({tests}); "
        f"blast radius {scores.blast_radius:.2f} ({importers})"
    )

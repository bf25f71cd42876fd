"""Triage of a repository: which findings wait for a decision, a decision saved, and the decisions of the past."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from crimes.model.errors import UsageError
from crimes.model.report import Crime, Report
from crimes.system.safe_files import read_inside, read_own_file, write_own_file
from crimes.tracking.feedback import FeedbackVerdict, append_feedback, feedback_on
from crimes.tracking.identity import identity_of
from crimes.tracking.triage import (
    PATH,
    Choice,
    Decision,
    DecisionRequest,
    digest_content,
    encode_decisions,
    parse_decisions,
)

SCHEMA_VERSION = "1.0"


class PastDecision(Struct, frozen=True):
    """A decision that was made, and whether it still holds."""

    id: str  # of the finding
    fingerprint: str  # of the finding, whole
    type: str  # the detector
    file: str  # where the finding was
    symbol: str  # the qualified name; empty for a whole file
    decision: Choice  # what was decided
    owner: str  # who decided; empty when nobody is named
    reason: str  # why
    date: str  # empty when unknown
    commit: str  # the one the repository was at; empty without git
    holds: bool  # False: the file has changed since, so the finding is asked about again


class PastDecisions(Struct, frozen=True):
    """The answer of `crimes triage --list --format json`, in the order of the file."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    decisions: tuple[PastDecision, ...]  # the last one on each finding


def load_past_decisions(root: Path) -> PastDecisions:
    """The last decision on each finding."""
    return PastDecisions(
        SCHEMA_VERSION,
        tuple(
            PastDecision(
                id=decision.finding.fingerprint[:12],
                fingerprint=decision.finding.fingerprint,
                type=decision.finding.type,
                file=decision.finding.file,
                symbol=decision.finding.symbol,
                decision=decision.decision,
                owner=decision.owner,
                reason=decision.reason,
                date=decision.date,
                commit=decision.commit,
                holds=_digest_of(root, decision.finding.file) == decision.content,
            )
            for decision in saved_decisions(root)
        ),
    )


def saved_decisions(root: Path) -> tuple[Decision, ...]:
    """The last decision on each finding; UsageError when the file is damaged."""
    parsed = parse_decisions(read_own_file(root, PATH) or b"")
    if parsed.fault:
        raise UsageError(f"{PATH} is damaged; fix or delete it: {parsed.fault}")
    return parsed.decisions


def undecided(root: Path, report: Report) -> list[Crime]:
    """Findings about code without a decision since their file last changed."""
    decided = {decision.finding.fingerprint: decision.content for decision in saved_decisions(root)}
    return [
        crime
        for crime in report.code_findings
        if crime.fingerprint not in decided or _digest_of(root, crime.file) != decided[crime.fingerprint]
    ]


def decide(root: Path, report: Report, crime: Crime, request: DecisionRequest, today: str) -> None:
    """Save a decision. A false alarm is feedback to the detector, too; taking one back is feedback again."""
    content = _digest_of(root, crime.file)
    if content is None:
        raise UsageError(f"{crime.file} cannot be read, so the decision was not saved")
    reason = request.reason.strip()
    decision = Decision(
        version=1,
        finding=identity_of(crime),
        decision=request.decision,
        owner=request.owner,
        reason=reason,
        content=content,
        commit=report.history.head,
        date=today,
    )
    decisions = {saved.finding.fingerprint: saved for saved in saved_decisions(root)}
    previous = decisions.pop(crime.fingerprint, None)
    write_own_file(root, PATH, encode_decisions([*decisions.values(), decision]))
    if request.decision is Choice.FALSE_ALARM:
        append_feedback(root, feedback_on(crime, report, FeedbackVerdict.FP, reason))
    elif previous is not None and previous.decision is Choice.FALSE_ALARM:
        append_feedback(root, feedback_on(crime, report, FeedbackVerdict.TP, reason))


def _digest_of(root: Path, path: str) -> str | None:
    """The digest of a file as it is now; None when it cannot be read."""
    try:
        return digest_content(read_inside(root.resolve(), path))
    except (OSError, ValueError):
        return None

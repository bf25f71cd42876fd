"""From the report on a repository to the rows that a fleet keeps of it."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum

from crimes.model.kind import Kind
from crimes.model.report import Crime, Report
from crimes.model.severity import Severity
from crimes.tracking.identity import identity_of
from crimes.workflows.fleet.tasks import FileRow, FindingRow, RepositoryScan, TrustRow


def scan_rows(report: Report) -> RepositoryScan:
    """All that is kept of a report."""
    findings = report.code_findings
    levels = {level: sum(crime.severity is level for crime in findings) for level in Severity}
    return RepositoryScan(
        commit=report.history.head,
        commit_time=report.history.reference_time,
        tool=report.tool.version,
        language=report.trust.profile.primary_language,
        files=report.files.read,
        lines=report.files.logic_lines,
        high=levels[Severity.HIGH],
        medium=levels[Severity.MEDIUM],
        low=levels[Severity.LOW],
        risk=round(fsum(crime.scores.agent_risk or 0.0 for crime in findings), 2),
        detectors=tuple(sorted(run.id for run in report.detectors if run.status == "ran")),
        unread=tuple(sorted(file.path for file in report.files.skipped)),
        trust=_trust_row(report),
        findings=tuple(_finding_rows(report)),
        ranked=tuple(_file_rows(report)),
    )


def _finding_rows(report: Report) -> Iterator[FindingRow]:
    """Shown, hidden and ignored findings: to see what is new, one has to know what was there without being shown."""
    states = (("shown", report.findings), ("hidden", report.hidden), ("ignored", report.ignored))
    for state, crimes in states:
        for crime in crimes:
            if state == "shown" or crime.kind is Kind.CODE:
                yield _finding_row(crime, state)


def _finding_row(crime: Crime, state: str) -> FindingRow:
    identity = identity_of(crime)
    return FindingRow(
        fingerprint=crime.fingerprint,
        type=crime.type,
        category=crime.category,
        severity=str(crime.severity),
        kind=str(crime.kind),
        state=state,
        file=crime.file,
        symbol=crime.symbol,
        line=crime.lines.start,
        end_line=crime.lines.end,
        role=str(crime.role),
        confidence=crime.scores.confidence,
        agent_risk=crime.scores.agent_risk,
        fact=crime.fact,
        within=crime.within,
        code=crime.code,
        copies=identity.copies,
        members=identity.members,
    )


def _file_rows(report: Report) -> Iterator[FileRow]:
    for file in report.edit_risk.files:
        yield FileRow(
            file=file.file,
            edit_risk=file.edit_risk,
            rank=file.rank,
            band=file.band,
            lines=file.lines,
            complexity=file.complexity,
            commits_365d=file.commits_365d,
            fixes_365d=file.fixes_365d,
            churn=file.churn,
            test_gap=file.test_gap,
            blast_radius=file.blast_radius,
        )
    for size in report.edit_risk.unranked:
        yield FileRow(
            file=size.file,
            edit_risk=None,
            rank=None,
            band="",
            lines=size.lines,
            complexity=size.complexity,
            commits_365d=None,
            fixes_365d=None,
            churn=None,
            test_gap=None,
            blast_radius=None,
        )


def _trust_row(report: Report) -> TrustRow:
    trust = report.trust
    return TrustRow(
        classification=trust.classification,
        status=trust.status,
        validity=trust.validity,
        can_compare=trust.can_compare,
        composite=trust.composite,
        parse_coverage=trust.dimensions.get("parse_coverage"),
        import_resolution=trust.dimensions.get("import_resolution"),
        history_depth=trust.dimensions.get("history_depth"),
        test_discovery=trust.dimensions.get("test_discovery"),
        reasons=trust.reasons,
        withheld=tuple(sorted(trust.withheld)),
    )

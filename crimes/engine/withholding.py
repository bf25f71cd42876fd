"""What a report does not state because too little was seen: advice, scores, ranks, and in a collapse the findings themselves.

It is left out of the report and not of its views, so that no format, command or server can show it.
"""

from __future__ import annotations

from msgspec.structs import replace

from crimes.model.edit_risk import RankedFiles, UnrankedFile
from crimes.model.report import Crime, Report
from crimes.model.trust import Trust, Withheld


def without_withheld(crime: Crime, trust: Trust) -> Crime:
    """The crime as it may be shown: without the advice and the score that would mean nothing."""
    if Withheld.ACTIONS in trust.withheld:
        crime = replace(crime, fix="", message=" ".join(filter(None, (crime.fact, crime.why))))
    if Withheld.SCORES not in trust.withheld:
        return crime
    return replace(
        crime,
        scores=replace(crime.scores, agent_risk=None),
        risk_trace=f"withheld: {trust.withheld[Withheld.SCORES]}",
    )


def without_withheld_ranks(ranked: RankedFiles, trust: Trust) -> RankedFiles:
    """The ranking as it may be shown: where ranks are withheld, the size of each file and the reason."""
    reason = trust.withheld.get(Withheld.EDIT_RISK, "")
    if not reason:
        return ranked
    largest_first = sorted(ranked.files, key=lambda file: (-file.lines, file.file))
    return RankedFiles(
        history_limited=ranked.history_limited,
        withheld=reason,
        unranked=tuple(UnrankedFile(file.file, file.lines, file.complexity) for file in largest_first),
    )


def without_findings(report: Report) -> Report:
    """The report after a collapse: findings are counted by type, and nothing about them looks like a judgement."""
    if Withheld.FINDINGS not in report.trust.withheld:
        return report
    counts = replace(report.summary, high=None, medium=None, low=None)
    return replace(
        report,
        findings=(),
        hidden=(),
        ignored=(),
        summary=counts,
        edit_risk=RankedFiles(withheld=report.edit_risk.withheld),
    )

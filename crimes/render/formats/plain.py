"""The report for a pipe or a log: one line a finding, never wrapped, never cut; remarks begin with `# `."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from crimes.model.report import Crime, Report, code_only
from crimes.render.lines import Line, line
from crimes.render.summary import (
    coverage_data,
    files_read,
    gaps_in_short,
    low_confidence,
    more_findings,
    nothing_to_read,
    omitted_findings,
    riskiest_heading,
    risky_file_text,
    scan_gaps,
    scope_of,
    totals,
)
from crimes.render.text import LOW_CONFIDENCE, by_file, by_type, finding_row, risk_profile, short_ids
from crimes.render.trust_text import endings, headline_with_meaning, quiet_headline, trust_remarks
from crimes.workflows.riskiest_files import riskiest_files

_Groups = Callable[[Sequence[Crime]], list[list[Crime]]]
_GROUPS: Mapping[str, _Groups] = {"file": by_file, "type": by_type}


def lines(
    report: Report,
    *,
    top: int | None,
    always_profile: bool,
    verbose: bool,
    quiet: bool = False,
    place: str = "",
    group_by: str = "",
    until_head: bool = False,
) -> Iterator[Line]:
    """How far to trust the scan, `path:line:column: severity type message [id]`, worst first, then the summary; remarks follow `# `.

    `always_profile` puts the risk profile of a file before its first finding, `group_by` ("file", "type") orders findings.
    `quiet` leaves the findings and what nobody may miss. `until_head` says that commits are counted back from the last one.
    """
    short = short_ids((*report.findings, *report.hidden))
    findings, hidden = report.code_findings, code_only(report.hidden)
    shown = findings[:top]
    if quiet:
        yield from map(_remark, filter(None, [quiet_headline(report.trust)]))
    elif report.trust.degraded_category != "no-files":
        yield from map(_remark, (headline_with_meaning(report.trust), *trust_remarks(report.trust)))
    yield from _findings(report, shown, short, always_profile, group_by, until_head)
    if verbose and hidden:
        yield _remark(LOW_CONFIDENCE)
        yield from _findings(report, hidden, short, always_profile, group_by, until_head)
    if quiet:
        yield from map(_remark, endings(report, short, quiet=True))
    elif nothing := nothing_to_read(report):
        yield from map(_remark, (nothing, *endings(report, short)))
    else:
        yield from map(_remark, _summary(report, short, len(findings) - len(shown), verbose))
        if shown:
            yield _remark(f"Run `crimes explain {short[shown[0].id]}{place}` for details on the top finding.")


def _findings(
    report: Report,
    crimes: Sequence[Crime],
    short: Mapping[str, str],
    always_profile: bool,
    group_by: str,
    until_head: bool,
) -> Iterator[Line]:
    groups = _GROUPS[group_by](crimes) if group_by in _GROUPS else [list(crimes)]
    profiled: set[str] = set()
    for group in groups:
        for crime in group:
            if always_profile and crime.file not in profiled:
                profiled.add(crime.file)
                yield _remark(f"{crime.file}: {risk_profile(crime, report.history, until_head=until_head)}")
            yield line(finding_row(crime, short[crime.id]))


def _summary(report: Report, short: Mapping[str, str], left_out: int, verbose: bool) -> Iterator[str]:
    yield f"{report.repository}: {totals(report)}{low_confidence(report) if verbose else ''}"
    if left_out:
        yield more_findings(left_out)
    yield from omitted_findings(report, verbose)
    yield from (*scope_of(report), files_read(report), *coverage_data(report))
    if verbose:
        yield from (f"Not analysed: {text}" for text in scan_gaps(report, verbose))
    else:
        yield from gaps_in_short(report)
    files = riskiest_files(report)
    if files:
        yield f"Files most likely to need a fix. {riskiest_heading(report, files)}"
    for risky in files:
        ids = " ".join(short[fact.id] for fact in risky.facts)
        yield f"{risky.ranked.rank}. {risky.ranked.file}: {risky_file_text(risky)}{f' [{ids}]' if ids else ''}"
    yield from endings(report, short)


def _remark(text: str) -> Line:
    return line(f"# {text}")

"""The report for a pipe or a log: one line a finding, never wrapped, never cut."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Report
from crimes.model.wording import count
from crimes.render.lines import Line, line
from crimes.render.summary import coverage_data, files_read, omitted_findings, scan_gaps, totals
from crimes.render.text import by_file, risk, risk_profile, short_ids, stands_out
from crimes.render.trust_text import endings, trust_lines


def lines(
    report: Report, *, top: int | None, always_profile: bool, verbose: bool, quiet: bool = False
) -> Iterator[Line]:
    """`path:line: severity type risk [id] message`, by file, the worst file first; then, unless `quiet`, the summary."""
    short = short_ids((*report.findings, *report.hidden))
    shown = report.findings[:top]
    for crimes, doubt in ((shown, False), (report.hidden if verbose else (), True)):
        for group in by_file(crimes):
            if always_profile or stands_out(group[0]):
                yield line(f"{group[0].file}: {risk_profile(group[0], report.history)}")
            for crime in group:
                confidence = f"(low confidence {crime.scores.confidence:.2f}) " if doubt else ""
                yield line(
                    f"{crime.file}:{crime.lines.start}: {crime.severity} {crime.type} "
                    f"{risk(crime).strip()} [{short[crime.id]}] {confidence}{crime.message}"
                )
    if quiet:
        yield from map(line, endings(report))
        return
    if len(report.findings) > len(shown):
        yield line(f"{count(len(report.findings) - len(shown), 'finding')} more, --all shows them.")
    yield line(" ".join((totals(report), *omitted_findings(report, verbose))))
    yield from map(line, (files_read(report), *coverage_data(report), *trust_lines(report)))
    for text in scan_gaps(report, verbose):
        yield line(f"Not covered: {text}")

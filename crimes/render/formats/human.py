"""The report for a person at a terminal: grouped by file, the worst file first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crimes.model.report import Crime, Report
from crimes.model.wording import count
from crimes.render.lines import Line, Link, Span, bullet, heading, line, no_link
from crimes.render.summary import coverage_data, files_read, omitted_findings, scan_gaps, totals
from crimes.render.text import by_file, risk, risk_profile, short_ids, stands_out
from crimes.render.trust_text import endings, trust_lines

_MESSAGE_INDENT = 10


def lines(
    report: Report,
    *,
    top: int | None,
    always_profile: bool,
    verbose: bool,
    quiet: bool = False,
    place: str = "",
    link: Link = no_link,
) -> Iterator[Line]:
    """The whole report. `top` limits the findings shown, never those counted; `quiet` leaves out the summary.

    `place` holds the arguments that `crimes explain` needs besides an id to find this scan; `link` makes URLs of lines.
    """
    short = short_ids((*report.findings, *report.hidden))
    shown = report.findings[:top]
    for group in by_file(shown):
        yield from _file(group, report, short, always_profile, link)
    if len(report.findings) > len(shown) and not quiet:
        yield line(f"{count(len(report.findings) - len(shown), 'finding')} more, --all shows them.")
        yield line()
    if verbose and report.hidden:
        yield line(Span("Low confidence: each of these is more likely wrong than right", "heading"))
        yield line()
        for group in by_file(report.hidden):
            yield from _file(group, report, short, always_profile, link)
    if quiet:
        yield from map(line, endings(report))
        return
    yield line(Span(totals(report), "heading"))
    yield from map(line, (*omitted_findings(report, verbose), files_read(report), *coverage_data(report)))
    yield from map(line, trust_lines(report))
    gaps = list(scan_gaps(report, verbose))
    if gaps:
        yield from heading("Not covered")
        for text in gaps:
            yield bullet(text)
    if shown:
        yield line()
        yield line(
            f"`crimes explain {short[shown[0].id]}{place}` tells more about the first one.", fixed=True
        )


def _file(
    group: list[Crime], report: Report, short: Mapping[str, str], always_profile: bool, link: Link
) -> Iterator[Line]:
    """One file: its name, its risk profile when it stands out, its findings."""
    first = group[0]
    yield line(Span(first.file, "path", link(first.file, first.lines.start)), fixed=True)
    if always_profile or stands_out(first):
        yield line(Span(risk_profile(first, report.history), "dim"), indent=2)
    line_width = max(len(str(crime.lines.start)) for crime in group)
    type_width = max(len(crime.type) for crime in group)
    for crime in group:
        yield line(
            Span(f"{crime.severity:6}", crime.severity),
            f"  {risk(crime)}  ",
            Span(f"line {crime.lines.start}", link=link(crime.file, crime.lines.start)),
            " " * (line_width - len(str(crime.lines.start))),
            f"  {crime.type:<{type_width}}  ",
            Span(short[crime.id], "dim"),
            f"  {crime.symbol}" if crime.symbol else "",
            indent=2,
            fixed=True,
        )
        yield line(crime.message, indent=_MESSAGE_INDENT)
    yield line()

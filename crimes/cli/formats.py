"""The formats of a report, and writing one report in several of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from crimes.cli.output import notice, show, terminal_style, write
from crimes.model.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from crimes.model.report import Report
    from crimes.render.checkout import Checkout

_SHOWN = 20  # findings on a terminal, unless asked for more
_PER_TEN = 3  # findings for ten source files in a pipe or a log, and never fewer than on a terminal


class ReportFormat(StrEnum):
    """Every format a report can be written in."""

    HUMAN = "human"
    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    CHECKSTYLE = "checkstyle"
    RDJSON = "rdjson"
    MARKDOWN = "markdown"


def also(format: str) -> Any:
    """The option `--<format>-output FILE`."""
    return typer.Option(f"--{format}-output", metavar="FILE", help=f"Write it as {format} too, to this file.")


@dataclass(frozen=True)
class DisplayOptions:
    """How people want to see a report; all but `top` is about the human format."""

    top: int | None = None
    all: bool = False
    verbose: bool = False
    quiet: bool = False
    color: bool | None = None
    place: str = ""  # what `crimes explain` needs besides an id to find the scan from here
    root: Path | None = None  # where the files are, for links


def asked_besides(**given: Path | None) -> dict[ReportFormat, Path]:
    """The files that were asked for besides the report that is printed. Two reports on stdout would be none."""
    files = {ReportFormat(name): file for name, file in given.items() if file is not None}
    for format, file in files.items():
        if file == Path("-"):
            raise UsageError(f"--{format}-output needs a file; `--format {format}` prints to stdout")
    return files


def deliver(
    report: Report,
    format: ReportFormat,
    output: Path | None,
    files: Mapping[ReportFormat, Path],
    shown: DisplayOptions,
    checkout: Callable[[], Checkout],
) -> None:
    """Print the report, or write it to `output`, and write the files that were asked for besides."""
    from crimes.model.wording import count
    from crimes.render.trust_text import endings

    if output == Path("-"):
        output = None
    if format is ReportFormat.HUMAN:
        _people(report, shown, output)
    else:
        write(rendered(report, format, shown.top, checkout), output)
    write_besides(report, files, shown.top, checkout, format)
    written = [file for file in (output, *files.values()) if file is not None]
    if written and not shown.quiet:
        notice(f"{count(report.summary.findings, 'finding')}, written to {', '.join(map(str, written))}")
    if format is not ReportFormat.HUMAN or output is not None:
        for text in endings(report):
            notice(text)


def write_besides(
    report: Report,
    files: Mapping[ReportFormat, Path],
    top: int | None,
    checkout: Callable[[], Checkout],
    printed: ReportFormat = ReportFormat.HUMAN,
) -> None:
    """Write the files that were asked for, and what a format brings with it, also that of the printed one."""
    for other, file in files.items():
        write(rendered(report, other, top, checkout), file)
    formats = {printed, *files}
    if ReportFormat.GITHUB in formats:
        _summarise(report)
    if ReportFormat.SARIF in formats:
        _tell_cut(report)


def rendered(
    report: Report, format: ReportFormat, top: int | None, checkout: Callable[[], Checkout]
) -> bytes:
    """The report in a format for machines; `top` shortens the list of findings, and nothing else."""
    from importlib import import_module

    import msgspec

    if top is not None:
        report = msgspec.structs.replace(report, findings=report.findings[:top])
    view: Any = import_module(f"crimes.render.{format}")  # this one alone: some bring half a library
    match format:
        case ReportFormat.JSON:
            made = view.render(report, top=None)
        case ReportFormat.JSONL | ReportFormat.MARKDOWN:
            made = view.render(report)
        case ReportFormat.SARIF:
            from crimes.detection.registry import catalogue

            made = view.render(report, catalogue(), checkout())
        case _:
            made = view.render(report, checkout())
    return bytes(made)


def _people(report: Report, shown: DisplayOptions, output: Path | None) -> None:
    from crimes.cli.links import links_into
    from crimes.render import human, plain
    from crimes.render.lines import no_link

    how = terminal_style(shown.color, output)
    options = {"always_profile": shown.all, "verbose": shown.verbose, "quiet": shown.quiet}
    limit = shown.top if shown.all or shown.top is not None else readable(report, how.terminal)
    if how.terminal:
        link = links_into(shown.root) if how.links and shown.root else no_link
        lines = human.lines(report, top=limit, place=shown.place, link=link, **options)
    else:
        if shown.quiet:  # no line would say that there are more
            limit = shown.top
        lines = plain.lines(report, top=limit, **options)
    show(lines, how, output)


def readable(report: Report, terminal: bool) -> int:
    """How many findings make a list that a person reads; machines have formats that hold them all."""
    return _SHOWN if terminal else max(_SHOWN, _PER_TEN * report.files.by_role.get("source", 0) // 10)


def _summarise(report: Report) -> None:
    """Add a page to the summary of the GitHub job we are in."""
    from crimes.render.github import summary

    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if not place:
        return
    try:
        with open(place, "ab") as file:
            file.write(summary(report))
    except OSError as error:
        raise EnvironmentFault(f"cannot write the job summary: {error.strerror}") from error


def _tell_cut(report: Report) -> None:
    from crimes.render.sarif import MOST_RESULTS, left_out

    if left_out(report):
        notice(
            f"the SARIF holds the {MOST_RESULTS:,} worst findings, as many as GitHub keeps; {left_out(report):,} are left out"
        )

"""Printing one report, and writing it in several formats."""

from __future__ import annotations

import math
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.output import notice, show, terminal_style, write
from crimes.model.errors import EnvironmentFault
from crimes.render.formats import BY_NAME, HUMAN, job_summary, no_change, no_map, render, view_of

if TYPE_CHECKING:
    from crimes.cli.output import TerminalStyle
    from crimes.model.report import Crime, Gate, Report
    from crimes.render.checkout import Checkout
    from crimes.render.lines import Line
    from crimes.workflows.change_summary import ChangeSummary
    from crimes.workflows.repository_map import RepositoryMap

COMPARED = (HUMAN, "json")  # these show a comparison, the other formats what is new in it
_MIN_FINDINGS_SHOWN = 20  # on a terminal, unless asked for more
_FINDINGS_PER_TEN_FILES = 3  # in a pipe or a log, and never fewer than on a terminal


@dataclass(frozen=True)
class DisplayOptions:
    """How people want to see a report; all but `top` is about the human format."""

    top: int | None = None
    all: bool = False
    verbose: bool = False
    quiet: bool = False
    color: bool | None = None
    place: str = ""  # what `crimes explain` needs besides an id to find the scan from here
    root: Path | None = None  # where the files are, for links and code
    group_by: str = ""  # file, type; empty for the order of the report
    until_head: bool = False  # whether commits are counted back from the last one
    scanned_at: float = math.inf  # when the report was made, if not just now; later code is not shown


def to_file(output: Path | None) -> Path | None:
    """The file that was asked for; `-` is stdout."""
    return None if output == Path("-") else output


def deliver(
    report: Report,
    format: str,
    output: Path | None,
    also: Mapping[str, Path],
    display: DisplayOptions,
    checkout: Callable[[], Checkout],
    change: Callable[[], ChangeSummary | None] = no_change,
    repository_map: Callable[[], RepositoryMap | None] = no_map,
    *,
    only_new: bool = False,
) -> None:
    """Print the report, or write it to `output`, and write the files in other formats.

    `only_new` says that the report holds the new findings of a change, so its gate looked at no others.
    """
    from crimes.model.wording import count
    from crimes.render.trust_text import endings

    output = to_file(output)
    if format == HUMAN:
        _show_human(report, display, output, checkout)
    else:
        write(render(_truncated(report, display.top), format, checkout, change, repository_map), output)
    deliver_also(report, also, display.top, checkout, format, change, repository_map)
    written = [file for file in (output, *also.values()) if file is not None]
    if written and not display.quiet:
        notice(f"{count(report.summary.findings, 'finding')}, written to {', '.join(map(str, written))}")
    if format != HUMAN or output is not None:
        for text in endings(report, quiet=display.quiet, only_new=only_new):
            notice(text)


def deliver_also(
    report: Report,
    also: Mapping[str, Path],
    top: int | None,
    checkout: Callable[[], Checkout],
    printed: str = HUMAN,
    change: Callable[[], ChangeSummary | None] = no_change,
    repository_map: Callable[[], RepositoryMap | None] = no_map,
) -> None:
    """Write the files in other formats, with the job summary and notices of every format in use."""
    for name, file in also.items():
        write(render(_truncated(report, top), name, checkout, change, repository_map), file)
    notices: dict[str, None] = {}  # each once: several formats have no place for the label of trust
    for name in dict.fromkeys((*also, printed)):
        if name == HUMAN:
            continue
        if variable := BY_NAME[name].job_summary:
            _add_to_job_summary(os.environ.get(variable), job_summary(report, name, checkout, change))
        if BY_NAME[name].notices:
            notices |= dict.fromkeys(view_of(name).notices(report))
    for text in notices:
        notice(text)


def deliver_new(
    now: Report,
    new: tuple[Crime, ...],
    gate: Gate | None,
    format: str,
    output: Path | None,
    also: Mapping[str, Path],
    checkout: Callable[[], Checkout],
    *,
    change: Callable[[], ChangeSummary | None] = no_change,
    quiet: bool = False,
    remarks: Iterable[str] = (),
) -> None:
    """Print or write the new findings of a report, for machines; `remarks` are what else a page should say."""
    import msgspec

    from crimes.engine.report_builder import summary_of

    only_new = msgspec.structs.replace(
        now,
        findings=new,
        hidden=(),
        summary=now.summary if now.trust.is_collapsed else summary_of(new, (), 0),
        gate=gate,
        warnings=(*now.warnings, *remarks),
    )
    if format in COMPARED:
        deliver_also(only_new, also, None, checkout, change=change)
    else:
        deliver(only_new, format, output, also, DisplayOptions(quiet=quiet), checkout, change, only_new=True)


def deliver_comparison(
    comparison: object,
    lines: Callable[[TerminalStyle], Iterable[Line]],
    format: str,
    output: Path | None,
    also: Mapping[str, Path],
    color: bool | None = None,
) -> dict[str, Path]:
    """Print and write a comparison in the formats that show one. Returns the files of other formats."""
    from crimes.model.codec import encode

    left = dict(also)
    if (file := left.pop("json", None)) is not None:
        write(encode(comparison), file)
    if format == "json":
        write(encode(comparison), output)
    elif format == HUMAN:
        style = terminal_style(color, output)
        show(lines(style), style, output)
    return left


def readable_count(report: Report, terminal: bool) -> int:
    """How many findings a person reads; machines have formats that hold them all."""
    if terminal:
        return _MIN_FINDINGS_SHOWN
    return max(_MIN_FINDINGS_SHOWN, _FINDINGS_PER_TEN_FILES * report.files.by_role.get("source", 0) // 10)


def _truncated(report: Report, top: int | None) -> Report:
    """The report with the worst findings about code only; nothing else of it is shorter."""
    import msgspec

    if top is None:
        return report
    shown = {crime.fingerprint for crime in (*report.code_findings[:top], *report.place_facts)}
    kept = tuple(crime for crime in report.findings if crime.fingerprint in shown)
    return msgspec.structs.replace(report, findings=kept)


def _show_human(
    report: Report, display: DisplayOptions, output: Path | None, checkout: Callable[[], Checkout]
) -> None:
    from crimes.render.formats import human, plain
    from crimes.render.lines import no_link
    from crimes.render.links import links_into

    style = terminal_style(display.color, output)
    limit = display.top if display.all or display.top is not None else readable_count(report, style.terminal)
    if not style.terminal:
        lines = plain.lines(
            report,
            top=display.top if display.quiet else limit,  # when quiet, no line would say that there are more
            always_profile=display.all,
            verbose=display.verbose,
            quiet=display.quiet,
            place=display.place,
            group_by=display.group_by,
            until_head=display.until_head,
        )
        show(lines, style, output)
        return
    from crimes.detection.registry import catalogue

    lines = human.lines(
        report,
        top=limit,
        always_profile=display.all,
        verbose=display.verbose,
        quiet=display.quiet,
        place=display.place,
        link=links_into(display.root) if style.links and display.root else no_link,
        group_by=display.group_by,
        until_head=display.until_head,
        pictures=style.pictures,
        columns=shutil.get_terminal_size().columns,
        fail_mark=_fail_mark(output),
        source=_source_reader(display, checkout),
        advice={id_: (detector.why, detector.fix) for id_, detector in catalogue().items()},
    )
    show(lines, style, output)


def _fail_mark(output: Path | None) -> str:
    """A cross, or a word where the encoding of the output has none."""
    encoding = "utf-8" if output or sys.stdout is None else sys.stdout.encoding
    try:
        "✗".encode(encoding)
    except UnicodeEncodeError:
        return "FAIL"
    return "✗"


def _source_reader(
    display: DisplayOptions, checkout: Callable[[], Checkout]
) -> Callable[[str], Sequence[str]]:
    """Reads the lines of a file; none if they are not those that were scanned, as far as can be told."""
    from functools import cache

    from crimes.workflows.source_lines import read_source

    files = cache(checkout)

    def read(path: str) -> Sequence[str]:
        if display.root is None or files().read(path) is None:
            return ()
        source = read_source(display.root, path, display.scanned_at)
        return () if source.note else source.lines

    return read


def _add_to_job_summary(file: str | None, page: bytes) -> None:
    """Add a page to the summary of the job we are in, if we are in one."""
    if not file:
        return
    try:
        with open(file, "ab") as summary:
            summary.write(page)
    except OSError as error:
        raise EnvironmentFault(f"cannot write the job summary: {error.strerror}") from error

"""`crimes trend`: how findings went over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import RUN, SHOW, FormatOption, RootOption
from crimes.cli.output import notice, print_result, root_option, terminal_style
from crimes.cli.parsers import whole_number
from crimes.model.errors import EnvironmentFault, UsageError
from crimes.system.roots import resolve_root

if TYPE_CHECKING:
    from crimes.model.report import Report


def trend(
    reports: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[REPORT.json]...",
            help="JSON reports to compare; without any, the recorded scans of the repository.",
            show_default=False,
        ),
    ] = None,
    last: Annotated[
        int,
        typer.Option(
            "--last",
            metavar="N",
            parser=whole_number(1),
            help="Show the last N scans; JSON has all of them.",
            rich_help_panel=SHOW,
        ),
    ] = 20,
    depth: Annotated[
        int,
        typer.Option(
            "--depth",
            metavar="N",
            parser=whole_number(1),
            help="Group folders by the first N parts of their path.",
            rich_help_panel=SHOW,
        ),
    ] = 2,
    months: Annotated[
        int | None,
        typer.Option(
            "--backfill",
            metavar="N",
            parser=whole_number(1),
            help="First scan one commit a month of the last N months and record each; what is recorded is not scanned again.",
            rich_help_panel=RUN,
        ),
    ] = None,
    format: FormatOption = "human",
    root: RootOption = None,
) -> None:
    """Show how findings changed from scan to scan, by detector and by folder."""
    from crimes.render.trend import lines
    from crimes.workflows.find_finding import read_report
    from crimes.workflows.trend import build_trend, load_points, point_of

    place = ""
    if reports:
        _refuse_with_reports(months)
        read = [read_report(file) for file in reports]
        result = build_trend(map(point_of, read), read[-1].repository, depth)
    else:
        top = resolve_root(root)
        if months is not None:
            _backfill(top, months)
        result, place = build_trend(load_points(top), top.name, depth), root_option(top)
    style = terminal_style()
    text = lines(result, last=last, terminal=style.terminal, pictures=style.pictures, place=place)
    print_result(format, result, text)


def _refuse_with_reports(months: int | None) -> None:
    """Saved reports are compared as they are."""
    if months is not None:
        raise UsageError("--backfill scans the repository; it cannot be combined with saved reports")


def _backfill(root: Path, months: int) -> None:
    from crimes.cli.output import session_for
    from crimes.model.wording import count
    from crimes.workflows.backfill import backfill

    try:
        done = backfill(session_for(root), months)
    except KeyboardInterrupt:
        notice("Interrupted. The commits scanned so far are recorded: run the same command again to go on.")
        raise
    known = f", {done.known:,} recorded before" if done.known else ""
    notice(f"{count(done.scanned, 'commit')} scanned and recorded{known}, back to {done.begins}")
    for commit in done.left_out:
        notice(f"{commit[:12]} was not recorded: too little of it could be read")


def record_scan(root: Path, report: Report) -> None:
    """Keep a scan for later; a fault in that fails no command."""
    from crimes.workflows.trend import save_point

    try:
        save_point(root, report)
    except EnvironmentFault as fault:
        notice(str(fault))

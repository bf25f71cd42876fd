"""`crimes trend`: how findings went over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import SHOW, FormatOption, RootOption
from crimes.cli.output import notice, print_result, terminal_style
from crimes.cli.parsers import whole_number
from crimes.model.errors import EnvironmentFault
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
    format: FormatOption = "human",
    root: RootOption = None,
) -> None:
    """Show how findings changed from scan to scan, by detector and by folder."""
    from crimes.render.trend import lines
    from crimes.workflows.find_finding import read_report
    from crimes.workflows.trend import build_trend, load_points, point_of

    if reports:
        read = [read_report(file) for file in reports]
        result = build_trend(map(point_of, read), read[-1].repository, depth)
    else:
        top = resolve_root(root)
        result = build_trend(load_points(top), top.name, depth)
    terminal = terminal_style().terminal
    print_result(format, result, lines(result, last=last, terminal=terminal))


def record_scan(root: Path, report: Report) -> None:
    """Keep a scan for later; a fault in that fails no command."""
    from crimes.workflows.trend import save_point

    try:
        save_point(root, report)
    except EnvironmentFault as fault:
        notice(str(fault))

"""`crimes trend`: how findings went over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import Format, FormatOption, PathOption
from crimes.cli.output import notice, print_result, terminal_style
from crimes.model.errors import EnvironmentFault
from crimes.system.roots import resolve_root

if TYPE_CHECKING:
    from crimes.model.report import Report


def trend(
    reports: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[REPORT.json]...",
            help="Reports to go by; without any, the scans kept of the repository.",
            show_default=False,
        ),
    ] = None,
    path: PathOption = None,
    last: Annotated[
        int, typer.Option("--last", min=1, metavar="N", help="Scans to show; JSON has all.")
    ] = 20,
    depth: Annotated[
        int, typer.Option("--depth", min=1, metavar="N", help="Parts of a folder's name to tell apart.")
    ] = 2,
    format: FormatOption = Format.HUMAN,
) -> None:
    """Tell how findings went from scan to scan, by detector and by folder."""
    from crimes.render.trend import lines
    from crimes.workflows.find_finding import read_report
    from crimes.workflows.trend import build_trend, load_points, point_of

    if reports:
        read = [read_report(file) for file in reports]
        result = build_trend(map(point_of, read), read[-1].repository, depth)
    else:
        root = resolve_root(path)
        result = build_trend(load_points(root), root.name, depth)
    terminal = terminal_style().terminal
    print_result(format, result, lines(result, last=last, terminal=terminal))


def record_scan(root: Path, report: Report) -> None:
    """Keep a scan for later; a fault in that fails no command."""
    from crimes.workflows.trend import save_point

    try:
        save_point(root, report)
    except EnvironmentFault as fault:
        notice(str(fault))

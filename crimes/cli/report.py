"""`crimes report`: a report that was kept as JSON, in another format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.choosing import selection_of
from crimes.cli.delivery import DisplayOptions, deliver
from crimes.cli.options import (
    NO_FILES,
    AllOption,
    ColorOption,
    ExcludeOption,
    GroupByOption,
    IgnoreOption,
    QuietOption,
    ReportFormatOption,
    ReportOutputOption,
    ReportSelectOption,
    RootOption,
    SeverityOption,
    SortOption,
    TopOption,
    VerboseOption,
    with_format_options,
)
from crimes.render.formats import BY_NAME, HUMAN
from crimes.system.roots import resolve_root
from crimes.workflows.find_finding import read_report


@with_format_options(*BY_NAME)
def report(
    file: Annotated[
        Path,
        typer.Argument(metavar="REPORT.json", help="A report of `crimes scan --format json`; - is stdin."),
    ],
    select: ReportSelectOption = None,
    ignore: IgnoreOption = None,
    severity: SeverityOption = None,
    exclude: ExcludeOption = None,
    format: ReportFormatOption = HUMAN,
    sort: SortOption = "risk",
    group_by: GroupByOption = None,
    output: ReportOutputOption = None,
    also: Mapping[str, Path] = NO_FILES,
    all: AllOption = False,
    top: TopOption = None,
    color: ColorOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    root: RootOption = None,
) -> None:
    """Show or convert a saved JSON report; nothing is scanned."""
    import msgspec

    from crimes.cli.checkout import checkout_behind
    from crimes.engine.report_builder import report_order
    from crimes.workflows.selection import in_order

    stored = read_report(file)
    types = {crime.type for crime in (*stored.findings, *stored.hidden, *stored.ignored)}
    selection = selection_of(select, ignore, severity, exclude, types=types)
    # What hosts limit is cut off at the end, and somebody may have put several reports together.
    stored = msgspec.structs.replace(
        stored, findings=tuple(sorted(stored.findings, key=report_order(stored.edit_risk)))
    )
    stored = in_order(selection.apply_to(stored), sort)
    top_folder = resolve_root(root)
    display = DisplayOptions(
        top=top,
        all=all,
        verbose=verbose,
        quiet=quiet,
        color=color,
        group_by=group_by or "",
        place=f" --from {file}",
        root=top_folder,
        scanned_at=file.stat().st_mtime if file.is_file() else 0,
    )
    deliver(stored, format, output, also, display, lambda: checkout_behind(stored, top_folder))

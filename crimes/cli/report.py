"""`crimes report`: a report that was kept as JSON, in another format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.delivery import DisplayOptions, deliver
from crimes.cli.options import (
    NO_FILES,
    AllOption,
    ColorOption,
    ReportFormatOption,
    ReportOutputOption,
    TopOption,
    VerboseOption,
    with_format_options,
)
from crimes.render.formats import BY_NAME, HUMAN
from crimes.system.roots import resolve_root
from crimes.workflows.find_finding import read_report


@with_format_options(*BY_NAME)
def report(
    file: Annotated[Path, typer.Argument(help="A report of `crimes scan --format json`; - is stdin.")],
    format: ReportFormatOption = HUMAN,
    output: ReportOutputOption = None,
    also: Mapping[str, Path] = NO_FILES,
    path: Annotated[
        Path | None,
        typer.Option(
            "--path", metavar="DIR", help="The repository it is about; without it, the one around here."
        ),
    ] = None,
    all: AllOption = False,
    top: TopOption = None,
    color: ColorOption = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Findings only: no summary, no notices.")
    ] = False,
    verbose: VerboseOption = False,
) -> None:
    """Convert a kept report into another format; nothing is scanned, and no gate is asked."""
    import msgspec

    from crimes.cli.checkout import checkout_behind
    from crimes.engine.report_builder import report_order

    stored = read_report(file)
    # What hosts limit is cut off at the end, and somebody may have put several reports together.
    stored = msgspec.structs.replace(stored, findings=tuple(sorted(stored.findings, key=report_order)))
    root = resolve_root(path)
    display = DisplayOptions(
        top=top,
        all=all,
        verbose=verbose,
        quiet=quiet,
        color=color,
        place=f" --from {file}",
        root=root,
        scanned_at=file.stat().st_mtime if file.is_file() else 0,
    )
    deliver(stored, format, output, also, display, lambda: checkout_behind(stored, root))

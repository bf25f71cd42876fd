"""`crimes trend`: how findings went over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.diff import PathOption
from crimes.cli.output import Format, notice, show, terminal_style, write
from crimes.cli.root import chosen_root
from crimes.model.errors import EnvironmentFault, UsageError

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
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print it.")] = Format.HUMAN,
) -> None:
    """Tell how findings went from scan to scan, by detector and by folder."""
    from crimes.workflows.trend import kept, point_of
    from crimes.workflows.trend import trend as made_of

    if reports:
        read = [_read(file) for file in reports]
        made = made_of([point_of(report) for report in read], read[-1].repository, depth)
    else:
        root = chosen_root(path)
        made = made_of(kept(root), root.name, depth)
    if format is Format.JSON:
        from crimes.model.codec import encode

        write(encode(made))
    else:
        from crimes.render.trend import lines

        how = terminal_style(None, None)
        show(lines(made, last=last, terminal=how.terminal), how)


def remember(root: Path, report: Report) -> None:
    """Keep a scan for later; that it cannot be kept fails no command."""
    from crimes.workflows.trend import keep

    try:
        keep(root, report)
    except EnvironmentFault as fault:
        notice(str(fault))


def _read(file: Path) -> Report:
    from crimes.model.codec import decode

    try:
        return decode(file.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"cannot use {file}: {error}") from error

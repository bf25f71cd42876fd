"""`crimes trust`: how far a scan of a repository can be trusted, without running a detector."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.output import Format, show, terminal_style, write
from crimes.cli.root import chosen_root


def trust(
    path: Annotated[
        Path | None,
        typer.Argument(help="The repository; without it, the one around here.", show_default=False),
    ] = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print it.")] = Format.HUMAN,
    cache: Annotated[
        bool,
        typer.Option(
            "--cache/--no-cache", help="Use what earlier scans found out, and keep what this one does."
        ),
    ] = True,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
) -> None:
    """Tell what a scan could see here, and how far to trust it."""
    from crimes.cli import scanning
    from crimes.render.trust import lines, render

    root = chosen_root(path)
    found = scanning.trust(root, scanning.ScanOptions(cache))
    if format is Format.JSON:
        write(render(root.name, found))
    else:
        show(lines(root.name, found), terminal_style(color, None))

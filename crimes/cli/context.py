"""`crimes context`: the briefing before an edit."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.output import look, show, write
from crimes.cli.root import chosen_file


class ContextFormat(StrEnum):
    """The formats of a briefing."""

    HUMAN = "human"
    JSON = "json"
    MD = "md"


def context(
    file: Annotated[Path, typer.Argument(help="The file that is about to be edited.")],
    format: Annotated[
        ContextFormat, typer.Option("--format", "-f", help="How to print it; md is at most 6 KB.")
    ] = ContextFormat.HUMAN,
    coverage: Annotated[
        list[Path] | None,
        typer.Option(
            "--coverage",
            metavar="FILE",
            help="Coverage data to use instead of those at usual places; may be repeated.",
            show_default=False,
        ),
    ] = None,
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
    """Tell what to know before editing a file."""
    from crimes.cli import scanning
    from crimes.report_json import encode
    from crimes.views import context as view

    root, path = chosen_file(file)
    briefing = scanning.briefing(root, path, coverage, scanning.Means(cache))
    if format is ContextFormat.JSON:
        write(encode(briefing))
    elif format is ContextFormat.MD:
        write(view.markdown(briefing).encode())
    else:
        show(view.lines(briefing), look(color, None))

"""`crimes detectors`: the catalogue."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import Format
from crimes.cli.output import show, terminal_style, write


def detectors(
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print the list.")] = Format.HUMAN,
) -> None:
    """List the detectors: what crimes looks for."""
    from crimes.detection.registry import catalogue
    from crimes.render.catalogue import lines, render

    if format is Format.JSON:
        write(render(catalogue()))
    else:
        show(lines(catalogue()), terminal_style())

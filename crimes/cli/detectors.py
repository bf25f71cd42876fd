"""`crimes detectors`: the catalogue."""

from __future__ import annotations

from crimes.cli.options import FormatOption
from crimes.cli.output import show, terminal_style, write


def detectors(
    format: FormatOption = "human",
) -> None:
    """List the detectors: what crimes looks for."""
    from crimes.detection.registry import catalogue
    from crimes.render.catalogue import lines, render

    if format == "json":
        write(render(catalogue()))
    else:
        show(lines(catalogue()), terminal_style())

"""`crimes context`: the briefing before an edit."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.output import show, terminal_style, write


class ContextFormat(StrEnum):
    """The formats of a briefing."""

    HUMAN = "human"
    JSON = "json"
    MD = "md"


def context(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE[:PART]...",
            help="What is about to be edited: a file, or a symbol or lines of it, as in a.py:Cart.total or a.py:10-40.",
        ),
    ],
    budget: Annotated[
        int, typer.Option("--budget", min=200, help="The most tokens to print; four bytes count as one.")
    ] = 1_500,
    format: Annotated[ContextFormat, typer.Option("--format", "-f", help="How to print it.")] = (
        ContextFormat.HUMAN
    ),
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
    from crimes.workflows.briefing.answer import in_json
    from crimes.workflows.briefing.target import narrowed, targets_of

    asked = targets_of(targets)
    whole = scanning.briefings(
        asked[0].root, [one.path for one in asked], coverage, scanning.ScanOptions(cache)
    )
    briefings = [narrowed(one, target.part) for one, target in zip(whole, asked, strict=True)]
    if format is ContextFormat.JSON:
        write(in_json(briefings))
    elif format is ContextFormat.MD:
        from crimes.render.brief import markdown

        write(markdown(briefings, budget).encode())
    else:
        from crimes.render.context import lines

        show(lines(briefings, budget), terminal_style(color, None))

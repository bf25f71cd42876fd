"""`crimes plan`: what to read, who breaks and what to test when some files are to be changed together."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.context import ContextFormat
from crimes.cli.output import show, terminal_style, write


def plan(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE[:PART]...", help="The files, or symbols or lines of them, to be changed."
        ),
    ],
    budget: Annotated[
        int, typer.Option("--budget", min=200, help="The most tokens to print; four bytes count as one.")
    ] = 1_500,
    format: Annotated[ContextFormat, typer.Option("--format", "-f", help="How to print it.")] = (
        ContextFormat.HUMAN
    ),
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
    """Tell the order of reading, who breaks and what to test for a planned change."""
    from crimes.cli import scanning
    from crimes.model.codec import encode
    from crimes.render import plan as view
    from crimes.workflows.briefing.plan import plan_of
    from crimes.workflows.briefing.target import narrowed, targets_of

    asked = targets_of(targets)
    whole = scanning.briefings(asked[0].root, [one.path for one in asked], None, scanning.ScanOptions(cache))
    made = plan_of([narrowed(one, target.part) for one, target in zip(whole, asked, strict=True)])
    if format is ContextFormat.JSON:
        write(encode(made))
    elif format is ContextFormat.MD:
        write(view.markdown(made, budget).encode())
    else:
        show(view.lines(made, budget), terminal_style(color, None))

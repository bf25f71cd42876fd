"""`crimes hook`: its help. The work is done in `crimes.hook`, before the command line is built."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import RootOption


def hook(
    threshold: Annotated[
        float,
        typer.Option("--threshold", metavar="0..1", help="Stay silent about files that matter less."),
    ] = 0.5,
    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", help="The most tokens to print.")
    ] = 600,
    block: Annotated[
        bool, typer.Option("--block", help="Refuse edits of generated and vendored files.")
    ] = False,
    root: RootOption = None,
) -> None:
    """Answer the hook of a coding agent: JSON on stdin, advice on stdout, exit code 0."""

"""`crimes hook`: its help. The work is done in `crimes.hook`, before the command line is built."""

from __future__ import annotations

from typing import Annotated

import typer


def hook(
    threshold: Annotated[
        float, typer.Option("--threshold", help="Say nothing of files worth less, from 0 to 1.")
    ] = 0.5,
    budget: Annotated[int, typer.Option("--budget", help="The most tokens to print.")] = 600,
    block: Annotated[
        bool, typer.Option("--block", help="Refuse edits of generated and vendored files.")
    ] = False,
) -> None:
    """Answer the hook of a coding agent: its JSON on stdin, advice on stdout, always exit code 0."""

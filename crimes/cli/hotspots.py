"""`crimes hotspots`: the files that an edit is most likely to go wrong in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.diff import CacheOption
from crimes.cli.output import Format, show, terminal_style, write
from crimes.cli.root import chosen_root


def hotspots(
    path: Annotated[
        Path | None,
        typer.Argument(help="The repository; without it, the one around here.", show_default=False),
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, metavar="N", help="Files in each ranking.")] = 10,
    below: Annotated[
        str, typer.Option("--below", metavar="FOLDER", help="Rank only files below this folder of it.")
    ] = "",
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print it.")] = Format.HUMAN,
    cache: CacheOption = True,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
) -> None:
    """Rank files by how often they change, how hard they are and what was found in them."""
    from crimes.cli import scanning
    from crimes.workflows.hotspots import hotspots as ranked

    found = ranked(
        scanning.run(chosen_root(path), means=scanning.ScanOptions(cache)), top=top, below=below.strip("/")
    )
    if format is Format.JSON:
        from crimes.model.codec import encode

        write(encode(found))
    else:
        from crimes.render.hotspots import lines

        how = terminal_style(color, None)
        show(lines(found, terminal=how.terminal), how)

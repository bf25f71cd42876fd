"""`crimes hotspots`: the files that an edit is most likely to go wrong in."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import CacheOption, ColorOption, Format, FormatOption, RepositoryArgument
from crimes.cli.output import print_result, session_for, terminal_style


def hotspots(
    path: RepositoryArgument = None,
    top: Annotated[int, typer.Option("--top", min=1, metavar="N", help="Files in each ranking.")] = 10,
    below: Annotated[
        str, typer.Option("--below", metavar="FOLDER", help="Rank only files below this folder of it.")
    ] = "",
    format: FormatOption = Format.HUMAN,
    cache: CacheOption = True,
    color: ColorOption = None,
) -> None:
    """Rank files by how often they change, how hard they are and what was found in them."""
    from crimes.render.hotspots import lines
    from crimes.workflows.hotspots import rank_files

    ranking = rank_files(session_for(path, cache=cache).scan(), top=top, below=below.strip("/"))
    terminal = terminal_style(color).terminal
    print_result(format, ranking, lines(ranking, terminal=terminal), color)

"""`crimes hotspots`: the files that change often and are complex."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import CacheOption, ColorOption, FormatOption, PathsArgument, RootOption
from crimes.cli.output import print_result, session_for, terminal_style
from crimes.cli.parsers import whole_number
from crimes.system.roots import resolve_scope


def hotspots(
    paths: PathsArgument = None,
    top: Annotated[
        int, typer.Option("--top", metavar="N", parser=whole_number(1), help="Show the first N files.")
    ] = 10,
    format: FormatOption = "human",
    cache: CacheOption = True,
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Rank files by how often they change and how complex they are."""
    from crimes.render.hotspots import lines
    from crimes.workflows.hotspots import rank_files

    scope = resolve_scope(paths or (), root)
    ranking = rank_files(session_for(scope.root, cache=cache).scan(), top=top, below=scope.paths)
    terminal = terminal_style(color).terminal
    print_result(format, ranking, lines(ranking, terminal=terminal), color)

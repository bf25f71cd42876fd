"""`crimes hotspots`: the files where the next fix is most likely."""

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
    per_line: Annotated[
        bool, typer.Option("--per-line", help="Rank by the probability of a fix per line of code.")
    ] = False,
    functions: Annotated[
        bool,
        typer.Option("--functions", help="Name the functions of each file that are complex or were fixed."),
    ] = False,
    format: FormatOption = "human",
    cache: CacheOption = True,
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Rank files by how likely they are to need a fix."""
    from crimes.render.hotspots import lines
    from crimes.workflows.hotspots import rank_files

    scope = resolve_scope(paths or (), root)
    session = session_for(scope.root, cache=cache)
    if functions:
        from crimes.workflows.hot_functions import rank_with_functions

        ranking = rank_with_functions(session, top=top, below=scope.paths, per_line=per_line)
    else:
        ranking = rank_files(session.report(), top=top, below=scope.paths, per_line=per_line)
    style = terminal_style(color)
    shown = lines(ranking, terminal=style.terminal, pictures=style.pictures)
    print_result(format, ranking, shown, color)

"""`crimes backtest`: edit risk as it was, checked against the fixes that followed."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import CHOOSE, CacheOption, ColorOption, FormatOption, RootOption
from crimes.cli.output import print_result, session_for, terminal_style
from crimes.cli.parsers import whole_number


def backtest(
    days: Annotated[
        int,
        typer.Option(
            "--days",
            metavar="N",
            parser=whole_number(1),
            help="Check against the fixes of N days.",
            rich_help_panel=CHOOSE,
        ),
    ] = 180,
    cuts: Annotated[
        int,
        typer.Option(
            "--cuts",
            metavar="N",
            parser=whole_number(1),
            help="Check N times: the window of each cut ends where that of the one before begins.",
            rich_help_panel=CHOOSE,
        ),
    ] = 1,
    format: FormatOption = "human",
    cache: CacheOption = True,
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Check how well edit risk would have named the files that were fixed later.

    Files are ranked as they were N days ago, and compared with the fixes since. Nothing is tuned.
    """
    from crimes.render.backtest import lines
    from crimes.workflows.backtest.run import run_backtest

    result = run_backtest(session_for(root, cache=cache), days=days, cuts=cuts)
    print_result(format, result, lines(result, terminal=terminal_style(color).terminal), color)

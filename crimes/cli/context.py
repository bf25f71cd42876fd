"""`crimes context`: the briefing before an edit."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import (
    BriefingFormat,
    BriefingFormatOption,
    BudgetOption,
    CacheOption,
    ColorOption,
    CoverageOption,
)
from crimes.cli.output import session_for, show, terminal_style, write


def context(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE[:PART]...",
            help="What is about to be edited: a file, or a symbol or lines of it, as in a.py:Cart.total or a.py:10-40.",
        ),
    ],
    budget: BudgetOption = 1_500,
    format: BriefingFormatOption = BriefingFormat.HUMAN,
    coverage: CoverageOption = None,
    cache: CacheOption = True,
    color: ColorOption = None,
) -> None:
    """Tell what to know before editing a file."""
    from crimes.model.scan_request import ScanRequest
    from crimes.workflows.briefing.encoding import to_json
    from crimes.workflows.briefing.target import narrow, parse_targets

    places = parse_targets(targets)
    session = session_for(places[0].root, cache=cache)
    whole = session.briefings([place.path for place in places], ScanRequest(coverage=tuple(coverage or ())))
    briefings = [narrow(briefing, place.part) for briefing, place in zip(whole, places, strict=True)]
    if format is BriefingFormat.JSON:
        write(to_json(briefings))
    elif format is BriefingFormat.MD:
        from crimes.render.brief import markdown

        write(markdown(briefings, budget).encode())
    else:
        from crimes.render.context import lines

        show(lines(briefings, budget), terminal_style(color))

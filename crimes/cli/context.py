"""`crimes context`: the briefing before an edit."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import (
    BriefingFormatOption,
    BudgetOption,
    CacheOption,
    ColorOption,
    CoverageOption,
    RootOption,
)
from crimes.cli.output import root_option, session_for, show, terminal_style, write


def context(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE[:PART]...",
            help="What you are going to edit: a file, or a symbol or lines in it, as in a.py:Cart.total or a.py:10-40.",
        ),
    ],
    budget: BudgetOption = 1_500,
    format: BriefingFormatOption = "human",
    coverage: CoverageOption = None,
    cache: CacheOption = True,
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Show what to know before editing a file."""
    from crimes.model.scan_request import ScanRequest
    from crimes.workflows.briefing.calls import with_signatures, with_uses
    from crimes.workflows.briefing.encoding import to_json
    from crimes.workflows.briefing.target import narrow, parse_targets

    places = parse_targets(targets, root)
    request = ScanRequest(coverage=tuple(coverage or ()))
    session = session_for(places[0].root, request=request, cache=cache)
    whole = session.briefings([place.path for place in places])
    parts = [narrow(briefing, place.part, place.root) for briefing, place in zip(whole, places, strict=True)]
    briefings = [with_signatures(with_uses(part, session), session.root) for part in parts]
    if format == "json":
        write(to_json(briefings))
    elif format == "md":
        from crimes.render.brief import markdown

        write(markdown(briefings, budget, root_option(session.root)).encode())
    else:
        from crimes.render.context import lines

        style = terminal_style(color)
        place = root_option(session.root)
        show(lines(briefings, budget, pictures=style.pictures, place=place), style)

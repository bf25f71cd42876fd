"""`crimes plan`: what to read, what uses it and what to test when several files are to be changed."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import BriefingFormatOption, BudgetOption, CacheOption, ColorOption, RootOption
from crimes.cli.output import print_result, root_option, session_for


def plan(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE[:PART]...", help="What you are going to change: files, or symbols or lines in them."
        ),
    ],
    budget: BudgetOption = 1_500,
    format: BriefingFormatOption = "human",
    cache: CacheOption = True,
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Plan a change: what to read, what uses it, what to test."""
    from crimes.render.plan import fit_plan
    from crimes.workflows.briefing.plan import build_plan
    from crimes.workflows.briefing.target import narrow, parse_targets

    places = parse_targets(targets, root)
    session = session_for(places[0].root, cache=cache)
    whole = session.briefings([place.path for place in places])
    result = build_plan(
        [narrow(briefing, place.part, place.root) for briefing, place in zip(whole, places, strict=True)],
        session.test_commands,
    )
    page = fit_plan(result, budget, root_option(session.root))
    print_result(format, result, page.lines(), color, page.markdown)

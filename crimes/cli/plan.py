"""`crimes plan`: what to read, who breaks and what to test when some files are to be changed together."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import BriefingFormat, BriefingFormatOption, BudgetOption, CacheOption, ColorOption
from crimes.cli.output import print_result, session_for


def plan(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE[:PART]...", help="The files, or symbols or lines of them, to be changed."
        ),
    ],
    budget: BudgetOption = 1_500,
    format: BriefingFormatOption = BriefingFormat.HUMAN,
    cache: CacheOption = True,
    color: ColorOption = None,
) -> None:
    """Tell the order of reading, who breaks and what to test for a planned change."""
    from crimes.render.plan import fit_plan
    from crimes.workflows.briefing.plan import build_plan
    from crimes.workflows.briefing.target import narrow, parse_targets

    places = parse_targets(targets)
    whole = session_for(places[0].root, cache=cache).briefings([place.path for place in places])
    result = build_plan([narrow(briefing, place.part) for briefing, place in zip(whole, places, strict=True)])
    page = fit_plan(result, budget)
    print_result(format, result, page.lines(), color, page.markdown)

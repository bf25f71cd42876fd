"""`crimes plan`: what to read, who breaks and what to test when some files are to be changed together."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import BriefingFormat, BriefingFormatOption, BudgetOption, CacheOption, ColorOption
from crimes.cli.output import session_for, show, terminal_style, write


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
    from crimes.model.codec import encode
    from crimes.render.plan import fit_plan
    from crimes.workflows.briefing.plan import build_plan
    from crimes.workflows.briefing.target import narrow, parse_targets

    places = parse_targets(targets)
    whole = session_for(places[0].root, cache=cache).briefings([place.path for place in places])
    made = build_plan([narrow(briefing, place.part) for briefing, place in zip(whole, places, strict=True)])
    if format is BriefingFormat.JSON:
        write(encode(made))
    elif format is BriefingFormat.MD:
        write(fit_plan(made, budget).markdown().encode())
    else:
        show(fit_plan(made, budget).lines(), terminal_style(color, None))

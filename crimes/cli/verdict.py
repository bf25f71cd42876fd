"""`crimes verdict`: the verdict line of `crimes diff` alone; an old name, not listed."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import (
    BaseOption,
    CacheOption,
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    FormatOption,
    RequireTrustedOption,
    RootOption,
)
from crimes.cli.output import print_result, session_for


def verdict(
    range: Annotated[str | None, typer.Argument(metavar="[BASE...HEAD]", show_default=False)] = None,
    base: BaseOption = "",
    root: RootOption = None,
    format: FormatOption = "human",
    why: Annotated[bool, typer.Option("--why", help="List the findings behind it.")] = False,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
) -> None:
    """Print the verdict line of `crimes diff` alone."""
    from crimes.render.comparison import verdict_lines
    from crimes.workflows.comparing import compare_states, parse_range
    from crimes.workflows.comparison import verdict_report
    from crimes.workflows.gating import Gates, comparison_exit_code

    gates = Gates(fail_on, fail_on_risk, fail_on_new, require_trusted)
    gates.check()
    compared = compare_states(session_for(root, cache=cache), parse_range([range] if range else [], base))
    comparison = gates.apply_to_new(compared.comparison, compared.now)
    print_result(format, verdict_report(comparison), verdict_lines(comparison, why=why))
    raise typer.Exit(comparison_exit_code(comparison))

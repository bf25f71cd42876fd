"""`crimes verdict`: whether a change made things better or worse, in one line."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import (
    BaseOption,
    CacheOption,
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    Format,
    FormatOption,
    PathOption,
    RangeArgument,
    RequireTrustedOption,
)
from crimes.cli.output import print_result, session_for


def verdict(
    range: RangeArgument = None,
    base: BaseOption = "",
    path: PathOption = None,
    format: FormatOption = Format.HUMAN,
    why: Annotated[bool, typer.Option("--why", help="List what the verdict rests on.")] = False,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
) -> None:
    """Say better, worse, mixed or unchanged, and why. Gates look at new findings."""
    from crimes.render.comparison import verdict_lines
    from crimes.workflows.comparing import compare_states, parse_range
    from crimes.workflows.comparison import verdict_report
    from crimes.workflows.gating import Gates, comparison_exit_code

    gates = Gates(fail_on, fail_on_risk, fail_on_new, require_trusted)
    gates.check()
    compared = compare_states(session_for(path, cache=cache), parse_range(range, base))
    comparison = gates.apply_to_new(compared.comparison, compared.now)
    print_result(format, verdict_report(comparison), verdict_lines(comparison, why=why))
    raise typer.Exit(comparison_exit_code(comparison))

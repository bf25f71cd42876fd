"""`crimes verdict`: whether a change made things better or worse, in one line."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.diff import BaseOption, CacheOption, PathOption, RangeArgument
from crimes.cli.gating import (
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    Gates,
    RequireTrustedOption,
    exit_code_of,
)
from crimes.cli.output import Format, show, terminal_style, write
from crimes.cli.root import chosen_root


def verdict(
    range: RangeArgument = None,
    base: BaseOption = "",
    path: PathOption = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print it.")] = Format.HUMAN,
    why: Annotated[bool, typer.Option("--why", help="List what the verdict rests on.")] = False,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
) -> None:
    """Say better, worse, mixed or unchanged, and why. Gates look at new findings."""
    from crimes.cli.comparing import asked_range, compared
    from crimes.cli.scanning import ScanOptions

    gates = Gates(fail_on, fail_on_risk, require_trusted, fail_on_new)
    gates.check()
    asked = asked_range(range, base)
    found = compared(chosen_root(path), asked, ScanOptions(cache))
    made = gates.on_new(found.comparison, found.now)
    if format is Format.JSON:
        from crimes.model.codec import encode
        from crimes.workflows.comparison import verdict_report

        write(encode(verdict_report(made)))
    else:
        from crimes.render.comparison import verdict_lines

        show(verdict_lines(made, why=why), terminal_style(None, None))
    raise typer.Exit(exit_code_of(made))

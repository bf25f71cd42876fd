"""`crimes replay`: what a gate would have stopped."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import (
    GATE,
    CacheOption,
    ColorOption,
    ConfigOption,
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    FormatOption,
    NoProgressOption,
    RootOption,
)
from crimes.cli.output import print_result, session_for
from crimes.cli.parsers import whole_number
from crimes.model.errors import UsageError
from crimes.model.severity import Severity


def replay(
    last: Annotated[
        int,
        typer.Option("--last", metavar="N", parser=whole_number(1), help="Replay the last N merged changes."),
    ] = 40,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    broken_only: Annotated[
        bool,
        typer.Option(
            "--broken-only",
            help="Stop only what is broken. No commit is scanned, so this is fast.",
            rich_help_panel=GATE,
        ),
    ] = False,
    format: FormatOption = "human",
    cache: CacheOption = True,
    quiet: NoProgressOption = False,
    color: ColorOption = None,
    root: RootOption = None,
    config: ConfigOption = None,
) -> None:
    """Show which of the last merged changes a gate would have stopped, and which of those needed a fix.

    A change is a commit or a merge on the main line, compared with its first parent. What is broken always stops it; without
    another gate, so does a new finding of high severity. Gates only mark changes as stopped: the exit code is 0 all the same.
    """
    from crimes.model.scan_request import ScanRequest
    from crimes.render.replay import lines
    from crimes.workflows.gating import Gates
    from crimes.workflows.replay import replay
    from crimes.workflows.scan_options import ScanOptions

    has_gate = fail_on is not None or fail_on_risk is not None or fail_on_new
    if broken_only and has_gate:
        raise UsageError("--broken-only and a gate on findings: use one of them")
    gates = Gates(fail_on if has_gate else Severity.HIGH, fail_on_risk, fail_on_new)
    session = session_for(root, ScanOptions(cache), ScanRequest(config=config), quiet=quiet)
    result = replay(session, last, None if broken_only else gates)
    print_result(format, result, lines(result), color)

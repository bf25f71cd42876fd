"""`crimes check`: what the edits in the work tree did, against HEAD."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.options import (
    BriefingFormat,
    BriefingFormatOption,
    BudgetOption,
    CacheOption,
    ColorOption,
    RepositoryArgument,
)
from crimes.cli.output import print_result, session_for

_EXIT_REFUSED = 2  # what agents read as: do not stop yet
_MAX_INPUT_CHARS = 1_000_000


def check(
    path: RepositoryArgument = None,
    budget: BudgetOption = 1_500,
    format: BriefingFormatOption = BriefingFormat.HUMAN,
    hook: Annotated[
        bool,
        typer.Option(
            "--hook",
            help="As a stop hook: nothing and 0 without new findings, else the text on stderr and 2, once.",
        ),
    ] = False,
    cache: CacheOption = True,
    color: ColorOption = None,
) -> None:
    """Tell what the edits since HEAD did: exit code 1 when there are new findings."""
    from crimes.render.check import fit_check
    from crimes.workflows.check import check_work_tree

    if hook:
        _run_as_hook(path, budget, cache)
        return
    result = check_work_tree(session_for(path, cache=cache))
    page = fit_check(result, budget)
    print_result(format, result, page.lines(), color, page.markdown)
    raise typer.Exit(result.gate.exit if result.gate else 0)


def _run_as_hook(path: Path | None, budget: int, cache: bool) -> None:
    """Exit with 2 on new findings, once. A check that fails is no reason to keep the agent going, and ends with 0."""
    from crimes.render.check import fit_check

    if _is_repeated():
        return
    try:
        from crimes.workflows.check import check_work_tree

        result = check_work_tree(session_for(path, cache=cache))
    except (Exception, SystemExit):
        if os.environ.get("CRIMES_DEBUG"):
            raise
        return
    if result.gate and result.gate.exit == 1:
        sys.stderr.write(fit_check(result, budget).markdown())
        raise typer.Exit(_EXIT_REFUSED)


def _is_repeated() -> bool:
    """Whether the agent runs on because of this very hook: it is refused once, not for ever."""
    import json

    try:
        call = json.loads(sys.stdin.read(_MAX_INPUT_CHARS)) if not sys.stdin.isatty() else None
    except ValueError:
        return False
    return isinstance(call, dict) and bool(call.get("stop_hook_active") or call.get("loop_count"))

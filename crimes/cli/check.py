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
from crimes.cli.output import session_for, show, terminal_style, write

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
    from crimes.model.codec import encode
    from crimes.render.check import fit_check
    from crimes.workflows.check import check_work_tree

    if hook:
        _run_as_hook(path, budget, cache)
        return
    made = check_work_tree(session_for(path, cache=cache))
    code = made.gate.exit if made.gate else 0
    if format is BriefingFormat.JSON:
        write(encode(made))
    elif format is BriefingFormat.MD:
        write(fit_check(made, budget).markdown().encode())
    else:
        show(fit_check(made, budget).lines(), terminal_style(color, None))
    raise typer.Exit(code)


def _run_as_hook(path: Path | None, budget: int, cache: bool) -> None:
    """Refuse to end with new findings, once. What cannot be checked is no reason to go on, so nothing else ends with that code."""
    from crimes.render.check import fit_check

    if _is_repeated():
        return
    try:
        from crimes.workflows.check import check_work_tree

        made = check_work_tree(session_for(path, cache=cache))
    except (Exception, SystemExit):
        if os.environ.get("CRIMES_DEBUG"):
            raise
        return
    if made.gate and made.gate.exit == 1:
        sys.stderr.write(fit_check(made, budget).markdown())
        raise typer.Exit(_EXIT_REFUSED)


def _is_repeated() -> bool:
    """Whether the agent goes on because of this very hook: it is asked once, not for ever."""
    import json

    try:
        given = json.loads(sys.stdin.read(_MAX_INPUT_CHARS)) if not sys.stdin.isatty() else None
    except ValueError:
        return False
    return isinstance(given, dict) and bool(given.get("stop_hook_active") or given.get("loop_count"))

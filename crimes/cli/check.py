"""`crimes check`: what the edits in the work tree did, against HEAD."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.choosing import chosen_session, selection_of
from crimes.cli.options import (
    BriefingFormatOption,
    BudgetOption,
    CacheOption,
    ColorOption,
    ConfigOption,
    ExcludeOption,
    IgnoreOption,
    PathsArgument,
    RootOption,
    SelectOption,
    SeverityOption,
)
from crimes.cli.output import print_result

if TYPE_CHECKING:
    from crimes.workflows.check import Check

_EXIT_REFUSED = 2  # what agents read as: do not stop yet
_MAX_INPUT_CHARS = 1_000_000


def check(
    paths: PathsArgument = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    severity: SeverityOption = None,
    exclude: ExcludeOption = None,
    budget: BudgetOption = 1_500,
    format: BriefingFormatOption = "human",
    hook: Annotated[
        bool,
        typer.Option(
            "--hook",
            help="Run as a stop hook: silent with exit code 0, or once with 2 and the text on stderr when references are "
            "broken or there are new findings.",
        ),
    ] = False,
    cache: CacheOption = True,
    color: ColorOption = None,
    root: RootOption = None,
    config: ConfigOption = None,
) -> None:
    """Check the edits in the work tree; exit 1 on broken references and new findings."""
    from crimes.model.scan_request import ScanRequest
    from crimes.render.check import fit_check
    from crimes.workflows.check import check_work_tree
    from crimes.workflows.scan_options import ScanOptions

    def run() -> Check:
        session, selection = chosen_session(
            paths,
            root,
            selection_of(select, ignore, severity, exclude),
            ScanOptions(cache),
            ScanRequest(config=config),
        )
        return check_work_tree(session, selection)

    if hook:
        _run_as_hook(run, budget)
        return
    result = run()
    page = fit_check(result, budget)
    print_result(format, result, page.lines(), color, page.markdown)
    raise typer.Exit(result.gate.exit if result.gate else 0)


def _run_as_hook(run: Callable[[], Check], budget: int) -> None:
    """Exit with 2 on broken references and new findings, once. A check that fails is no reason to keep the agent going, and ends with 0."""
    from crimes.render.check import fit_check

    if _is_repeated():
        return
    try:
        result = run()
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

"""`crimes check`: what the edits in the work tree did, against HEAD."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
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
            help="Run as a stop hook: silent, or asks the agent once to keep working when references are broken or there are "
            "new findings.",
        ),
    ] = False,
    cache: CacheOption = True,
    color: ColorOption = None,
    root: RootOption = None,
    config: ConfigOption = None,
) -> None:
    """Check the edits in the working tree; exit 1 on broken references or new findings."""
    from crimes.model.change import CHANGE_KINDS
    from crimes.model.scan_request import ScanRequest
    from crimes.render.check import fit_check
    from crimes.workflows.check import check_work_tree
    from crimes.workflows.scan_options import ScanOptions

    def run() -> Check:
        session, selection = chosen_session(
            paths,
            root,
            selection_of(select, ignore, severity, exclude, types=CHANGE_KINDS),
            ScanOptions(cache),
            ScanRequest(config=config),
        )
        return check_work_tree(session, selection)

    if hook:
        _run_as_hook(run, budget)
        return
    result = run()
    options = {"--select": select, "--ignore": ignore, "--exclude": exclude}
    single = {"--severity": severity, "--config": config, "--root": root}
    options |= {name: [str(value)] for name, value in single.items() if value is not None}
    page = fit_check(result, budget, _call(paths or (), options))
    print_result(format, result, page.lines(), color, page.markdown)
    raise typer.Exit(result.gate.exit if result.gate else 0)


def _call(paths: Sequence[Path], options: Mapping[str, Sequence[str] | None]) -> str:
    """The command with these paths and options."""
    words = [word for name, values in options.items() for value in values or () for word in (name, value)]
    return shlex.join(["crimes", "check", *map(str, paths), *words])


def _run_as_hook(run: Callable[[], Check], budget: int) -> None:
    """Ask the agent to go on if references are broken or there are new findings, once for the same text.

    A check that fails is no reason to keep the agent going, and ends with 0.
    """
    from crimes.model.digests import digest_of
    from crimes.render.check import fit_check
    from crimes.system.session_log import mark_told, not_yet_told
    from crimes.workflows.stop_hook import read_stop_call, refusal

    call = read_stop_call("" if sys.stdin.isatty() else sys.stdin.read(_MAX_INPUT_CHARS))
    if call.is_repeated:
        return
    try:
        result = run()
        text = fit_check(result, budget).markdown()
        topic = f"stop {digest_of(text.encode()).hex()}"
        is_new = bool(not_yet_told(call.session, "", [topic]))
        if result.gate is None or result.gate.exit != 1 or not is_new:
            return
        mark_told(call.session, "", [topic])
    except (Exception, SystemExit):
        if os.environ.get("CRIMES_DEBUG"):
            raise
        return
    refused = refusal(call, text)
    sys.stdout.write(refused.stdout)
    sys.stderr.write(refused.stderr)
    raise typer.Exit(refused.exit)

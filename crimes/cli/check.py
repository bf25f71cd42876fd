"""`crimes check`: what the edits in the work tree did, against HEAD."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.context import ContextFormat
from crimes.cli.output import show, terminal_style, write
from crimes.cli.root import chosen_root

if TYPE_CHECKING:
    from crimes.cli.scanning import ScanOptions
    from crimes.workflows.check import Check

_REFUSED = 2  # what agents read as: do not stop yet
_LONGEST = 1_000_000


def check(
    path: Annotated[
        Path | None,
        typer.Argument(help="The repository; without it, the one around here.", show_default=False),
    ] = None,
    budget: Annotated[
        int, typer.Option("--budget", min=200, help="The most tokens to print; four bytes count as one.")
    ] = 1_500,
    format: Annotated[ContextFormat, typer.Option("--format", "-f", help="How to print it.")] = (
        ContextFormat.HUMAN
    ),
    hook: Annotated[
        bool,
        typer.Option(
            "--hook",
            help="As a stop hook: nothing and 0 without new findings, else the text on stderr and 2, once.",
        ),
    ] = False,
    cache: Annotated[
        bool,
        typer.Option(
            "--cache/--no-cache", help="Use what earlier scans found out, and keep what this one does."
        ),
    ] = True,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
) -> None:
    """Tell what the edits since HEAD did: exit code 1 when there are new findings."""
    from crimes.cli import scanning
    from crimes.model.codec import encode
    from crimes.render import check as view

    if hook:
        _as_hook(path, budget, scanning.ScanOptions(cache))
        return
    made = checked(chosen_root(path), scanning.ScanOptions(cache))
    code = made.gate.exit if made.gate else 0
    if format is ContextFormat.JSON:
        write(encode(made))
    elif format is ContextFormat.MD:
        write(view.markdown(made, budget).encode())
    else:
        show(view.lines(made, budget), terminal_style(color, None))
    raise typer.Exit(code)


def _as_hook(path: Path | None, budget: int, means: ScanOptions) -> None:
    """Refuse to end with new findings, once. What cannot be checked is no reason to go on, so nothing else ends with that code."""
    from crimes.render.check import markdown

    if _was_asked_before():
        return
    try:
        made = checked(chosen_root(path), means)
    except (Exception, SystemExit):  # a scan that fails has said why, and left
        if os.environ.get("CRIMES_DEBUG"):
            raise
        return
    if made.gate and made.gate.exit == 1:
        sys.stderr.write(markdown(made, budget))
        raise typer.Exit(_REFUSED)


def checked(root: Path, means: ScanOptions) -> Check:
    """The work tree held against HEAD."""
    import time
    from functools import cache

    from crimes.cli import scanning
    from crimes.cli.comparing import Range, compared
    from crimes.cli.gating import Gates
    from crimes.workflows.check import check_of, edits_in

    begun = time.time_ns()
    edits = cache(lambda: edits_in(root))
    found = compared(root, Range("HEAD", "", False), means, edits)
    made = Gates(None, None, False, True).on_new(found.comparison, found.now)
    edited = edits().files()
    return check_of(made, edited, scanning.kept_briefings(root, edited, begun=begun))


def _was_asked_before() -> bool:
    """Whether the agent goes on because of this very hook: it is asked once, not for ever."""
    import json

    try:
        given = json.loads(sys.stdin.read(_LONGEST)) if not sys.stdin.isatty() else None
    except ValueError:
        return False
    return isinstance(given, dict) and bool(given.get("stop_hook_active") or given.get("loop_count"))

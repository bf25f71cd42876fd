"""The command line: only the command that is asked for is set up."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from crimes import __version__

# Each is named like its module, in the order in which `--help` lists them.
_COMMANDS = (
    "scan",
    "init",
    "report",
    "diff",
    "verdict",
    "ignore",
    "triage",
    "hotspots",
    "trend",
    "explain",
    "context",
    "plan",
    "check",
    "hook",
    "mcp",
    "claims",
    "review",
    "trust",
    "feedback",
    "calibration",
    "detectors",
    "baseline",
    "cache",
)


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"crimes {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Options of `crimes` itself."""


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The app with the command that the first argument names, else with all: setting up all takes a tenth of a second."""
    app = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="What in this repository makes the next edit go wrong, worst first.",
        epilog="Exit codes: 0 done, 1 a gate failed, 2 usage or environment error or too little seen for a gate, 130 interrupted.",
    )
    app.callback()(_options)
    requested = tuple(name for name in _COMMANDS if name in arguments[:1])
    for name in requested or _COMMANDS:
        command = getattr(import_module(f"crimes.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app

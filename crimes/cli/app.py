"""The command line: only the command that is asked for is set up."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from crimes import __version__
from crimes.cli.help import Command, Group

# Commands by heading of `--help`, each named like its module. Those under "More" are listed by name only.
_COMMANDS = {
    "Look at the code": ("scan", "explain", "hotspots", "map"),
    "Check a change": ("check", "diff", "review"),
    "For agents": ("context", "plan", "mcp"),
    "Keep settings and decisions": ("init", "ignore", "triage", "baseline"),
    "More": (
        "report",
        "replay",
        "trend",
        "backtest",
        "fleet",
        "trust",
        "detectors",
        "feedback",
        "calibration",
        "claims",
        "cache",
        "hook",
        "lsp",
    ),
    "": ("verdict",),  # old names: callable for one more release, and not listed
}
_HEADINGS = {name: heading for heading, names in _COMMANDS.items() for name in names}
_RENAMED_OPTIONS = {"--path": "--root"}  # accepted for one more release


def with_new_names(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command line with options under their present names."""
    present = []
    for word in arguments:
        name, equals, value = word.partition("=")
        present.append(f"{_RENAMED_OPTIONS.get(name, name)}{equals}{value}")
    return present


def _print_version(context: typer.Context, requested: bool) -> None:
    if requested:
        typer.echo(f"crimes {__version__}")
        if context.params.get("verbose"):
            _print_surroundings()
        raise typer.Exit


def _print_surroundings() -> None:
    """What else decides how files are read."""
    import platform

    from crimes.languages.engine.native import reader_name

    typer.echo(f"reader {reader_name()}")
    typer.echo(f"python {platform.python_version()}")


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, help="Print the version.")
    ] = False,
    verbose: Annotated[  # eager: known when the version is printed, whichever comes first
        bool,
        typer.Option("--verbose", is_eager=True, help="With --version: also print what reads the files."),
    ] = False,
) -> None:
    """Options of `crimes` itself."""


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """The app with the command that the first argument names, else with all: setting up all takes a tenth of a second."""
    app = typer.Typer(
        cls=Group,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Find the places where the next edit is most likely to go wrong, riskiest first.",
        epilog="Run `crimes COMMAND --help` for the options of a command. Exit codes: 0 done, 1 a gate failed, 2 wrong usage "
        "or settings, an I/O error, a scan that timed out, or not enough data to apply a gate, 130 interrupted.",
    )
    app.callback()(_options)
    requested = tuple(name for name in _HEADINGS if name in arguments[:1])
    for name in requested or _HEADINGS:
        command = getattr(import_module(f"crimes.cli.{name}"), name)
        heading = _HEADINGS[name]
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, cls=Group, rich_help_panel=heading, hidden=not heading)
        else:
            app.command(name, cls=Command, rich_help_panel=heading, hidden=not heading)(command)
    return app

"""`crimes diff`: what came between two states of a repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.gating import (
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    Gates,
    RequireTrustedOption,
    exit_code_of,
)
from crimes.cli.output import Format, look, notice, show, write
from crimes.cli.root import chosen_root

RangeArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="BASE...HEAD",
        help="Two commits, from where they part; .. compares them directly. Without it, the work tree with HEAD.",
        show_default=False,
    ),
]
BaseOption = Annotated[
    str,
    typer.Option(
        "--base", metavar="REF", help="Compare the work tree with where it left this branch or commit."
    ),
]
PathOption = Annotated[
    Path | None,
    typer.Option("--path", metavar="DIR", help="The repository; without it, the one around here."),
]
CacheOption = Annotated[
    bool,
    typer.Option("--cache/--no-cache", help="Use what earlier scans found out, and keep what this one does."),
]


def diff(
    range: RangeArgument = None,
    base: BaseOption = "",
    path: PathOption = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print it.")] = Format.HUMAN,
    all: Annotated[bool, typer.Option("--all", help="List what is unchanged, too.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to a file.")
    ] = None,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
) -> None:
    """Tell which findings are new, fixed, moved or unchanged. Gates look at the new ones."""
    from crimes.cli.comparing import asked_range, compared
    from crimes.cli.scanning import Means

    gates = Gates(fail_on, fail_on_risk, require_trusted, fail_on_new)
    gates.check()
    asked = asked_range(range, base)
    root = chosen_root(path)
    found = compared(root, asked, Means(cache))
    made = gates.on_new(found.comparison, found.now)
    if output == Path("-"):
        output = None
    if format is Format.JSON:
        from crimes.report_json import encode

        write(encode(made), output)
    else:
        from crimes.views.comparison import lines

        how = look(color, output)
        show(lines(made, terminal=how.terminal, all=all), how, output)
    if output is not None:
        from crimes.views.comparison import summary_line

        notice(f"{summary_line(made)}, written to {output}")
    if made.gate is not None and (format is Format.JSON or output is not None):
        from crimes.views.trust_text import gate_line

        notice(gate_line(made.gate))
    raise typer.Exit(exit_code_of(made))

"""`crimes diff`: what came between two states of a repository."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.formats import ReportFormat, also, asked_besides
from crimes.cli.gating import (
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    Gates,
    RequireTrustedOption,
    exit_code_of,
)
from crimes.cli.output import notice, show, terminal_style, write
from crimes.cli.root import chosen_root

if TYPE_CHECKING:
    from crimes.workflows.comparison import Comparison

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
    format: Annotated[
        ReportFormat,
        typer.Option("--format", "-f", help="How to print it; other than human and json hold what is new."),
    ] = ReportFormat.HUMAN,
    all: Annotated[bool, typer.Option("--all", help="List what is unchanged, too.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to a file.")
    ] = None,
    json_output: Annotated[Path | None, also("json")] = None,
    sarif_output: Annotated[Path | None, also("sarif")] = None,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print findings and nothing else.")] = False,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
) -> None:
    """Tell which findings are new, fixed, moved or unchanged. Gates look at the new ones."""
    from crimes.cli.checkout import checkout_behind, checkout_of
    from crimes.cli.comparing import asked_range, compared
    from crimes.cli.only_new import COMPARED, deliver_new
    from crimes.cli.scanning import ScanOptions
    from crimes.model.codec import encode
    from crimes.render.comparison import ignore_added

    gates = Gates(fail_on, fail_on_risk, require_trusted, fail_on_new)
    gates.check()
    files = asked_besides(json=json_output, sarif=sarif_output)
    asked = asked_range(range, base)
    root = chosen_root(path)
    found = compared(root, asked, ScanOptions(cache, quiet=quiet))
    made = gates.on_new(found.comparison, found.now)
    if output == Path("-"):
        output = None
    if json_output is not None:
        del files[ReportFormat.JSON]
        write(encode(made), json_output)
    if format is ReportFormat.JSON:
        write(encode(made), output)
    elif format is ReportFormat.HUMAN:
        from crimes.cli.links import links_into
        from crimes.render.comparison import lines
        from crimes.render.lines import no_link

        how = terminal_style(color, output)
        link = links_into(root) if how.links and not asked.head else no_link
        show(lines(made, terminal=how.terminal, all=all, quiet=quiet, link=link), how, output)
    if files or format not in COMPARED:
        told = [ignore_added(one) for one in made.ignores]
        deliver_new(
            found.now,
            made.new,
            made.gate,
            format,
            output,
            files,
            lambda: checkout_behind(found.now, root) if asked.head else checkout_of(root),
            quiet=quiet,
            told=told,
        )
        if format not in COMPARED:
            for text in told:
                notice(text)
    elif not quiet and (output is not None or format is ReportFormat.JSON):
        _tell(made, output)
    raise typer.Exit(exit_code_of(made))


def _tell(made: Comparison, output: Path | None) -> None:
    """Tell who does not read the output what is in it."""
    from crimes.render.comparison import summary_line
    from crimes.render.trust_text import gate_line

    if output is not None:
        notice(f"{summary_line(made)}, written to {output}")
    if made.gate is not None:
        notice(gate_line(made.gate))

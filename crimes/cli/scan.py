"""`crimes scan`: look at a whole repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.gating import FailOn, Gates, exit_code
from crimes.cli.output import Format, look, notice, show, write
from crimes.cli.root import chosen_root

_SHOWN = 20  # findings on a terminal, unless asked for more


def scan(
    path: Annotated[
        Path | None,
        typer.Argument(help="The repository; without it, the one around here.", show_default=False),
    ] = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print the report.")] = Format.HUMAN,
    all: Annotated[bool, typer.Option("--all", help="Show every finding, and every risk profile.")] = False,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Show only the N worst findings.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file.")
    ] = None,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
    as_of: Annotated[
        str,
        typer.Option(
            "--as-of",
            metavar="now|DATE|REV",
            help="Count history up to this moment instead of the last commit.",
        ),
    ] = "",
    coverage: Annotated[
        list[Path] | None,
        typer.Option(
            "--coverage",
            metavar="FILE",
            help="Coverage data to use instead of those at usual places; may be repeated.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option("--fail-on", help="Exit with 1 on a finding of this severity or worse."),
    ] = None,
    fail_on_risk: Annotated[
        float | None,
        typer.Option(
            "--fail-on-risk",
            min=0,
            max=1,
            metavar="0..1",
            help="Exit with 1 on a finding of this agent_risk.",
        ),
    ] = None,
    require_trusted: Annotated[
        bool,
        typer.Option("--require-trusted", help="Exit with 2 when too little was seen for the gate to pass."),
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", min=0.001, metavar="SECONDS", help="Give up after this time, with exit 2."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, metavar="N", help="Processes to read files with; else one for each core."
        ),
    ] = None,
    cache: Annotated[
        bool,
        typer.Option(
            "--cache/--no-cache", help="Use what earlier scans found out, and keep what this one does."
        ),
    ] = True,
    profile: Annotated[
        bool,
        typer.Option("--profile", help="Tell where the time went, on stderr and as `timings` in JSON."),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show low-confidence findings and all that was skipped.")
    ] = False,
) -> None:
    """Find what makes the next edit go wrong, worst first."""
    from crimes.cli import scanning
    from crimes.cli.as_of import moment

    gates = Gates(fail_on, fail_on_risk, require_trusted)
    gates.check()
    root = chosen_root(path)
    if output == Path("-"):
        output = None
    means = scanning.Means(cache, jobs, timeout, profile)
    report = gates.on(scanning.report(root, moment(as_of, root), coverage, means))
    if format is Format.JSON:
        from crimes.views.json import render

        write(render(report, top=top), output)
    else:
        from crimes.views import human, plain

        how = look(color, output)
        if how.terminal:
            limit = top if all or top is not None else _SHOWN
            place = "" if root == chosen_root(None) else f" --path {path}"
            lines = human.lines(report, top=limit, always_profile=all, verbose=verbose, place=place)
        else:
            lines = plain.lines(report, top=top, always_profile=all, verbose=verbose)
        show(lines, how, output)
    if output is not None:
        notice(f"{report.summary.findings:,} findings, written to {output}")
    if format is Format.JSON or output is not None:
        from crimes.views.trust_text import endings

        for text in endings(report):
            notice(text)
    if profile and report.timings:
        from crimes.cli.stages import table

        for text in table(report.timings):
            notice(text)
    raise typer.Exit(exit_code(report))

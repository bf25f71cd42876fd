"""`crimes scan`: look at a whole repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.formats import ReportFormat, Shown, also, asked_besides, deliver
from crimes.cli.gating import FailOn, Gates, exit_code
from crimes.cli.output import notice
from crimes.cli.root import chosen_root


def scan(
    path: Annotated[
        Path | None,
        typer.Argument(help="The repository; without it, the one around here.", show_default=False),
    ] = None,
    format: Annotated[
        ReportFormat, typer.Option("--format", "-f", help="How to print the report.")
    ] = ReportFormat.HUMAN,
    all: Annotated[bool, typer.Option("--all", help="Show every finding, and every risk profile.")] = False,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Show only the N worst findings.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the report to a file.")
    ] = None,
    json_output: Annotated[Path | None, also("json")] = None,
    jsonl_output: Annotated[Path | None, also("jsonl")] = None,
    sarif_output: Annotated[Path | None, also("sarif")] = None,
    github_output: Annotated[Path | None, also("github")] = None,
    gitlab_output: Annotated[Path | None, also("gitlab")] = None,
    junit_output: Annotated[Path | None, also("junit")] = None,
    checkstyle_output: Annotated[Path | None, also("checkstyle")] = None,
    rdjson_output: Annotated[Path | None, also("rdjson")] = None,
    markdown_output: Annotated[Path | None, also("markdown")] = None,
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
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Findings only: no summary, no progress, no notices.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show low-confidence findings and all that was skipped.")
    ] = False,
) -> None:
    """Find what makes the next edit go wrong, worst first."""
    from crimes.cli import scanning
    from crimes.cli.as_of import moment
    from crimes.cli.checkout import checkout_of

    gates = Gates(fail_on, fail_on_risk, require_trusted)
    gates.check()
    files = asked_besides(
        json=json_output,
        jsonl=jsonl_output,
        sarif=sarif_output,
        github=github_output,
        gitlab=gitlab_output,
        junit=junit_output,
        checkstyle=checkstyle_output,
        rdjson=rdjson_output,
        markdown=markdown_output,
    )
    root = chosen_root(path)
    means = scanning.Means(cache, jobs, timeout, profile, quiet)
    report = gates.on(scanning.report(root, moment(as_of, root), coverage, means))
    place = "" if root == chosen_root(None) else f" --path {path}"
    shown = Shown(top, all, verbose, quiet, color, place, root)
    deliver(report, format, output, files, shown, lambda: checkout_of(root))
    if profile and report.timings:
        from crimes.cli.stages import table

        for text in table(report.timings):
            notice(text)
    raise typer.Exit(exit_code(report))

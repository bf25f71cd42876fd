"""`crimes scan`: look at a whole repository."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.formats import DisplayOptions, ReportFormat, also, asked_besides, deliver
from crimes.cli.gating import (
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    Gates,
    RequireTrustedOption,
    a_number,
    exit_code,
)
from crimes.cli.output import notice
from crimes.cli.root import chosen_root
from crimes.model.errors import UsageError


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
            help="A commit is scanned as it was; a moment is what history counts up to, instead of the last commit.",
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
    changed: Annotated[
        bool, typer.Option("--changed", help="Report on files that changed since HEAD, or since --base.")
    ] = False,
    base: Annotated[
        str,
        typer.Option(
            "--base", metavar="REF", help="For --changed and --fail-on-new: since work left this branch."
        ),
    ] = "",
    staged: Annotated[bool, typer.Option("--staged", help="Report on files that are staged.")] = False,
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--files",
            metavar="A,B",
            help="Report on these files and folders; may be repeated.",
            show_default=False,
        ),
    ] = None,
    related_to: Annotated[
        str,
        typer.Option(
            "--related-to", metavar="FILE", help="Report on a file, what it imports and what imports it."
        ),
    ] = "",
    depth: Annotated[
        int | None,
        typer.Option("--depth", min=0, metavar="N", help="For --related-to: how many steps away; else one."),
    ] = None,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="For --fail-on-new without --base: what is known; else .crimes/baseline.json.",
        ),
    ] = None,
    require_trusted: RequireTrustedOption = False,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            min=0.001,
            max=1_000_000,
            metavar="SECONDS",
            help="Give up after this time, with exit 2.",
            callback=a_number,
        ),
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
    why_not: Annotated[
        Path | None,
        typer.Option(
            "--why-not",
            metavar="FILE",
            help="Tell what of a file was looked at and not reported, and why; nothing else.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Find what makes the next edit go wrong, worst first."""
    from crimes.cli import scanning
    from crimes.cli.as_of import asked
    from crimes.cli.asked_set import Asked
    from crimes.cli.checkout import checkout_behind, checkout_of
    from crimes.cli.since import Since
    from crimes.cli.trend import remember

    gates = Gates(fail_on, fail_on_risk, require_trusted, fail_on_new)
    gates.check()
    besides = asked_besides(
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
    means = scanning.ScanOptions(cache, jobs, timeout, profile, quiet)
    if why_not is not None:
        from crimes.cli.why_not import tell

        tell(root, why_not, means, color)
        return
    since = Since(base or ("HEAD" if (changed or staged) and baseline is None else ""), baseline)
    since.check()
    _goes_with("--base", base, {"--changed": changed, "--fail-on-new": fail_on_new})
    _goes_with("--baseline", baseline, {"--fail-on-new": fail_on_new})
    _goes_with("--depth", depth is not None, {"--related-to": related_to})
    steps = 1 if depth is None else depth
    choice = Asked(changed, staged, base, tuple(files or ()), related_to, steps).choice(root)
    moment = asked(as_of, root)
    if isinstance(moment, str):
        from crimes.cli.comparing import past

        if choice or fail_on_new or coverage or timeout or profile:
            raise UsageError(
                f"--as-of {as_of} scans a commit as it was: no working set, coverage data, timeout or "
                "profile goes with it; `crimes diff BASE...REV` tells what is new in it"
            )
        whole = report = past(root, moment, None, means)
    else:
        whole, report = scanning.reports(root, moment, coverage, means, choice)
    if cache and (moment is None or isinstance(moment, str)):
        remember(root, whole)
    stopped = report.trust.summary is None
    report = gates.on(
        report, since.before(root, whole, report, means) if fail_on_new and not stopped else None
    )
    place = "" if root == chosen_root(None) else f" --path {path}"
    shown = DisplayOptions(top, all, verbose, quiet, color, place, root)
    of_past = isinstance(moment, str)
    deliver(
        report,
        format,
        output,
        besides,
        shown,
        lambda: checkout_behind(report, root) if of_past else checkout_of(root),
    )
    if profile and report.timings:
        from crimes.cli.stages import table

        for text in table(report.timings):
            notice(text)
    raise typer.Exit(exit_code(report))


def _goes_with(option: str, given: object, others: Mapping[str, object]) -> None:
    """An option that would do nothing is a mistake, and must not look like an answer."""
    if given and not any(others.values()):
        raise UsageError(f"{option} does nothing by itself: it goes with {' or '.join(others)}")

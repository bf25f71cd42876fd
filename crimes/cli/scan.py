"""`crimes scan`: look at a whole repository."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.delivery import DisplayOptions, deliver
from crimes.cli.options import (
    NO_FILES,
    AllOption,
    CacheOption,
    ColorOption,
    CoverageOption,
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    QuietOption,
    ReportFormatOption,
    ReportOutputOption,
    RepositoryArgument,
    RequireTrustedOption,
    TopOption,
    VerboseOption,
    refuse_nan,
    with_format_options,
)
from crimes.cli.output import notice, session_for
from crimes.model.errors import UsageError
from crimes.render.formats import BY_NAME, HUMAN
from crimes.system.roots import resolve_root


@with_format_options(*BY_NAME)
def scan(
    path: RepositoryArgument = None,
    format: ReportFormatOption = HUMAN,
    all: AllOption = False,
    top: TopOption = None,
    output: ReportOutputOption = None,
    also: Mapping[str, Path] = NO_FILES,
    color: ColorOption = None,
    as_of: Annotated[
        str,
        typer.Option(
            "--as-of",
            metavar="now|DATE|REV",
            help="A commit is scanned as it was; a moment is what history counts up to, instead of the last commit.",
        ),
    ] = "",
    coverage: CoverageOption = None,
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
            callback=refuse_nan,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, metavar="N", help="Processes to read files with; else one for each core."
        ),
    ] = None,
    cache: CacheOption = True,
    profile: Annotated[
        bool,
        typer.Option("--profile", help="Tell where the time went, on stderr and as `timings` in JSON."),
    ] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
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
    from crimes.cli.as_of import parse_as_of
    from crimes.cli.checkout import checkout_behind, checkout_of
    from crimes.cli.trend import record_scan
    from crimes.cli.working_set_options import WorkingSetOptions
    from crimes.model.scan_request import ScanRequest
    from crimes.workflows.gating import Gates, exit_code
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.since import Since

    gates = Gates(fail_on, fail_on_risk, fail_on_new, require_trusted)
    gates.check()
    options = ScanOptions(cache, jobs, timeout, profile)
    session = session_for(path, options, quiet=quiet)
    root = session.root
    if why_not is not None:
        from crimes.cli.why_not import show_why_not

        show_why_not(session, why_not, color)
        return
    since = Since(base or ("HEAD" if (changed or staged) and baseline is None else ""), baseline)
    since.check()
    _require_any("--base", base, {"--changed": changed, "--fail-on-new": fail_on_new})
    _require_any("--baseline", baseline, {"--fail-on-new": fail_on_new})
    _require_any("--depth", depth is not None, {"--related-to": related_to})
    choice = WorkingSetOptions(
        changed=changed,
        staged=staged,
        base=base,
        files=tuple(files or ()),
        related_to=related_to,
        depth=1 if depth is None else depth,
    ).choice(root)
    moment = parse_as_of(as_of, root)
    of_commit = isinstance(moment, str)
    if isinstance(moment, str):
        if choice or fail_on_new or coverage or timeout or profile:
            raise UsageError(
                f"--as-of {as_of} scans a commit as it was: no working set, coverage data, timeout or "
                "profile goes with it; `crimes diff BASE...REV` tells what is new in it"
            )
        whole = report = session.report_on_commit(moment)
    else:
        whole, report = session.reports(ScanRequest(moment, tuple(coverage or ())), choice)
    if cache and (moment is None or of_commit):
        record_scan(root, whole)
    stopped = report.trust.summary is None
    report = gates.apply_to(
        report, since.before(session, whole, report) if fail_on_new and not stopped else None
    )
    display = DisplayOptions(
        top=top,
        all=all,
        verbose=verbose,
        quiet=quiet,
        color=color,
        place="" if root == resolve_root(None) else f" --path {path}",
        root=root,
    )
    deliver(
        report,
        format,
        output,
        also,
        display,
        lambda: checkout_behind(report, root) if of_commit else checkout_of(root),
    )
    if profile and report.timings:
        from crimes.workflows.stages import timing_lines

        for text in timing_lines(report.timings):
            notice(text)
    raise typer.Exit(exit_code(report))


def _require_any(option: str, value: object, others: Mapping[str, object]) -> None:
    """Refuses an option that has no effect without one of the others."""
    if value and not any(others.values()):
        raise UsageError(f"{option} does nothing by itself: it goes with {' or '.join(others)}")

"""`crimes scan`: look at a whole repository."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn

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

if TYPE_CHECKING:
    from crimes.engine.working_set import Choice
    from crimes.model.report import Report
    from crimes.workflows.gating import Before, Gates
    from crimes.workflows.session import Session
    from crimes.workflows.since import Since


AsOfOption = Annotated[
    str,
    typer.Option(
        "--as-of",
        metavar="now|DATE|REV",
        help="A commit is scanned as it was; a moment is what history counts up to, instead of the last commit.",
    ),
]
ChangedOption = Annotated[
    bool, typer.Option("--changed", help="Report on files that changed since HEAD, or since --base.")
]
BaseOption = Annotated[
    str,
    typer.Option(
        "--base", metavar="REF", help="For --changed and --fail-on-new: since work left this branch."
    ),
]
StagedOption = Annotated[bool, typer.Option("--staged", help="Report on files that are staged.")]
FilesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--files",
        metavar="A,B",
        help="Report on these files and folders; may be repeated.",
        show_default=False,
    ),
]
RelatedToOption = Annotated[
    str,
    typer.Option(
        "--related-to", metavar="FILE", help="Report on a file, what it imports and what imports it."
    ),
]
DepthOption = Annotated[
    int | None,
    typer.Option("--depth", min=0, metavar="N", help="For --related-to: how many steps away; else one."),
]
BaselineOption = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="For --fail-on-new without --base: what is known; else .crimes/baseline.json.",
    ),
]
TimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        min=0.001,
        max=1_000_000,
        metavar="SECONDS",
        help="Give up after this time, with exit 2.",
        callback=refuse_nan,
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1, metavar="N", help="Processes to read files with; else one for each core."
    ),
]
ProfileOption = Annotated[
    bool,
    typer.Option("--profile", help="Tell where the time went, on stderr and as `timings` in JSON."),
]
WhyNotOption = Annotated[
    Path | None,
    typer.Option(
        "--why-not",
        metavar="FILE",
        help="Tell what of a file was looked at and not reported, and why; nothing else.",
        show_default=False,
    ),
]


@with_format_options(*BY_NAME)
def scan(
    path: RepositoryArgument = None,
    format: ReportFormatOption = HUMAN,
    all: AllOption = False,
    top: TopOption = None,
    output: ReportOutputOption = None,
    also: Mapping[str, Path] = NO_FILES,
    color: ColorOption = None,
    as_of: AsOfOption = "",
    coverage: CoverageOption = None,
    changed: ChangedOption = False,
    base: BaseOption = "",
    staged: StagedOption = False,
    files: FilesOption = None,
    related_to: RelatedToOption = "",
    depth: DepthOption = None,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    baseline: BaselineOption = None,
    require_trusted: RequireTrustedOption = False,
    timeout: TimeoutOption = None,
    jobs: JobsOption = None,
    cache: CacheOption = True,
    profile: ProfileOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    why_not: WhyNotOption = None,
) -> None:
    """Find what makes the next edit go wrong, worst first."""
    from crimes.cli.working_set_options import WorkingSetOptions
    from crimes.workflows.gating import Gates
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.since import Since

    gates = Gates(fail_on, fail_on_risk, fail_on_new, require_trusted)
    gates.check()
    session = session_for(path, ScanOptions(cache, jobs, timeout, profile), quiet=quiet)
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
    scanned = _scan(session, as_of, tuple(coverage or ()), choice, gates)
    report = gates.apply_to(scanned.report, _before(session, scanned, since) if fail_on_new else None)
    display = DisplayOptions(
        top=top,
        all=all,
        verbose=verbose,
        quiet=quiet,
        color=color,
        place="" if root == resolve_root(None) else f" --path {path}",
        root=root,
    )
    _finish(report, format, output, also, display, of_commit=scanned.of_commit)


class _Scanned(NamedTuple):
    """The report on the whole repository, and the one on what was asked about."""

    whole: Report
    report: Report
    of_commit: bool


def _scan(
    session: Session, as_of: str, coverage: tuple[Path, ...], choice: Choice | None, gates: Gates
) -> _Scanned:
    from crimes.cli.as_of import parse_as_of
    from crimes.cli.trend import record_scan
    from crimes.model.scan_request import ScanRequest

    options, moment = session.options, parse_as_of(as_of, session.root)
    if isinstance(moment, str):
        if choice or gates.fail_on_new or coverage or options.seconds or options.profile:
            raise UsageError(
                f"--as-of {as_of} scans a commit as it was: no working set, coverage data, timeout or "
                "profile goes with it; `crimes diff BASE...REV` tells what is new in it"
            )
        whole = report = session.report_on_commit(moment)
    else:
        whole, report = session.reports(ScanRequest(moment, coverage), choice)
    if options.cache and (moment is None or isinstance(moment, str)):
        record_scan(session.root, whole)
    return _Scanned(whole, report, isinstance(moment, str))


def _before(session: Session, scanned: _Scanned, since: Since) -> Before | None:
    """What was there before; None for a scan that was stopped, of which nothing can be new."""
    if scanned.report.trust.summary is None:
        return None
    return since.before(session, scanned.whole, scanned.report)


def _finish(
    report: Report,
    format: str,
    output: Path | None,
    also: Mapping[str, Path],
    display: DisplayOptions,
    *,
    of_commit: bool,
) -> NoReturn:
    """Print and write the report, and leave with the exit code that follows from it."""
    from crimes.cli.checkout import checkout_behind, checkout_of
    from crimes.workflows.gating import exit_code
    from crimes.workflows.stages import timing_lines

    root = display.root or Path()
    checkout = partial(checkout_behind, report, root) if of_commit else partial(checkout_of, root)
    deliver(report, format, output, also, display, checkout)
    for text in timing_lines(report.timings) if report.timings else ():
        notice(text)
    raise typer.Exit(exit_code(report))


def _require_any(option: str, value: object, others: Mapping[str, object]) -> None:
    """Refuses an option that has no effect without one of the others."""
    if value and not any(others.values()):
        raise UsageError(f"{option} does nothing by itself: it goes with {' or '.join(others)}")

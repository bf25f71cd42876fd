"""`crimes scan`: look at a whole repository."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn

import typer

from crimes.cli.choosing import chosen_session, notice_empty_paths, refuse_without, selection_of
from crimes.cli.delivery import DisplayOptions, deliver
from crimes.cli.options import (
    CHOOSE,
    GATE,
    NO_FILES,
    RUN,
    AllOption,
    CacheOption,
    ColorOption,
    ConfigOption,
    CoverageOption,
    ExcludeOption,
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    GroupByOption,
    IgnoreOption,
    PathsArgument,
    QuietOption,
    ReportFormatOption,
    ReportOutputOption,
    RequireTrustedOption,
    RootOption,
    SelectOption,
    SeverityOption,
    SortOption,
    TopOption,
    VerboseOption,
    with_format_options,
)
from crimes.cli.output import notice, root_option
from crimes.cli.parsers import number, whole_number
from crimes.model.errors import UsageError
from crimes.render.formats import BY_NAME, HUMAN, no_map

if TYPE_CHECKING:
    from crimes.engine.working_set import Choice
    from crimes.model.report import Report
    from crimes.workflows.gating import Before, Gates
    from crimes.workflows.repository_map import RepositoryMap
    from crimes.workflows.selection import Selection
    from crimes.workflows.session import Session
    from crimes.workflows.since import Since


AsOfOption = Annotated[
    str,
    typer.Option(
        "--as-of",
        metavar="now|DATE|REV",
        help="Count history up to this moment instead of the last commit; a revision is scanned as it was.",
        rich_help_panel=RUN,
        show_default=False,
    ),
]
ChangedOption = Annotated[
    bool,
    typer.Option("--changed", help="Only files changed since HEAD, or since --base.", rich_help_panel=CHOOSE),
]
BaseOption = Annotated[
    str,
    typer.Option(
        "--base",
        metavar="REF",
        help="With --changed or --fail-on-new: compare with the merge base of HEAD and this branch or commit.",
        rich_help_panel=CHOOSE,
        show_default=False,
    ),
]
StagedOption = Annotated[
    bool, typer.Option("--staged", help="Only files that are staged.", rich_help_panel=CHOOSE)
]
FilesOption = Annotated[
    list[str] | None, typer.Option("--files", metavar="A,B", hidden=True, show_default=False)
]
RelatedToOption = Annotated[
    str,
    typer.Option(
        "--related-to",
        metavar="FILE",
        help="Only this file, what it imports and what imports it.",
        rich_help_panel=CHOOSE,
        show_default=False,
    ),
]
DepthOption = Annotated[
    int | None,
    typer.Option(
        "--depth",
        metavar="N",
        parser=whole_number(0),
        help="With --related-to: how many imports away [default: 1].",
        rich_help_panel=CHOOSE,
    ),
]
BaselineOption = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="With --fail-on-new: the known findings, if not in .crimes/baseline.json.",
        rich_help_panel=GATE,
    ),
]
TimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        parser=number(0.001, 1_000_000),
        help="Give up after this time, with exit code 2.",
        rich_help_panel=RUN,
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        parser=whole_number(1),
        help="Read files with this many processes [default: one per core].",
        rich_help_panel=RUN,
    ),
]
SchedulerOption = Annotated[
    str,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Read the files of a very large repository on this Dask scheduler (tcp:// or tls://).",
        rich_help_panel=RUN,
        show_default=False,
    ),
]
ProfileOption = Annotated[
    bool,
    typer.Option(
        "--profile", help="Show where the time went, on stderr and in the JSON.", rich_help_panel=RUN
    ),
]
WhyNotOption = Annotated[
    Path | None,
    typer.Option(
        "--why-not",
        metavar="FILE",
        help="Show only what was considered in this file and not reported, and why.",
        show_default=False,
        rich_help_panel=CHOOSE,
    ),
]


@with_format_options(*BY_NAME)
def scan(
    paths: PathsArgument = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    severity: SeverityOption = None,
    exclude: ExcludeOption = None,
    format: ReportFormatOption = HUMAN,
    sort: SortOption = "risk",
    group_by: GroupByOption = None,
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
    scheduler: SchedulerOption = "",
    cache: CacheOption = True,
    profile: ProfileOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    why_not: WhyNotOption = None,
    root: RootOption = None,
    config: ConfigOption = None,
) -> None:
    """Find the places where the next edit is most likely to go wrong, riskiest first."""
    from crimes.cli.working_set_options import WorkingSetOptions
    from crimes.model.scan_request import ScanRequest
    from crimes.workflows.gating import Gates
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.selection import in_order
    from crimes.workflows.since import Since

    gates = Gates(fail_on, fail_on_risk, fail_on_new, require_trusted)
    gates.check()
    request = ScanRequest(coverage=tuple(coverage or ()), config=config)
    session, selection = chosen_session(
        paths,
        root,
        selection_of(select, ignore, severity, exclude),
        ScanOptions(cache, jobs, timeout, profile),
        request,
        quiet=quiet,
    )
    if why_not is not None:
        from crimes.cli.why_not import show_why_not

        show_why_not(session, why_not, color)
        return
    since = Since(base or ("HEAD" if (changed or staged) and baseline is None else ""), baseline)
    since.check()
    refuse_without("--base", base, {"--changed": changed, "--fail-on-new": fail_on_new})
    refuse_without("--baseline", baseline, {"--fail-on-new": fail_on_new})
    refuse_without("--depth", depth is not None, {"--related-to": related_to})
    choice = WorkingSetOptions(
        changed=changed,
        staged=staged,
        base=base,
        files=tuple(files or ()),
        related_to=related_to,
        depth=1 if depth is None else depth,
    ).choice(session.root)
    if scheduler:
        _read_on_cluster(session, scheduler, as_of)
    scanned = _scan(session, as_of, choice, selection, gates)
    report = gates.apply_to(scanned.report, _before(session, scanned, since) if fail_on_new else None)
    display = DisplayOptions(
        top=top,
        all=all,
        verbose=verbose,
        quiet=quiet,
        color=color,
        group_by=group_by or "",
        place=root_option(session.root),
        root=session.root,
        until_head=not as_of,
    )
    nothing_seen = not report.findings and notice_empty_paths(session, selection)
    _finish(in_order(report, sort), format, output, also, display, scanned, nothing_seen=nothing_seen)


def _read_on_cluster(session: Session, scheduler: str, as_of: str) -> None:
    """Have files read elsewhere, into the cache that the scan then uses."""
    from crimes.cli.as_of import parse_as_of
    from crimes.cli.fleet import fleet_extra

    if not session.options.cache:
        raise UsageError("--scheduler needs the cache: what the cluster reads goes there")
    if isinstance(parse_as_of(as_of, session.root), str):
        raise UsageError(
            "--scheduler reads the files of the work tree; it cannot be combined with --as-of REV"
        )
    with fleet_extra():
        from crimes.workflows.fleet.remote_facts import read_on_cluster
    read_on_cluster(session.root, session.config(), scheduler, session.options.processes(), notice)


class _Scanned(NamedTuple):
    """The report on the whole repository, and the one on what was asked for."""

    whole: Report
    report: Report
    session: Session
    of_commit: bool


def _scan(
    session: Session, as_of: str, choice: Choice | None, selection: Selection, gates: Gates
) -> _Scanned:
    from crimes.cli.as_of import parse_as_of
    from crimes.cli.trend import record_scan
    from crimes.model.scan_request import ScanRequest

    options, moment = session.options, parse_as_of(as_of, session.root)
    of_commit = isinstance(moment, str)
    if isinstance(moment, str):
        if choice or gates.fail_on_new or session.request.coverage or options.seconds or options.profile:
            raise UsageError(
                f"--as-of {as_of} scans a past commit; it cannot be combined with a working set, coverage data, "
                "--fail-on-new, --timeout or --profile (to see what is new in it, run `crimes diff BASE...REV`)"
            )
        whole = report = session.report_on_commit(moment)
    else:
        if moment is not None:
            session = session.with_moment(moment)
        whole, report = session.reports(choice)
    # Points of a trend are comparable: same moment, same settings, same detectors.
    plain = session.request == ScanRequest(coverage=session.request.coverage)
    if options.cache and plain:
        record_scan(session.root, whole)
    return _Scanned(whole, selection.apply_to(report), session, of_commit)


def _before(session: Session, scanned: _Scanned, since: Since) -> Before | None:
    """What was there before; None for a scan that was stopped, of which nothing can be new."""
    if not scanned.report.trust.finished:
        return None
    return since.before(session, scanned.whole, scanned.report)


def _map_behind(scanned: _Scanned) -> RepositoryMap | None:
    from crimes.workflows.repository_map import scan_map

    return scan_map(scanned.session, scanned.whole)


def _finish(
    report: Report,
    format: str,
    output: Path | None,
    also: Mapping[str, Path],
    display: DisplayOptions,
    scanned: _Scanned,
    *,
    nothing_seen: bool,
) -> NoReturn:
    """Print and write the report, and leave with the exit code that follows from it.

    A gate over paths in which nothing was read has not passed: nothing was looked at.
    """
    from crimes.cli.checkout import checkout_behind, checkout_of
    from crimes.workflows.gating import exit_code
    from crimes.workflows.stages import timing_lines

    root = display.root or Path()
    checkout = partial(checkout_behind, report, root) if scanned.of_commit else partial(checkout_of, root)
    repository_map = no_map if scanned.of_commit else partial(_map_behind, scanned)
    deliver(report, format, output, also, display, checkout, repository_map=repository_map)
    for text in timing_lines(report.timings) if report.timings else ():
        notice(text)
    raise typer.Exit(2 if nothing_seen and report.gate else exit_code(report))

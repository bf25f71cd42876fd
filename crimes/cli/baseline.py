"""`crimes baseline`: write findings down, and later tell which are new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.diff import CacheOption, PathOption
from crimes.cli.formats import ReportFormat, also, asked_besides
from crimes.cli.gating import (
    Before,
    FailOnOption,
    FailOnRiskOption,
    Gates,
    RequireTrustedOption,
    exit_code,
)
from crimes.cli.output import notice, show, terminal_style, write
from crimes.cli.root import chosen_root
from crimes.model.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from crimes.model.report import Report
    from crimes.tracking.baseline import Baseline, BaselineCheck

baseline = typer.Typer(
    no_args_is_help=True,
    help="Write findings down, and tell which are new since.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

FileOption = Annotated[
    Path | None,
    typer.Option(
        "--baseline", metavar="FILE", help="The file; else .crimes/baseline.json in the repository."
    ),
]


@baseline.command()
def save(path: PathOption = None, file: FileOption = None, cache: CacheOption = True) -> None:
    """Scan, and write the findings down as known."""
    from crimes.cli import scanning
    from crimes.model.wording import count
    from crimes.system.own_folder import write_own
    from crimes.tracking.baseline import PATH, written

    root = chosen_root(path)
    report = scanning.report(root, means=scanning.ScanOptions(cache))
    if report.trust.summary is None:
        raise EnvironmentFault("the scan did not come to its end, so there is nothing to write down")
    data = written(report)
    if file is not None:
        write(data, file)
    else:
        write_own(root, PATH.rpartition("/")[2], data)
    number = report.summary.findings
    told = f"{count(number, 'finding')} {'is' if number == 1 else 'are'} known from here on"
    notice(f"{told}, in {file or PATH}")


@baseline.command()
def check(
    path: PathOption = None,
    file: FileOption = None,
    format: Annotated[
        ReportFormat,
        typer.Option("--format", "-f", help="How to print it; other than human and json hold what is new."),
    ] = ReportFormat.HUMAN,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to a file.")
    ] = None,
    json_output: Annotated[Path | None, also("json")] = None,
    sarif_output: Annotated[Path | None, also("sarif")] = None,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
) -> None:
    """Scan, and exit with 1 on a finding that is not in the baseline; --fail-on and --fail-on-risk narrow it down."""
    import msgspec

    from crimes.cli import scanning
    from crimes.cli.checkout import checkout_of
    from crimes.cli.only_new import COMPARED, deliver_new
    from crimes.model.codec import encode
    from crimes.render.baseline import lines
    from crimes.render.trust_text import gate_line

    files = asked_besides(json=json_output, sarif=sarif_output)
    root = chosen_root(path)
    known = load(root, file)
    report = scanning.report(root, means=scanning.ScanOptions(cache))
    found = compare_with_baseline(root, known, report, str(file) if file else "")
    gates = Gates(
        fail_on, fail_on_risk, require_trusted, fail_on_new=fail_on is None and fail_on_risk is None
    )
    only_new = msgspec.structs.replace(report, findings=found.new)
    decided = gates.on(only_new, Before(found.new, None))
    found = msgspec.structs.replace(found, gate=decided.gate)
    if output == Path("-"):
        output = None
    if json_output is not None:
        del files[ReportFormat.JSON]
        write(encode(found), json_output)
    if format is ReportFormat.JSON:
        write(encode(found), output)
    elif format is ReportFormat.HUMAN:
        show(lines(found), terminal_style(None, output), output)
    if files or format not in COMPARED:
        deliver_new(report, found.new, found.gate, format, output, files, lambda: checkout_of(root))
    if found.gate is not None and (format is ReportFormat.JSON or (format in COMPARED and output)):
        notice(gate_line(found.gate))
    raise typer.Exit(exit_code(decided))


def load(root: Path, file: Path | None) -> Baseline:
    """The baseline that was named, or the repository's own. Without one there is nothing to check against."""
    from crimes.system.own_folder import read_own
    from crimes.tracking.baseline import LARGEST, PATH, read

    if file is None:
        data = read_own(root, PATH.rpartition("/")[2], LARGEST)
        if data is None:
            raise UsageError(f"there is no baseline {PATH}: `crimes baseline save` writes one")
        return read(data, PATH)
    try:
        return read(file.read_bytes(), str(file))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error


def compare_with_baseline(root: Path, baseline: Baseline, report: Report, name: str = "") -> BaselineCheck:
    """A report held against a baseline."""
    from crimes.model.report import Tool
    from crimes.tracking.baseline import PATH, SCHEMA_VERSION, BaselineCheck, as_side
    from crimes.tracking.matching import compare, side_of

    renamed, warnings = _renames(root, baseline)
    found = compare(as_side(baseline), side_of(report), renamed)
    crimes = {crime.fingerprint: crime for crime in report.findings}
    known = {one.fingerprint: one for one in baseline.findings}
    return BaselineCheck(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", report.tool.version),
        repository=report.repository,
        baseline=name or PATH,
        commit=baseline.commit,
        known=len(found.unchanged) + len(found.moved),
        new=tuple(crimes[mark] for mark in found.new),
        stale=tuple(known[mark] for mark in found.fixed),
        unclear={**found.unclear, **found.lost},
        warnings=tuple(warnings),
    )


def _renames(root: Path, baseline: Baseline) -> tuple[dict[str, str], list[str]]:
    """Files that were renamed since, if git still knows the commit; else findings are known by their code."""
    from crimes.cli.comparing import renames

    if not baseline.commit:
        return {}, []
    try:
        return renames(root, baseline.commit), []
    except EnvironmentFault as fault:
        return {}, [
            f"the commit of the baseline is not known here, so renamed files are told by their code: {fault}"
        ]

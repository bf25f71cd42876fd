"""`crimes baseline`: record known findings, and later show which are new."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.delivery import COMPARED, deliver_comparison, deliver_new, to_file
from crimes.cli.options import (
    NO_FILES,
    CacheOption,
    FailOnOption,
    FailOnRiskOption,
    NewFormatOption,
    OutputOption,
    RequireTrustedOption,
    RootOption,
    with_format_options,
)
from crimes.cli.output import notice, session_for, write
from crimes.model.errors import EnvironmentFault
from crimes.render.formats import HUMAN

baseline = typer.Typer(
    no_args_is_help=True,
    help="Record known findings, and fail on new ones.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

FileOption = Annotated[
    Path | None,
    typer.Option(
        "--baseline", metavar="FILE", help="The file, if not .crimes/baseline.json in the repository."
    ),
]


@baseline.command()
def save(file: FileOption = None, cache: CacheOption = True, root: RootOption = None) -> None:
    """Record the findings of a scan as known."""
    from crimes.model.trust import Withheld
    from crimes.model.wording import count
    from crimes.system.safe_files import write_own_file
    from crimes.tracking.baseline import PATH, encode_baseline

    session = session_for(root, cache=cache)
    report = session.report()
    if not report.trust.finished:
        raise EnvironmentFault("the scan did not finish, so no baseline was written")
    if report.trust.is_collapsed:
        reason = report.trust.withheld[Withheld.FINDINGS]
        raise EnvironmentFault(f"findings are withheld, so no baseline was written: {reason}")
    data = encode_baseline(report)
    if file is not None:
        write(data, file)
    else:
        write_own_file(session.root, PATH, data)
    notice(f"{count(report.summary.findings, 'finding')} recorded as known in {file or PATH}")


@baseline.command()
@with_format_options("json", "sarif")
def check(
    file: FileOption = None,
    format: NewFormatOption = HUMAN,
    output: OutputOption = None,
    also: Mapping[str, Path] = NO_FILES,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
    root: RootOption = None,
) -> None:
    """Exit with 1 on a finding that is not in the baseline; with --fail-on or --fail-on-risk, only on one that bad."""
    import msgspec

    from crimes.cli.checkout import checkout_of
    from crimes.render.baseline import lines
    from crimes.render.trust_text import gate_line
    from crimes.workflows.change_summary import summarise_check
    from crimes.workflows.comparing import compare_with_baseline
    from crimes.workflows.gating import Before, Gates, exit_code
    from crimes.workflows.since import load_baseline

    session = session_for(root, cache=cache)
    known = load_baseline(session.root, file)
    report = session.report()
    compared = compare_with_baseline(session.root, known, report, str(file) if file else "")
    gates = Gates(
        fail_on,
        fail_on_risk,
        fail_on_new=fail_on is None and fail_on_risk is None,
        require_trusted=require_trusted,
    )
    only_new = msgspec.structs.replace(report, findings=compared.new)
    decided = gates.apply_to(only_new, Before(compared.new, None))
    compared = msgspec.structs.replace(compared, gate=decided.gate)
    output = to_file(output)
    files = deliver_comparison(compared, lambda style: lines(compared), format, output, also)
    if files or format not in COMPARED:
        checkout = partial(checkout_of, session.root)
        change = partial(summarise_check, compared)
        deliver_new(report, compared.new, compared.gate, format, output, files, checkout, change=change)
    if compared.gate is not None and (format == "json" or (format in COMPARED and output)):
        notice(gate_line(compared.gate))
    raise typer.Exit(exit_code(decided))

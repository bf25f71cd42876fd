"""`crimes calibration`: stated confidence against verdicts."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import Format, RepositoryArgument
from crimes.cli.output import print_result
from crimes.system.roots import resolve_root


def calibration(
    path: RepositoryArgument = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print the table.")] = Format.HUMAN,
) -> None:
    """Compare stated confidence with verdicts from `crimes feedback`."""
    from crimes.render.calibration import lines
    from crimes.tracking.feedback import last_verdicts, read_feedback
    from crimes.workflows.calibration import calibrate

    table = calibrate(last_verdicts(read_feedback(resolve_root(path))))
    print_result(format, table, lines(table))

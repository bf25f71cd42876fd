"""`crimes calibration`: stated confidence against verdicts."""

from __future__ import annotations

from crimes.cli.options import FormatOption, RootOption
from crimes.cli.output import print_result
from crimes.system.roots import resolve_root


def calibration(
    format: FormatOption = "human",
    root: RootOption = None,
) -> None:
    """Compare stated confidence with verdicts from `crimes feedback`."""
    from crimes.render.calibration import lines
    from crimes.tracking.feedback import last_verdicts, read_feedback
    from crimes.workflows.calibration import calibrate

    table = calibrate(last_verdicts(read_feedback(resolve_root(root))))
    print_result(format, table, lines(table))

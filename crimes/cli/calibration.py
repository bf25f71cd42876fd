"""`crimes calibration`: does confidence keep what it promises?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.output import Format, show, terminal_style, write
from crimes.cli.root import chosen_root


def calibration(
    path: Annotated[
        Path | None,
        typer.Argument(help="The repository; without it, the one around here.", show_default=False),
    ] = None,
    format: Annotated[Format, typer.Option("--format", "-f", help="How to print the table.")] = Format.HUMAN,
) -> None:
    """Compare stated confidence with the verdicts people gave."""
    from crimes.model.codec import encode
    from crimes.render.calibration import lines
    from crimes.tracking.feedback import last_verdicts, read
    from crimes.workflows.calibration import calibrate

    table = calibrate(last_verdicts(read(chosen_root(path))))
    if format is Format.JSON:
        write(encode(table))
    else:
        show(lines(table), terminal_style(None, None))

"""`crimes feedback`: say whether a finding was right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.finding import check_id, find, report_at
from crimes.cli.output import show, terminal_style
from crimes.cli.root import chosen_root
from crimes.model.errors import UsageError


def feedback(
    verdict: Annotated[str, typer.Argument(metavar="tp|fp", help="tp: the finding is real. fp: it is not.")],
    id: Annotated[str, typer.Argument(help="A finding's id, the beginning of it, or its fingerprint.")],
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, in a sentence.")] = "",
    path: Annotated[
        Path | None,
        typer.Option("--path", metavar="DIR", help="The repository; without it, the one around here."),
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Look in this JSON report, not in the last scan."),
    ] = None,
) -> None:
    """Keep a verdict on a finding in .crimes/feedback.jsonl."""
    from crimes.render.calibration import noted
    from crimes.tracking.feedback import FeedbackVerdict, append, verdict_on

    if verdict not in tuple(FeedbackVerdict):
        raise UsageError(f"{verdict} is no verdict: tp (the finding is real) or fp (it is not)")
    wanted = check_id(id)
    root = chosen_root(path)
    report, _ = report_at(root, from_)
    found = find(report, wanted)
    if len(found) > 1:
        marks = ", ".join(crime.fingerprint for crime in found)
        raise UsageError(f"{len(found)} findings share the id {found[0].id}: give one fingerprint of {marks}")
    record = verdict_on(found[0], report, FeedbackVerdict(verdict), note)
    append(root, record)
    show(noted(found[0], record), terminal_style(None, None))

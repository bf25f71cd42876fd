"""`crimes feedback`: say whether a finding was right."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import FindingArgument, FromOption, PathOption
from crimes.cli.output import session_for, show, terminal_style
from crimes.model.errors import UsageError


def feedback(
    verdict: Annotated[str, typer.Argument(metavar="tp|fp", help="tp: the finding is real. fp: it is not.")],
    id: FindingArgument,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, in a sentence.")] = "",
    path: PathOption = None,
    from_: FromOption = None,
) -> None:
    """Keep a verdict on a finding in .crimes/feedback.jsonl."""
    from crimes.render.calibration import confirmation
    from crimes.tracking.feedback import FeedbackVerdict, append_feedback, feedback_on
    from crimes.workflows.find_finding import check_id, find_matches, load_report

    if verdict not in tuple(FeedbackVerdict):
        raise UsageError(f"{verdict} is no verdict: tp (the finding is real) or fp (it is not)")
    prefix = check_id(id)
    session = session_for(path)
    report, _ = load_report(session, from_)
    crime, *others = find_matches(report, prefix)
    if others:
        fingerprints = ", ".join(same.fingerprint for same in (crime, *others))
        raise UsageError(
            f"{1 + len(others)} findings share the id {crime.id}: give one fingerprint of {fingerprints}"
        )
    record = feedback_on(crime, report, FeedbackVerdict(verdict), note)
    append_feedback(session.root, record)
    show(confirmation(crime, record), terminal_style())

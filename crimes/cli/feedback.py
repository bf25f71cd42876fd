"""`crimes feedback`: say whether a finding was right."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import FindingArgument, FromOption, RootOption
from crimes.cli.output import root_option, session_for, show, terminal_style
from crimes.model.errors import UsageError


def feedback(
    verdict: Annotated[
        str,
        typer.Argument(
            metavar="right|wrong", help="Whether the finding is right or wrong; tp and fp mean the same."
        ),
    ],
    id: FindingArgument,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, in one sentence.")] = "",
    from_: FromOption = None,
    root: RootOption = None,
) -> None:
    """Record whether a finding is right, in .crimes/feedback.jsonl."""
    from crimes.render.calibration import confirmation
    from crimes.tracking.feedback import VERDICTS, append_feedback, feedback_on
    from crimes.workflows.find_finding import check_id, find_items, find_one, load_report
    from crimes.workflows.last_scan import load_change

    judged = VERDICTS.get(verdict.lower())
    if judged is None:
        if id.lower() in VERDICTS:
            raise UsageError(f"the verdict comes first: crimes feedback {id} {verdict}")
        raise UsageError(f"'{verdict}' is not a verdict; use 'right' or 'wrong'")
    prefix = check_id(id)
    session = session_for(root)
    if from_ is None and find_items(load_change(session.root), prefix):
        raise UsageError(
            f"{prefix} is about a change, and feedback is about findings; to hide it, use `crimes ignore`"
        )
    report, _ = load_report(session, from_)
    crime = find_one(report, prefix)
    record = feedback_on(crime, report, judged, note)
    append_feedback(session.root, record)
    show(confirmation(crime, record, root_option(session.root)), terminal_style())

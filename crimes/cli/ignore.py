"""`crimes ignore`: ignore a finding, with a recorded reason."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from crimes.cli.options import FindingArgument, FromOption, RootOption
from crimes.cli.output import notice, session_for
from crimes.model.errors import UsageError


def ignore(
    id: FindingArgument,
    reason: Annotated[
        str,
        typer.Option("--reason", metavar="TEXT", help="Why it is ignored.", show_default=False),
    ],
    until: Annotated[
        str, typer.Option("--until", metavar="DATE", help="The last day it is ignored, like 2027-01-31.")
    ] = "",
    from_: FromOption = None,
    root: RootOption = None,
) -> None:
    """Ignore a finding, with a reason."""
    from crimes.system.safe_files import read_own_file, write_own_file
    from crimes.tracking.identity import identity_of
    from crimes.tracking.ignores import PATH, Entry, format_entry, parse_ignore_list
    from crimes.workflows.find_finding import check_id, find_one, load_report

    if not reason.strip():
        raise UsageError("--reason is empty; say why in one sentence")
    prefix = check_id(id)
    session = session_for(root)
    top, (report, _) = session.root, load_report(session, from_)
    crime = find_one(report, prefix)
    old = read_own_file(top, PATH) or b""
    there = parse_ignore_list(old)
    if there.fault:
        raise UsageError(f"{PATH} is damaged; fix or delete it: {there.fault}")
    if any(entry.identity.fingerprint == crime.fingerprint for entry in there.entries):
        raise UsageError(f"{crime.id} is already in {PATH}")
    entry = Entry(identity_of(crime), reason.strip(), _parse_date(until))
    before = old.decode("utf-8-sig").rstrip()
    write_own_file(top, PATH, "\n\n".join(filter(None, (before, format_entry(entry)))).encode())
    last_day = f" until {entry.until}" if entry.until else ""
    notice(f"Ignored{last_day}: {crime.type} {crime.id} at {crime.file}:{crime.lines.start} (in {PATH})")


def _parse_date(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--until: '{text}' is not a date; write it like 2027-01-31") from error

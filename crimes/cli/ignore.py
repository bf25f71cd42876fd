"""`crimes ignore`: ignore a finding, with a recorded reason."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from crimes.cli.options import AnyIdArgument, FromOption, RootOption
from crimes.cli.output import notice, session_for
from crimes.model.errors import UsageError


def ignore(
    id: AnyIdArgument,
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
    from crimes.tracking.identity import FindingIdentity, identity_of
    from crimes.tracking.ignores import PATH, Entry, format_entry, parse_ignore_list
    from crimes.workflows.find_finding import check_id, find_items, find_one, load_report
    from crimes.workflows.last_scan import load_change

    if not reason.strip():
        raise UsageError("--reason is empty; say why in one sentence")
    prefix = check_id(id)
    session = session_for(root)
    top = session.root
    items = () if from_ else find_items(load_change(top), prefix)
    if len(items) == 1:
        (item,) = items
        identity = FindingIdentity(item.id, item.kind, item.file, item.name)
        id_, place = item.id, item.file
    else:
        crime = find_one(load_report(session, from_)[0], prefix)
        identity, id_, place = identity_of(crime), crime.id, f"{crime.file}:{crime.lines.start}"
    old = read_own_file(top, PATH) or b""
    there = parse_ignore_list(old)
    if there.fault:
        raise UsageError(f"{PATH} is damaged; fix or delete it: {there.fault}")
    if any(entry.identity.fingerprint == identity.fingerprint for entry in there.entries):
        raise UsageError(f"{id_} is already in {PATH}")
    entry = Entry(identity, reason.strip(), _parse_date(until))
    before = old.decode("utf-8-sig").rstrip()
    write_own_file(top, PATH, "\n\n".join(filter(None, (before, format_entry(entry)))).encode())
    last_day = f" until {entry.until}" if entry.until else ""
    notice(f"ignored{last_day}: {identity.type} {id_} at {place} (in {PATH})")


def _parse_date(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--until: '{text}' is not a date; write it like 2027-01-31") from error

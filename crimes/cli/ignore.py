"""`crimes ignore`: leave a finding out, with a reason that stays."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.diff import PathOption
from crimes.cli.finding import check_id, find, report_at
from crimes.cli.output import notice
from crimes.cli.root import chosen_root
from crimes.model.errors import UsageError


def ignore(
    id: Annotated[str, typer.Argument(help="A finding's id, the beginning of it, or its fingerprint.")],
    reason: Annotated[
        str,
        typer.Option("--reason", metavar="TEXT", help="Why it is left out; required.", show_default=False),
    ],
    until: Annotated[
        str, typer.Option("--until", metavar="DATE", help="The last day it is left out, like 2027-01-31.")
    ] = "",
    path: PathOption = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Look in this JSON report, not in the last scan."),
    ] = None,
) -> None:
    """Leave a finding out of reports and gates, in .crimes/ignore.toml."""
    from crimes.system.own_folder import read_own, write_own
    from crimes.tracking.ignores import PATH, Entry, parsed, written
    from crimes.tracking.matching import known_crime

    if not reason.strip():
        raise UsageError("--reason: say why, in a sentence")
    wanted = check_id(id)
    root = chosen_root(path)
    report, _ = report_at(root, from_)
    found = find(report, wanted)
    if len(found) > 1:
        raise UsageError(f"{len(found)} findings share the id {found[0].id}: give a fingerprint")
    crime = found[0]
    name = PATH.rpartition("/")[2]
    old = read_own(root, name) or b""
    there = parsed(old)
    if there.fault:
        raise UsageError(f"{PATH} is not touched: {there.fault}")
    if any(entry.known.fingerprint == crime.fingerprint for entry in there.entries):
        raise UsageError(f"{crime.id} is in {PATH} already")
    entry = Entry(known_crime(crime), reason.strip(), _day(until))
    before = old.decode("utf-8-sig").rstrip()
    write_own(root, name, "\n\n".join(filter(None, (before, written(entry)))).encode())
    notice(f"{crime.id} ({crime.type} in {crime.file}) is left out from here on, in {PATH}")


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--until {text}: expected a date like 2027-01-31") from error

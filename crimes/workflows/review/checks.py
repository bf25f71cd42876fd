"""A record's claims checked against the real diff. A false claim is overridden, and the record says so."""

from __future__ import annotations

from msgspec.structs import replace

from crimes.system.git_diff import Change, Difference
from crimes.workflows.review.record import Record

_MAX_PARTS_NAMED = 5


def check_claims(record: Record, diff: Difference) -> Record:
    """The record with `in_diff` set from the diff, and a line in `checks` for every difference."""
    change = diff.changes.get(record.file)
    placed = change is not None and change.shows(record.line)
    notes = list(record.checks)
    if record.in_diff and not placed:
        notes.append(f"in_diff overridden: {_absence(record, diff)}")
    elif placed and not record.in_diff:
        notes.append(f"the diff shows line {record.line}, but the record says it does not; left unchanged")
    elif change is not None and record.in_changed_code and placed and not change.adds(record.line):
        notes.append(f"line {record.line} is in the diff, but unchanged")
    return replace(record, in_diff=record.in_diff and placed, placed=placed, checks=tuple(notes))


def _absence(record: Record, diff: Difference) -> str:
    """Why the line is not in the diff."""
    change = diff.changes.get(record.file)
    if change is None:
        renamed = [path for path, old in diff.moved.items() if old == record.file]
        return f"the file is now called {renamed[0]}" if renamed else "the diff does not touch this file"
    if change.deleted:
        return "the diff deletes this file"
    if not change.shown:
        return "the diff shows no lines of this file: it is binary or was only moved"
    return f"line {record.line} is outside the lines the diff shows: {_parts(change)}"


def _parts(change: Change) -> str:
    named = [f"{part.start}-{part.stop - 1}" for part in change.shown[:_MAX_PARTS_NAMED]]
    more = len(change.shown) - len(named)
    return ", ".join(named) + (f" and {more} more parts" if more else "")

"""What people decided about findings: one decision a line in `.crimes/triage.jsonl`, the last one on a finding counts.

A decision holds as long as the file of the finding is what it was; when it is touched the finding comes back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from crimes.model.errors import UsageError
from crimes.tracking.matching import FindingIdentity

PATH = ".crimes/triage.jsonl"
_FAULTS_SHOWN = 20


class Choice(StrEnum):
    """What is to become of a finding."""

    FIX_NOW = "fix_now"
    THIS_CHANGE = "this_change"
    LATER = "later"
    WONT_FIX = "wont_fix"
    FALSE_ALARM = "false_alarm"


SET_ASIDE = frozenset({Choice.LATER, Choice.WONT_FIX, Choice.FALSE_ALARM})  # and these take a reason

Text = Annotated[str, Meta(max_length=2_000)]


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision, with what the finding is known by and the content its file had."""

    version: Literal[1]
    finding: FindingIdentity
    decision: Choice
    owner: Text
    reason: Text
    content: str  # a digest
    commit: str


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision as somebody hands it in; `id` is an id, the beginning of one, or a fingerprint."""

    id: str
    decision: Choice
    owner: Text = ""
    reason: Text = ""


class Decided(Struct, frozen=True):
    """The decisions of the file, and what is wrong with it; a file that is wrong is not used at all."""

    decisions: tuple[Decision, ...] = ()
    fault: str = ""


def decided(read: Callable[[str], bytes]) -> Decided:
    """What `.crimes/triage.jsonl` says: the last decision on each finding, in the order of their first."""
    try:
        data = read(PATH)
    except (FileNotFoundError, NotADirectoryError, KeyError):
        return Decided()
    except OSError as error:
        return Decided(fault=f"it cannot be read: {error.strerror or error}")
    return parsed(data)


def parsed(data: bytes) -> Decided:
    last: dict[str, Decision] = {}
    for number, row in enumerate(data.split(b"\n"), 1):
        if not row.strip():
            continue
        try:
            made = msgspec.json.decode(row, type=Decision)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return Decided(fault=f"line {number} is no decision: {str(error)[:200]}")
        last[made.finding.fingerprint] = made
    return Decided(tuple(last.values()))


def wishes(data: bytes, name: str) -> tuple[Wish, ...]:
    """Decisions to apply: a JSON array, or an object a line. One fault refuses all, after every one is known."""
    rows = _rows(data, name)
    made, faults = [], []
    for number, row in enumerate(rows, 1):
        try:
            wish = msgspec.json.decode(row, type=Wish)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            faults.append(f"  decision {number}: {error}")
            continue
        if wish.decision in SET_ASIDE and not wish.reason.strip():
            faults.append(f"  decision {number}: {wish.decision} needs a reason")
        made.append(wish)
    if faults:
        more = [f"  and {len(faults) - _FAULTS_SHOWN:,} more"] if len(faults) > _FAULTS_SHOWN else []
        told = "\n".join((*faults[:_FAULTS_SHOWN], *more))
        raise UsageError(f"{name} has what is no decision; nothing was applied:\n{told}")
    return tuple(made)


def _rows(data: bytes, name: str) -> Iterable[bytes]:
    if not data.lstrip().startswith(b"["):
        return [row for row in data.split(b"\n") if row.strip()]
    try:
        return [bytes(row) for row in msgspec.json.decode(data, type=list[msgspec.Raw])]
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"{name} is not JSON: {error}") from error


def written(decisions: Iterable[Decision]) -> bytes:
    return b"".join(msgspec.json.encode(decision) + b"\n" for decision in decisions)


def content_mark(content: bytes) -> str:
    """The digest by which a touched file is told."""
    return hashlib.sha256(content).hexdigest()[:16]

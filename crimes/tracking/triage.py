"""Decisions of people about findings: one per line in `.crimes/triage.jsonl`; the last one on a finding counts.

A decision holds while the file of the finding is unchanged; after an edit the finding comes back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from crimes.model.errors import UsageError
from crimes.tracking.identity import FindingIdentity

PATH = ".crimes/triage.jsonl"
_MAX_FAULTS_SHOWN = 20


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
    """A decision, with the identity of its finding and the content its file had."""

    version: Literal[1]
    finding: FindingIdentity
    decision: Choice
    owner: Text
    reason: Text
    content: str  # a digest
    commit: str
    date: str = ""  # the day it was made; empty in older records


class DecisionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision to apply; `id` is an id, the beginning of one, or a fingerprint."""

    id: str
    decision: Choice
    owner: Text = ""
    reason: Text = ""


class Decisions(Struct, frozen=True):
    """The decisions of the file, or its fault: a file with a fault is not used at all."""

    decisions: tuple[Decision, ...] = ()
    fault: str = ""


def load_decisions(read: Callable[[str], bytes]) -> Decisions:
    """The decisions of a repository; none without `.crimes/triage.jsonl`."""
    try:
        data = read(PATH)
    except (FileNotFoundError, NotADirectoryError, KeyError):
        return Decisions()
    except OSError as error:
        return Decisions(fault=f"it cannot be read: {error.strerror or error}")
    return parse_decisions(data)


def parse_decisions(data: bytes) -> Decisions:
    """The last decision on each finding, in the order of the first ones."""
    last: dict[str, Decision] = {}
    for number, row in enumerate(data.split(b"\n"), 1):
        if not row.strip():
            continue
        try:
            decision = msgspec.json.decode(row, type=Decision)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return Decisions(fault=f"line {number} is not a decision: {str(error)[:200]}")
        last[decision.finding.fingerprint] = decision
    return Decisions(tuple(last.values()))


def parse_requests(data: bytes, name: str) -> tuple[DecisionRequest, ...]:
    """Decisions to apply: a JSON array, or one object per line. UsageError names every fault, and nothing is applied."""
    rows = _split_rows(data, name)
    requests, faults = [], []
    for number, row in enumerate(rows, 1):
        try:
            request = msgspec.json.decode(row, type=DecisionRequest)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            faults.append(f"  decision {number}: {error}")
            continue
        if request.decision in SET_ASIDE and not request.reason.strip():
            faults.append(f"  decision {number}: {request.decision} needs a reason")
        requests.append(request)
    if faults:
        more = [f"  and {len(faults) - _MAX_FAULTS_SHOWN:,} more"] if len(faults) > _MAX_FAULTS_SHOWN else []
        lines = "\n".join((*faults[:_MAX_FAULTS_SHOWN], *more))
        raise UsageError(f"{name} has entries that are not decisions; nothing was applied:\n{lines}")
    return tuple(requests)


def _split_rows(data: bytes, name: str) -> Iterable[bytes]:
    if not data.lstrip().startswith(b"["):
        return [row for row in data.split(b"\n") if row.strip()]
    try:
        return [bytes(row) for row in msgspec.json.decode(data, type=list[msgspec.Raw])]
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"{name} is not JSON: {error}") from error


def encode_decisions(decisions: Iterable[Decision]) -> bytes:
    """The content of the file."""
    return b"".join(msgspec.json.encode(decision) + b"\n" for decision in decisions)


def digest_content(content: bytes) -> str:
    """The digest by which an edited file is recognised."""
    return hashlib.sha256(content).hexdigest()[:16]

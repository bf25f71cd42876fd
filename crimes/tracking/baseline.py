"""A baseline: the findings of one scan written down, so that a later one can tell what is new.

The file is part of the repository, one finding a line. One that is damaged, empty or of another version is refused: a gate
must not pass because what it is held against is gone.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from crimes import __version__
from crimes.model.errors import UsageError
from crimes.model.report import Crime, Gate, Report, Tool
from crimes.tracking.matching import FindingIdentity, Side, side_of

PATH = ".crimes/baseline.json"
VERSION = 1
SCHEMA_VERSION = "1.0"
LARGEST = 200_000_000


class Baseline(Struct, frozen=True, forbid_unknown_fields=True):
    """What is in the file."""

    version: Literal[1]
    tool: str
    commit: str  # that the scan was made at; files renamed since then are known again by it
    detectors: tuple[str, ...]  # that ran: of others nothing can be said to be new
    findings: tuple[FindingIdentity, ...]


class BaselineCheck(Struct, frozen=True):
    """A scan held against a baseline: the type behind `crimes baseline check --format json`."""

    schema_version: str
    tool: Tool
    repository: str
    baseline: str  # the file
    commit: str
    known: int  # findings that are in the baseline
    new: tuple[Crime, ...]
    stale: tuple[FindingIdentity, ...]  # in the baseline, and not there any more
    unclear: dict[str, str]  # fingerprints of findings that cannot be said to be new, and why
    warnings: tuple[str, ...]
    gate: Gate | None = None


class _Findings(Struct):
    version: Annotated[int, Meta(ge=1)]


def written(report: Report) -> bytes:
    """A report as a baseline, the findings sorted by where they stand."""
    side = side_of(report)
    known = sorted(side.known, key=lambda one: (one.file, one.type, one.symbol, one.fingerprint))
    head = {"version": VERSION, "tool": __version__, "commit": report.history.head}
    rows = [f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items()]
    rows.append(f'  "detectors": {json.dumps(sorted(side.ran))},\n')
    listed = ",\n".join(f"    {json.dumps(msgspec.to_builtins(one))}" for one in known)
    rows.append(f'  "findings": [\n{listed}\n  ]\n' if known else '  "findings": []\n')
    return ("{\n" + "".join(rows) + "}\n").encode()


def read(data: bytes, name: str) -> Baseline:
    """The baseline in a file. UsageError for whatever is none."""
    if not data.strip():
        raise UsageError(
            f"{name} is empty: nothing can be held against it. `crimes baseline save` writes one"
        )
    try:
        version = msgspec.json.decode(data, type=_Findings).version
        if version != VERSION:
            raise UsageError(f"{name} has version {version}, this crimes reads {VERSION}: save it again")
        made = msgspec.json.decode(data, type=Baseline)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{name} is not a baseline: {error}") from error
    marks = {one.fingerprint for one in made.findings}
    if not made.detectors or len(marks) != len(made.findings):
        raise UsageError(f"{name} is not a baseline: it names no detectors, or one finding twice")
    return made


def as_side(baseline: Baseline) -> Side:
    """The baseline as the earlier side of a comparison."""
    return Side(baseline.findings, frozenset(baseline.detectors))

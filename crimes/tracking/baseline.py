"""A baseline: the findings of one scan in a file, so that a later scan can tell what is new.

The file is part of the repository, one finding a line. A file that is damaged, empty or of another version is
refused: a gate must not pass because there is nothing left to compare with.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from operator import attrgetter
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from crimes import __version__
from crimes.model.errors import UsageError
from crimes.model.report import Crime, Gate, Report, Tool
from crimes.tracking.identity import FindingIdentity
from crimes.tracking.matching import Side, side_of

PATH = ".crimes/baseline.json"
VERSION = 1
SCHEMA_VERSION = "1.0"
MAX_BYTES = 200_000_000


class Baseline(Struct, frozen=True, forbid_unknown_fields=True):
    """What is in the file."""

    version: Literal[1]
    tool: str
    commit: str  # that was scanned; files renamed since then are found through it
    detectors: tuple[str, ...]  # that ran: findings of others cannot be called new
    findings: tuple[FindingIdentity, ...]


class BaselineCheck(Struct, frozen=True):
    """A scan held against a baseline: the type behind `crimes baseline check --format json`."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    baseline: str  # path of the baseline
    commit: str  # the commit that the baseline was saved at
    known: int  # findings that are in the baseline
    new: tuple[Crime, ...]  # findings that are not
    stale: tuple[FindingIdentity, ...]  # entries of the baseline without a finding
    unclear: dict[str, str]  # fingerprints of findings that cannot be called new, and why
    warnings: tuple[str, ...]  # anything else a reader should know
    gate: Gate | None = None  # how the gate ended


class _Versioned(Struct):
    version: Annotated[int, Meta(ge=1)]


def encode_baseline(report: Report) -> bytes:
    """The findings about code of a report as the bytes of a baseline, sorted by place."""
    side = side_of(report)
    findings = sorted(side.findings, key=attrgetter("file", "type", "symbol", "fingerprint"))
    head = {"version": VERSION, "tool": __version__, "commit": report.history.head}
    rows = [f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items()]
    rows.append(f'  "detectors": {json.dumps(sorted(side.ran))},\n')
    listed = ",\n".join(f"    {json.dumps(msgspec.to_builtins(finding))}" for finding in findings)
    rows.append(f'  "findings": [\n{listed}\n  ]\n' if findings else '  "findings": []\n')
    return ("{\n" + "".join(rows) + "}\n").encode()


def parse_baseline(data: bytes, name: str) -> Baseline:
    """The baseline in a file; UsageError when it is not one."""
    if not data.strip():
        raise UsageError(f"{name} is empty; run `crimes baseline save` to write a new one")
    try:
        version = msgspec.json.decode(data, type=_Versioned).version
        if version != VERSION:
            raise UsageError(
                f"{name} has version {version}, but this crimes reads {VERSION}; run `crimes baseline save` again"
            )
        baseline = msgspec.json.decode(data, type=Baseline)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{name} is not a baseline: {error}") from error
    fingerprints = {finding.fingerprint for finding in baseline.findings}
    if not baseline.detectors or len(fingerprints) != len(baseline.findings):
        raise UsageError(f"{name} is not a baseline: it names no detectors, or lists a finding twice")
    return baseline


def as_side(baseline: Baseline, leave_out: Collection[str] = ()) -> Side:
    """The baseline as the earlier side of a comparison, without the findings of some types."""
    findings = tuple(finding for finding in baseline.findings if finding.type not in leave_out)
    return Side(findings, frozenset(baseline.detectors))

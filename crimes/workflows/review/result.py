"""The result of one review: the versioned types behind `--format json`. Views render it, nothing is posted.

Adding a key is a minor version; renaming or removing one is a major version.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from crimes.model.report import Tool
from crimes.model.severity import Severity
from crimes.workflows.review.policy import Disposition
from crimes.workflows.review.record import Evidence, Kind, ReviewVerdict, Visibility
from crimes.workflows.review.table import Gate

SCHEMA_VERSION = "1.0"

Score = Annotated[int, Meta(ge=0, le=100)]


class Item(Struct, frozen=True):
    """A record with its score and what becomes of it."""

    source: str  # records, crimes
    record: int | None  # its place in the input, from 0; null for crimes' own findings
    id: str
    file: str
    line: int
    category: Kind
    verdict: ReviewVerdict
    evidence_strength: Evidence
    context_completeness: Visibility
    drafter_severity: Severity | None
    verifier_severity: Severity
    in_diff: bool  # set from the diff, when there was one
    in_changed_code: bool
    title: str
    message: str
    score: Score
    band: str
    subtotal: int
    concordance: int
    trace: str  # "92 = 70 CONFIRMED +18 direct +4 context partial"
    gate: Gate | None  # what kept it from being scored
    disposition: Disposition
    forced: bool
    why: str
    placed: bool | None  # whether the diff shows the line; null when no base was given
    checks: tuple[str, ...]


class SkippedRecord(Struct, frozen=True):
    """A record that was refused, with all its faults."""

    record: int
    errors: tuple[str, ...]


class Counts(Struct, frozen=True):
    """How many there are of each."""

    records: int
    own: int
    inline: int
    forced: int
    summary: int
    audit: int
    dropped: int
    overridden: int
    skipped: int


class Review(Struct, frozen=True):
    """One review. Each list is in the order of posting."""

    schema_version: str
    tool: Tool
    base: str  # the commit the work tree was compared with; empty when none was given
    threshold: Score
    threshold_band: str
    cap: int
    counts: Counts
    inline: tuple[Item, ...]
    summary: tuple[Item, ...]
    audit: tuple[Item, ...]
    dropped: tuple[Item, ...]
    skipped: tuple[SkippedRecord, ...]
    warnings: tuple[str, ...]  # what crimes itself could not look at

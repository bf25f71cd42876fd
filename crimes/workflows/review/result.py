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

SCHEMA_VERSION = "1.3"

Score = Annotated[int, Meta(ge=0, le=100)]


class Item(Struct, frozen=True):
    """A record with its score and what becomes of it."""

    source: str  # `records` or `crimes`
    record: int | None  # its place in the input, from 0; null for crimes' own findings
    id: str  # the reviewer's own id, or the id of crimes' finding; may be empty
    file: str  # path from the root
    line: int  # line of the new side, from 1
    category: Kind  # what the record is about
    verdict: ReviewVerdict  # what the verifier made of it
    evidence_strength: Evidence  # how directly the evidence shows the problem
    context_completeness: Visibility  # how much of the code around it was seen
    drafter_severity: Severity | None  # severity the drafter gave; null for crimes' own findings
    verifier_severity: Severity  # severity the verifier gave
    in_diff: bool  # whether it is in the diff; set from the diff when there was one
    in_changed_code: bool  # whether it is in changed code
    title: str  # its title
    message: str  # its text
    score: Score  # points from 0 to 100
    band: str  # `strong`, `moderate`, `weak` or `negligible`
    subtotal: int  # points before the two severities are compared
    concordance: int  # points for severities that agree
    trace: str  # the score written out: "92 = 70 CONFIRMED +18 direct +4 context partial"
    gate: Gate | None  # what kept it from being scored; null for nothing
    disposition: Disposition  # where it goes
    forced: bool  # whether it is posted whatever its score
    why: str  # the reason for the disposition
    placed: bool | None  # whether the diff shows the line; null without a base
    checks: tuple[str, ...]  # what was checked against the repository


class SkippedRecord(Struct, frozen=True):
    """A record that was refused, with all its faults."""

    record: int  # its place in the input, from 0
    errors: tuple[str, ...]  # all its faults


class Counts(Struct, frozen=True):
    """How many there are of each."""

    records: int  # records in the input
    own: int  # findings of crimes itself
    inline: int  # comments on lines
    forced: int  # of these, posted whatever their score
    summary: int  # in the summary
    audit: int  # kept for the audit
    dropped: int  # left out
    overridden: int  # records whose place was corrected from the diff
    skipped: int  # records that were refused


class Review(Struct, frozen=True):
    """One review. Each list is in the order of posting."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    base: str  # the commit the work tree was compared with; empty without one
    threshold: Score  # score a comment needs
    threshold_band: str  # the band the threshold lies in
    cap: int  # most comments besides those always posted
    counts: Counts  # totals
    inline: tuple[Item, ...]  # to post on their lines, in this order
    summary: tuple[Item, ...]  # to put into the summary
    audit: tuple[Item, ...]  # dismissed security records
    dropped: tuple[Item, ...]  # left out
    skipped: tuple[SkippedRecord, ...]  # refused records
    warnings: tuple[str, ...]  # what crimes itself could not look at
    assessment: str = ""  # `approve` when nothing is inline and, with --own, trust allows a verdict on the change, else `comment`; a label, never a vote
    change: str = ""  # the verdict on the change in one line, as `crimes check` has it; empty without --own
    trust: str = (
        ""  # class and main reason of a scan that is not trusted; empty for one that is, and without --own
    )

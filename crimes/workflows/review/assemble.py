"""One review: from records to the result."""

from __future__ import annotations

from crimes import __version__
from crimes.model.report import Tool
from crimes.system.git_diff import Difference
from crimes.workflows.review.checks import check_claims
from crimes.workflows.review.own import OwnReview
from crimes.workflows.review.policy import COMMENT, PlacedRecord, Threshold, arrange
from crimes.workflows.review.reading import Input
from crimes.workflows.review.result import SCHEMA_VERSION, Counts, Item, Review, SkippedRecord


def assemble(
    reviewed: Input,
    diff: Difference | None,
    own: OwnReview,
    threshold: Threshold,
    cap: int,
) -> Review:
    """The review: records checked against the diff, scored together with crimes' own findings, and placed."""
    records = [check_claims(record, diff) for record in reviewed.records] if diff else reviewed.records
    overridden = sum(
        before.in_diff and not after.in_diff for before, after in zip(reviewed.records, records, strict=True)
    )
    arranged = arrange((*records, *own.records), threshold.score, cap)
    return Review(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        base=diff.base if diff else "",
        threshold=threshold.score,
        threshold_band=threshold.band,
        cap=cap,
        counts=Counts(
            records=len(reviewed.records),
            own=len(own.records),
            inline=len(arranged.inline),
            forced=sum(item.forced for item in arranged.inline),
            summary=len(arranged.summary),
            audit=len(arranged.audit),
            dropped=len(arranged.dropped),
            overridden=overridden,
            skipped=len(reviewed.refused),
        ),
        inline=tuple(map(_item, arranged.inline)),
        summary=tuple(map(_item, arranged.summary)),
        audit=tuple(map(_item, arranged.audit)),
        dropped=tuple(map(_item, arranged.dropped)),
        skipped=tuple(SkippedRecord(refused.number, refused.errors) for refused in reviewed.refused),
        warnings=own.warnings,
        assessment=COMMENT if own.undecided else arranged.assessment,
        change=own.verdict,
        trust=own.trust,
    )


def _item(placed: PlacedRecord) -> Item:
    record, points = placed.record, placed.points
    return Item(
        source="crimes" if record.number is None else "records",
        record=record.number,
        id=record.id,
        file=record.file,
        line=record.line,
        category=record.category,
        verdict=record.verdict,
        evidence_strength=record.evidence,
        context_completeness=record.context,
        drafter_severity=record.drafter,
        verifier_severity=record.verifier,
        in_diff=record.in_diff,
        in_changed_code=record.in_changed_code,
        title=record.title,
        message=record.message,
        score=points.score,
        band=points.band,
        subtotal=points.subtotal,
        concordance=points.concordance,
        trace=points.trace,
        gate=points.gate,
        disposition=placed.disposition,
        forced=placed.forced,
        why=placed.why,
        placed=record.placed,
        checks=record.checks,
    )

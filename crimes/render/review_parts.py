"""What the views of a review share: sentences about the whole, and one record as markdown."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.wording import count
from crimes.render.escape import block_quote, code_span, escape_around_code, escape_line
from crimes.workflows.change_verdict import UNKNOWN
from crimes.workflows.review.policy import Disposition
from crimes.workflows.review.result import Item, Review

MAX_TITLE_CHARS = 300
MAX_MESSAGE_CHARS = 6_000
MAX_AUDIT_CHARS = 600
MAX_WARNINGS = 20


def headline(review: Review) -> str:
    """How many records came in, and where they went."""
    counts = review.counts
    received = count(counts.records, "record")
    if counts.own:
        received += f" and {count(counts.own, 'finding')} of crimes"
    forced = f" ({counts.forced} regardless of score)" if counts.forced else ""
    return (
        f"{review.assessment.capitalize()}. {received}: {count(counts.inline, 'comment')}{forced}, {counts.summary} in the summary, "
        f"{counts.audit} for the audit, {counts.dropped} dropped."
    )


def remarks(review: Review) -> Iterator[str]:
    """What a reader has to know about how the review was made."""
    counts = review.counts
    if review.trust:
        yield f"Trust in the findings of crimes: {review.trust}."
    state, _, reason = review.change.partition(": ")
    if state == UNKNOWN:
        yield f"Not approved, for there is no verdict on the change: {reason}."
    elif review.change:
        yield f"The change is {review.change}."
    if review.base:
        yield f"Lines were checked against the diff from {review.base[:12]} to the working tree."
    else:
        yield "No base was given, so claims about the diff were not checked."
    if counts.overridden:
        yield f"{count(counts.overridden, 'record')} claimed to be in the diff but {_are(counts.overridden)} not."
    if counts.skipped:
        yield f"{count(counts.skipped, 'record')} {_are(counts.skipped)} not valid and {_were(counts.skipped)} skipped."
    yield from review.warnings[:MAX_WARNINGS]
    if len(review.warnings) > MAX_WARNINGS:
        yield f"{len(review.warnings) - MAX_WARNINGS:,} more files were not read, or only in part."
    yield f"Comments need a score of {review.threshold} or more; at most {review.cap} are posted besides those that always are."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def origin(item: Item) -> str:
    """Where an item comes from: `record 3`, or the id of crimes' own finding."""
    return f"crimes {item.id}" if item.record is None else f"record {item.record}"


def label(item: Item) -> str:
    """Severity, subject, verdict and score."""
    return f"{item.verifier_severity} {item.category}, {item.verdict}, score {item.score} ({item.band})"


def comment(item: Item) -> list[str]:
    """An item as the rows of a comment on its line."""
    rows = [f"**{label(item)}**"]
    if item.title:
        rows += ["", escape_line(item.title, MAX_TITLE_CHARS)]
    if item.message:
        rows += ["", *_message(item)]
    rows += ["", escape_line(f"{origin(item)}: {item.trace}", MAX_TITLE_CHARS)]
    return rows


def entry(item: Item) -> list[str]:
    """An item as the rows of a list entry, with its place; the message of one to audit is cut, so that it leaves room."""
    max_chars = MAX_AUDIT_CHARS if item.disposition is Disposition.AUDIT else MAX_MESSAGE_CHARS
    place = code_span(f"{item.file}:{item.line}")
    rows = [f"- {place} {label(item)}: {escape_line(item.why, MAX_TITLE_CHARS)}"]
    inner = ["", escape_line(item.title, MAX_TITLE_CHARS)] if item.title else []
    if item.message:
        inner += ["", *_message(item, max_chars)]
    for check in item.checks:
        inner += ["", f"Checked: {escape_line(check, MAX_TITLE_CHARS)}"]
    return rows + [f"  {row}".rstrip() for row in inner]


def _message(item: Item, max_chars: int = MAX_MESSAGE_CHARS) -> list[str]:
    if item.source == "crimes":
        return [escape_around_code(item.message, max_chars)]
    return block_quote(item.message, max_chars)

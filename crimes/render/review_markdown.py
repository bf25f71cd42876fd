"""A review as markdown, for a file or a page."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.render.escape import code_span, escape_line
from crimes.render.review_parts import MAX_TITLE_CHARS, entry, headline, remarks
from crimes.workflows.review.result import Review


def markdown(review: Review) -> str:
    """Comments, summary and audit in full, the rest as a list of places and reasons."""
    return "\n".join(_rows(review)) + "\n"


def _rows(review: Review) -> Iterator[str]:
    yield from ("# Review", "", headline(review), "")
    yield from (f"- {escape_line(text, MAX_TITLE_CHARS)}" for text in remarks(review))
    for title, items in (
        ("Comments", review.inline),
        ("Summary", review.summary),
        ("Dismissed security records, to audit", review.audit),
    ):
        if items:
            yield from ("", f"## {title}")
        for item in items:
            yield from ("", *entry(item))
    if review.dropped:
        yield from ("", "## Dropped", "")
    for item in review.dropped:
        reasons = "; ".join((item.why, *item.checks))
        yield f"- {code_span(f'{item.file}:{item.line}')} {item.category}: {escape_line(reasons, MAX_TITLE_CHARS)}"
    if review.skipped:
        yield from ("", "## Skipped, not valid", "")
    for skipped in review.skipped:
        yield from (f"- {escape_line(error, MAX_TITLE_CHARS)}" for error in skipped.errors)

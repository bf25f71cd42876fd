"""A review as markdown, for a file or a page."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.render.escape import code, escaped
from crimes.render.review_parts import LONGEST_TITLE, entry, headline, remarks
from crimes.workflows.review.result import Review


def markdown(review: Review) -> str:
    """Comments and summary in full, the rest as a list of places and reasons."""
    return "\n".join(_rows(review)) + "\n"


def _rows(review: Review) -> Iterator[str]:
    yield from ("# Review", "", headline(review), "")
    yield from (f"- {escaped(text, LONGEST_TITLE)}" for text in remarks(review))
    for title, items in (("Comments", review.inline), ("Summary", review.summary)):
        if items:
            yield from ("", f"## {title}")
        for item in items:
            yield from ("", *entry(item))
    for title, items in (("Audit", review.audit), ("Dropped", review.dropped)):
        if items:
            yield from ("", f"## {title}", "")
        for item in items:
            reasons = "; ".join((item.why, *item.checks))
            yield f"- {code(f'{item.file}:{item.line}')} {item.category}: {escaped(reasons, LONGEST_TITLE)}"
    if review.skipped:
        yield from ("", "## Skipped, not valid", "")
    for skipped in review.skipped:
        yield from (f"- {escaped(error, LONGEST_TITLE)}" for error in skipped.errors)

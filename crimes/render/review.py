"""A review for a person: what would be posted, what would not, and why."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.render.lines import Line, Span, bullet, heading, line
from crimes.render.review_parts import headline, label, origin, remarks
from crimes.workflows.review.result import Item, Review

_INDENT = 6


def lines(review: Review) -> Iterator[Line]:
    """The whole review, comments first; dropped records only with place and reason."""
    yield line(Span(headline(review), "heading"))
    for text in remarks(review):
        yield line(text)
    for title, items in (
        ("Comments on lines", review.inline),
        ("In the summary", review.summary),
        ("For the audit", review.audit),
    ):
        if items:
            yield from heading(f"{title} ({len(items)})")
        for item in items:
            yield from _in_full(item)
    if review.dropped:
        yield from heading(f"Dropped ({len(review.dropped)})")
    for item in review.dropped:
        yield _place(item, item.why)
        yield from _checks(item)
    if review.skipped:
        yield from heading(f"Skipped, not valid ({len(review.skipped)})")
    for skipped in review.skipped:
        for error in skipped.errors:
            yield bullet(error)


def _in_full(item: Item) -> Iterator[Line]:
    yield _place(item, Span(label(item), item.verifier_severity))
    for row in (item.title, *item.message.splitlines()):
        if row.strip():
            yield line(row, indent=_INDENT)
    yield line(Span(item.why if item.gate else f"{item.why}; {item.trace}", "dim"), indent=_INDENT)
    yield from _checks(item)


def _place(item: Item, what: str | Span) -> Line:
    place = Span(f"{item.file}:{item.line}", "path")
    return line(place, "  ", what, Span(f"  {origin(item)}", "dim"), indent=2, fixed=True)


def _checks(item: Item) -> Iterator[Line]:
    for check in item.checks:
        yield line(f"checked: {check}", indent=_INDENT)

"""A review for a person: what would be posted, what would not, and why."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.review.result import Item, Review
from crimes.views.lines import Line, Span, bullet, heading, line
from crimes.views.review_parts import headline, label, name, remarks

_INDENT = 6


def lines(review: Review) -> Iterator[Line]:
    """The whole review, comments first."""
    yield line(Span(headline(review), "heading"))
    for text in remarks(review):
        yield line(text)
    for title, items, in_full in (
        ("Comments on lines", review.inline, True),
        ("In the summary", review.summary, True),
        ("For the audit", review.audit, True),
        ("Dropped", review.dropped, False),
    ):
        if items:
            yield from heading(f"{title} ({len(items)})")
        for item in items:
            yield from _item(item, in_full)
    if review.skipped:
        yield from heading(f"Skipped, not valid ({len(review.skipped)})")
    for skipped in review.skipped:
        for error in skipped.errors:
            yield bullet(error)


def _item(item: Item, in_full: bool) -> Iterator[Line]:
    yield line(
        Span(f"{item.file}:{item.line}", "path"),
        "  ",
        Span(label(item), item.verifier_severity),
        Span(f"  {name(item)}", "dim"),
        indent=2,
        fixed=True,
    )
    for row in (item.title, *item.message.splitlines()) if in_full else (item.title,):
        if row.strip():
            yield line(row, indent=_INDENT)
    yield line(Span(item.why if item.gate else f"{item.why}; {item.trace}", "dim"), indent=_INDENT)
    for check in item.checks:
        yield line(f"checked: {check}", indent=_INDENT)

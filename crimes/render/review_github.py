"""A review as the body of GitHub's REST call "create a review for a pull request". It is printed, never sent.

GitHub refuses the whole review if one comment is outside the diff: those go into the body, with their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from crimes.model.codec import encode
from crimes.model.lazy_regex import regex
from crimes.render.escape import escape_line
from crimes.render.review_parts import MAX_TITLE_CHARS, comment, entry, headline, remarks
from crimes.workflows.review.result import Item, Review

MAX_BODY_CHARS = 60_000  # GitHub takes 65,536

_NOT_UTF8 = regex("[\ud800-\udfff]")


class Comment(Struct, frozen=True):
    """A comment on a line of the new side."""

    path: str  # from the top of the repository
    line: int
    side: str
    body: str


class Payload(Struct, frozen=True):
    """The body of the call. Without `commit_id` GitHub takes the last commit of the pull request.

    The event is always a comment: the assessment is in the body, and to approve is up to a person.
    """

    event: str
    body: str
    comments: tuple[Comment, ...]


def payload(review: Review, prefix: str = "") -> Payload:
    """The review as comments and a body. `prefix` is the path from the top of the repository to the scanned folder."""
    on_lines = [item for item in review.inline if _is_on_diff_line(item)]
    elsewhere = [item for item in review.inline if not _is_on_diff_line(item)]
    comments = (
        Comment(prefix + item.file, item.line, "RIGHT", "\n".join(comment(item))) for item in on_lines
    )
    return Payload("COMMENT", _body(review, elsewhere), tuple(comments))


def render(review: Review, prefix: str = "") -> bytes:
    """The payload as JSON."""
    return encode(payload(review, prefix))


def _is_on_diff_line(item: Item) -> bool:
    return bool(item.placed) and not _NOT_UTF8.search(item.file)


def _body(review: Review, elsewhere: Iterable[Item]) -> str:
    """The headline and as many entries as fit. Dropped records are counted, not shown."""
    rows = [headline(review), "", *(f"- {escape_line(text, MAX_TITLE_CHARS)}" for text in remarks(review))]
    used, left_out = sum(len(row) + 1 for row in rows), 0
    for entry_rows in _entries(review, elsewhere):
        used += sum(len(row) + 1 for row in entry_rows)
        if used > MAX_BODY_CHARS:
            left_out += 1
        else:
            rows += entry_rows
    if left_out:
        rows += ["", f"{left_out} more did not fit here."]
    return "\n".join(rows)


def _entries(review: Review, elsewhere: Iterable[Item]) -> Iterator[list[str]]:
    for title, items in (
        ("Not on a line of the diff", elsewhere),
        ("Dismissed security records, to audit", review.audit),
        ("Summary", review.summary),
    ):
        for number, item in enumerate(items):
            yield [*([] if number else ["", f"## {title}"]), "", *entry(item)]

"""An explanation of a finding, of a detector or of what a change did as markdown, safe to paste into an issue."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.kind import Kind
from crimes.model.lazy_regex import regex
from crimes.model.sanitize import safe
from crimes.render.blocks import Block, Item, Listing, Paragraph, Part, Row, Verbatim
from crimes.render.change_parts import change_parts
from crimes.render.detector_parts import detector_parts
from crimes.render.escape import code_span, escape_around_code, escape_line
from crimes.render.finding_parts import finding_parts
from crimes.render.lines import plain
from crimes.render.text import PLACE_LABEL, kind_note, noun_of
from crimes.workflows.explanation import DetectorPage, ExplainedChange, FindingDetails

_MAX_TEXT_CHARS = 4_000
_MAX_NAME_CHARS = 500
_BACKTICKS = regex("`+")
_MIN_FENCE_CHARS = 3


def finding_markdown(details: FindingDetails) -> str:
    """The whole explanation of a finding."""
    return "\n".join(_finding_rows(details)) + "\n"


def detector_markdown(page: DetectorPage, place: str = "") -> str:
    """The whole explanation of a detector; `place` is what other commands need to find the repository."""
    return "\n".join(_detector_rows(page, place)) + "\n"


def _finding_rows(details: FindingDetails) -> Iterator[str]:
    crime = details.crime
    yield from (f"# {escape_line(crime.title, _MAX_NAME_CHARS)}", "")
    symbol = f" in {_name(crime.symbol)}" if crime.symbol else ""
    place = _name(f"{crime.file}:{crime.lines.start}")
    label = f"**{crime.severity}**" if crime.kind is Kind.CODE else PLACE_LABEL.capitalize() + ":"
    yield f"{label} {_name(crime.type)} at {place}{symbol}, {noun_of(crime)} {_name(crime.id)}"
    if details.trust:
        yield from ("", f"Trust: {escape_around_code(details.trust, _MAX_TEXT_CHARS)}")
    yield from ("", escape_around_code(crime.fact or crime.message, _MAX_TEXT_CHARS))
    if text := kind_note(crime):
        yield from ("", text)
    for note in crime.notes:
        yield from ("", f"Note: {escape_around_code(note, _MAX_TEXT_CHARS)}")
    for part in finding_parts(details):
        yield from _part_rows(part)


def _detector_rows(page: DetectorPage, place: str) -> Iterator[str]:
    yield from (f"# {escape_line(page.title, _MAX_NAME_CHARS)}", "", _name(page.id))
    for part in detector_parts(page, place):
        yield from _part_rows(part)


def change_markdown(change: ExplainedChange, place: str = "") -> str:
    """The whole explanation of what a change broke or forgot, or of one kind of that."""
    return "\n".join(_change_rows(change, place)) + "\n"


def _change_rows(change: ExplainedChange, place: str) -> Iterator[str]:
    yield f"# {escape_line(change.kind, _MAX_NAME_CHARS)}"
    if item := change.item:
        yield from ("", f"**{item.level}** {_name(item.id)}, {escape_line(change.states, _MAX_NAME_CHARS)}")
        yield from ("", escape_around_code(item.fact, _MAX_TEXT_CHARS))
    for part in change_parts(change, place):
        yield from _part_rows(part)


def _name(text: str) -> str:
    return code_span(text if len(text) <= _MAX_NAME_CHARS else f"...{text[-_MAX_NAME_CHARS:]}")


def _part_rows(part: Part) -> Iterator[str]:
    yield from ("", f"## {escape_line(part.title, _MAX_NAME_CHARS)}")
    previous: type[Block] | None = None
    for block in part.blocks:
        is_list = isinstance(block, Item | Row)
        if not (is_list and previous in (Item, Row)):
            yield ""
        previous = type(block)
        yield from _block_rows(block)


def _block_rows(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield escape_around_code(text, _MAX_TEXT_CHARS)
        case Item(text):
            yield f"- {escape_around_code(text, _MAX_TEXT_CHARS)}"
        case Row((label, *cells)):
            text = f"{label}: {', '.join(cells)}"
            yield f"- {escape_around_code(text, _MAX_TEXT_CHARS)}"
        case Verbatim(text):
            yield from _fenced([safe(row.expandtabs(4)) for row in text.split("\n")])
        case Listing(rows):
            yield from _fenced(plain(rows).rstrip("\n").split("\n"))


def _fenced(rows: list[str]) -> Iterator[str]:
    """A fenced block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for row in rows for run in _BACKTICKS.findall(row)), default=0)
    fence = "`" * max(_MIN_FENCE_CHARS, longest + 1)
    yield from (fence, *rows, fence)

"""An explanation of a finding, of a detector or of what a change did, for people."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.kind import Kind
from crimes.model.report import Lines
from crimes.render.blocks import Block, Item, Listing, Paragraph, Part, Row, Verbatim
from crimes.render.change_parts import LEVEL_STYLE, change_parts
from crimes.render.detector_parts import detector_parts
from crimes.render.finding_parts import finding_parts
from crimes.render.lines import Line, Link, Span, bullet, heading, line, no_link
from crimes.render.text import PLACE_LABEL, kind_note
from crimes.render.trust_text import TRUST_STYLE
from crimes.workflows.explanation import DetectorPage, ExplainedChange, FindingDetails


def lines(details: FindingDetails, link: Link = no_link) -> Iterator[Line]:
    """The whole explanation of a finding."""
    crime = details.crime
    is_fact = crime.kind is Kind.PLACE
    yield line(
        Span(PLACE_LABEL, "dim") if is_fact else Span(crime.severity, crime.severity),
        "  ",
        Span(crime.title, "heading"),
        Span(f"  {crime.type}  {crime.id}", "dim"),
    )
    symbol = f"  {crime.symbol}" if crime.symbol else ""
    yield line(
        Span(f"{crime.file}:{_range(crime.lines)}", "path", link(crime.file, crime.lines.start)),
        symbol,
        fixed=True,
    )
    if details.trust:
        yield line("Trust: ", Span(details.trust, TRUST_STYLE.get(details.trust.partition(":")[0], "bad")))
    yield line()
    yield line(crime.fact or crime.message)
    yield from (line(text) for text in (kind_note(crime),) if text)
    yield from (line(f"Note: {note}") for note in crime.notes)
    for part in finding_parts(details):
        yield from _part_lines(part)
    yield line()
    yield line(Span(f"full id {crime.fingerprint}", "dim"))


def detector_lines(page: DetectorPage, place: str = "") -> Iterator[Line]:
    """The whole explanation of a detector; `place` is what other commands need to find the repository."""
    yield line(Span(page.title, "heading"), Span(f"  {page.id}", "dim"))
    for part in detector_parts(page, place):
        yield from _part_lines(part)


def change_lines(change: ExplainedChange, place: str = "") -> Iterator[Line]:
    """The whole explanation of what a change broke or forgot, or of one kind of that."""
    item = change.item
    if item is None:
        yield line(Span(change.kind, "heading"))
    else:
        yield line(
            Span(item.level, LEVEL_STYLE[item.level]),
            "  ",
            Span(change.kind, "heading"),
            Span(f"  {item.id}", "dim"),
        )
        yield line(Span(change.states, "dim"))
        yield line()
        yield line(item.fact)
    for part in change_parts(change, place):
        yield from _part_lines(part)


def _range(lines: Lines) -> str:
    return str(lines.start) if lines.end <= lines.start else f"{lines.start}-{lines.end}"


def _part_lines(part: Part) -> Iterator[Line]:
    yield from heading(part.title)
    widths = _widths([block.cells for block in part.blocks if isinstance(block, Row)])
    for block in part.blocks:
        yield from _block_lines(block, widths)


def _widths(rows: list[tuple[str, ...]]) -> list[int]:
    """The width of every column but the last; rows of one part have as many cells."""
    return [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]


def _block_lines(block: Block, widths: list[int]) -> Iterator[Line]:
    match block:
        case Paragraph(text):
            yield line(text, indent=2)
        case Item(text):
            yield bullet(text)
        case Row(cells):
            columns = [f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False)]
            yield line("  ".join((*columns, cells[-1])), indent=2, hang=sum(widths) + 2 * len(widths))
        case Verbatim(text):
            yield from (line(row, indent=4, fixed=True) for row in text.split("\n"))
        case Listing(rows):
            yield from rows

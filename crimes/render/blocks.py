"""Parts of a page that is shown on a terminal and written as markdown: a title with paragraphs, lists, rows and code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from crimes.render.lines import Line

_FENCE = "```"


class Paragraph(Struct, frozen=True):
    text: str


class Item(Struct, frozen=True):
    """An item of a list."""

    text: str


class Row(Struct, frozen=True):
    """Cells that belong together, a label first; rows of one part are aligned."""

    cells: tuple[str, ...]


class Verbatim(Struct, frozen=True):
    """Lines to copy, or code of an example."""

    text: str


class Listing(Struct, frozen=True):
    """Code of the repository, numbered and marked."""

    lines: tuple[Line, ...]


Block = Paragraph | Item | Row | Verbatim | Listing


class Part(Struct, frozen=True):
    title: str
    blocks: tuple[Block, ...]


def doc_blocks(paragraphs: Iterable[str]) -> Iterator[Block]:
    """Paragraphs of a detector's documentation: text, list items and fenced code."""
    for text in paragraphs:
        if text.startswith(_FENCE):
            yield Verbatim("\n".join(text.split("\n")[1:]).removesuffix(_FENCE).rstrip())
        elif text.startswith("- "):
            yield Item(text[2:])
        else:
            yield Paragraph(text)

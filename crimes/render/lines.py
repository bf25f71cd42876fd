"""Lines of styled text, and how they become a string. Every character passes through `safe` on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from crimes.model.sanitize import safe

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# What a style means on a terminal; elsewhere styles vanish.
_STYLES = {
    "": "",
    "high": "bold red",
    "medium": "yellow",
    "low": "cyan",
    "path": "bold",
    "heading": "bold",
    "mark": "bold red",
    "good": "green",
    "warn": "yellow",
    "bad": "bold red",
    "dim": "dim",
}

_NESTED = ("",)  # what an item begins with that belongs to the one above it
_MIN_TEXT_COLUMNS = 30  # however deep it is indented


class Span(Struct, frozen=True):
    """A piece of a line in one style."""

    text: str
    style: str = ""
    link: str = ""  # target of a click on a terminal; in fixed lines only, percent-encoded


class Line(Struct, frozen=True):
    """One line. A terminal wraps a long one, with `indent` plus `hang` before each further row.

    A `fixed` line is never wrapped: names and commands to copy. One to `cut` ends at the terminal's right edge: code.
    """

    spans: tuple[Span, ...]
    indent: int = 0
    hang: int = 0
    fixed: bool = False
    cut: bool = False


Link = Callable[[str, int], str]  # from a file and a line number to a URL, or to nothing

Section = tuple[str, Iterable[Sequence[str | tuple[str, ...]]]]  # a title, and items of parts


def no_link(path: str, number: int) -> str:
    """The link for output that nobody can click on."""
    return ""


def line(*parts: str | Span, indent: int = 0, hang: int = 0, fixed: bool = False, cut: bool = False) -> Line:
    """A line of strings and spans."""
    spans = (part if isinstance(part, Span) else Span(part) for part in parts)
    return Line(tuple(spans), indent, hang, fixed, cut)


def bullet(*parts: str | Span, fixed: bool = False, nested: bool = False) -> Line:
    """An item of a list, or of a list inside one."""
    return line("- ", *parts, indent=4 if nested else 2, hang=2, fixed=fixed)


def heading(text: str) -> tuple[Line, Line]:
    """An empty line and a heading."""
    return line(), line(Span(text, "heading"))


def without_double_blanks(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, never two empty ones in a row."""
    blank = False
    for item in lines:
        if item.spans or not blank:
            yield item
        blank = not item.spans


def section_lines(sections: Iterable[Section]) -> Iterator[Line]:
    """Each title as a heading, each item as a bullet; a command stays on one line, as somebody will copy it."""
    for title, items in sections:
        yield from heading(title)
        for item in items:
            yield bullet(*map("".join, item), fixed=item[0] == "run ", nested=item[0] == _NESTED)


def table(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[Line]:
    """The titles as a heading, then the rows, in aligned columns."""
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    for row in (titles, *rows):
        cells = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        yield line(Span(cells.rstrip(), "heading" if row is titles else ""), fixed=True)


def plain(lines: Iterable[Line]) -> str:
    """The lines as they are: no colour, no wrapping."""
    rows = (" " * item.indent + "".join(safe(span.text) for span in item.spans) for item in lines)
    return "".join(_escape_command(row.rstrip()) + "\n" for row in rows)


def _escape_command(row: str) -> str:
    """GitHub's runner takes a log line that begins with two colons for a command; a file name may begin so."""
    return "\\" + row if row.lstrip().startswith("::") else row


def terminal(lines: Iterable[Line], width: int, color: bool, links: bool = False) -> str:
    """The lines for a person at a terminal of this width."""
    from io import StringIO

    from rich.console import Console
    from rich.text import Text

    out = StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for item in lines:
        if links and any(span.link for span in item.spans):
            out.write(" " * item.indent)
            for span in item.spans:
                start, end = (f"\x1b]8;;{span.link}\x1b\\", "\x1b]8;;\x1b\\") if span.link else ("", "")
                out.write(start)
                console.print(Text(safe(span.text), _STYLES[span.style]), soft_wrap=True, end="")
                out.write(end)
            out.write("\n")
            continue
        text = Text()
        for span in item.spans:
            text.append(safe(span.text), style=_STYLES[span.style])
        if item.cut:
            text.truncate(max(width - item.indent, 1), overflow="ellipsis")
        rows = [text] if item.fixed or item.cut or not text else _wrapped(text, item, width, console)
        for number, row in enumerate(rows):
            row.rstrip()
            margin = item.indent + (item.hang if number else 0)
            console.print(Text(" " * margin if row else "").append_text(row), soft_wrap=True)
    return out.getvalue()


def _wrapped(text: Text, item: Line, width: int, console: Console) -> list[Text]:
    """The rows of a long line; those after the first leave room for the hang."""
    first, *rest = text.wrap(console, max(width - item.indent, _MIN_TEXT_COLUMNS), overflow="fold")
    if not rest or not item.hang:
        return [first, *rest]
    room = max(width - item.indent - item.hang, _MIN_TEXT_COLUMNS)
    left = text[len(first) :]
    blanks = len(left.plain) - len(left.plain.lstrip())
    return [first, *left[blanks:].wrap(console, room, overflow="fold")]

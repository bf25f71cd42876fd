"""Lines of styled text, and how they become a string. Every character passes through `safe` on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from crimes.model.sanitize import safe

# What a style means on a terminal; elsewhere styles vanish.
_STYLES = {
    "": "",
    "high": "bold red",
    "medium": "yellow",
    "low": "cyan",
    "path": "bold",
    "heading": "bold",
    "mark": "bold red",
    "dim": "dim",
}

_NARROWEST = 30  # columns of text, however deep it is indented


class Span(Struct, frozen=True):
    """A piece of a line in one style."""

    text: str
    style: str = ""
    link: str = ""  # where a terminal leads who clicks on it; in fixed lines only, and percent-encoded


class Line(Struct, frozen=True):
    """One line. On a terminal a long one goes on below, at `indent` plus `hang`.

    A `fixed` one is left to the terminal: code, names and commands to copy.
    """

    spans: tuple[Span, ...]
    indent: int = 0
    hang: int = 0
    fixed: bool = False


Link = Callable[[str, int], str]  # from a file and a line to where it leads, or to nothing


def no_link(path: str, number: int) -> str:
    """For places where nobody can click."""
    return ""


def line(*parts: str | Span, indent: int = 0, hang: int = 0, fixed: bool = False) -> Line:
    """A line of strings and spans."""
    spans = (part if isinstance(part, Span) else Span(part) for part in parts)
    return Line(tuple(spans), indent, hang, fixed)


def bullet(*parts: str | Span, fixed: bool = False) -> Line:
    """An item of a list."""
    return line("- ", *parts, indent=2, hang=2, fixed=fixed)


def heading(text: str) -> tuple[Line, Line]:
    """An empty line and a heading."""
    return line(), line(Span(text, "heading"))


def plain(lines: Iterable[Line]) -> str:
    """The lines as they are: no colour, no wrapping."""
    rows = (" " * item.indent + "".join(safe(span.text) for span in item.spans) for item in lines)
    return "".join(_unheard(row.rstrip()) + "\n" for row in rows)


def _unheard(row: str) -> str:
    """A line of a log that begins with two colons is a command to GitHub's runner; a file may be called so."""
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
        room = max(width - item.indent - item.hang, _NARROWEST)
        rows = [text] if item.fixed or not text else text.wrap(console, room, overflow="fold")
        for number, row in enumerate(rows):
            row.rstrip()
            margin = item.indent + (item.hang if number else 0)
            console.print(Text(" " * margin if row else "").append_text(row), soft_wrap=True)
    return out.getvalue()

"""Markup of a page. Text goes in as text: every character passes `safe`, and none of it can become a tag."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from crimes.model.sanitize import safe

_EMPTY_ELEMENTS = frozenset({"br", "circle", "input", "line", "link", "meta", "path", "polyline", "rect"})
_MAX_TEXT_CHARS = 2_000  # of one text; a name or subject beyond that is nobody's to read


class Html(str):
    """Markup that may stand in a page as it is."""

    __slots__ = ()


def tag(name: str, /, *content: str, **attributes: str | float | None) -> Html:
    """An element. Content that is not `Html` is text. Attributes: `class_`, `data_x`, `aria_label`; None leaves one out."""
    written = "".join(
        f' {_attribute_name(key)}="{_attribute_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY_ELEMENTS and not content:
        return Html(f"<{name}{written}/>")
    return Html(f"<{name}{written}>{join(content)}</{name}>")


def join(parts: Iterable[str], between: str = "") -> Html:
    """The parts one after the other: markup as it is, everything else as text."""
    return Html(between.join(part if isinstance(part, Html) else text(part) for part in parts))


def text(value: str) -> Html:
    """A string as text of a page."""
    return Html(escape(safe(shortened(value))))


def prose(value: str) -> Html:
    """A sentence of ours as text; what it names in backticks is code."""
    pieces = shortened(value).split("`")
    return join(tag("code", piece) if number % 2 else piece for number, piece in enumerate(pieces))


def shortened(value: str, max_chars: int = _MAX_TEXT_CHARS) -> str:
    """A text that is too long with its middle left out: a path is known by both of its ends."""
    if len(value) <= max_chars:
        return value
    half = (max_chars - 3) // 2
    return f"{value[:half]} … {value[-half:]}"


def table(caption: str, titles: Iterable[str], rows: Iterable[Iterable[str]], class_: str = "") -> Html:
    """A table with a caption for those who cannot see what it stands beside; the first cell of a row names it."""
    head = tag("tr", *(tag("th", title, scope="col") for title in titles))
    body = (
        tag(
            "tr",
            *(
                tag("td" if number else "th", cell, scope=None if number else "row")
                for number, cell in enumerate(row)
            ),
        )
        for row in rows
    )
    return tag(
        "table", tag("caption", caption), tag("thead", head), tag("tbody", *body), class_=class_ or None
    )


def _attribute_name(key: str) -> str:
    """`class_` is `class`, `data_x` is `data-x`; SVG has names such as `viewBox`, which stay."""
    return key.rstrip("_").replace("_", "-")


def _attribute_text(value: str | float) -> str:
    if isinstance(value, str):
        return escape(safe(shortened(value)))
    return f"{value:g}" if isinstance(value, float) else str(value)

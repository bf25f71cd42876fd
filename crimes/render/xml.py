"""XML around untrusted text: every character is one that XML allows, and escaped."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from crimes.model.sanitize import safe

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'


def start(tag: str, /, **attributes: str | int) -> str:
    """The inside of a start tag: its name and its attributes, in the order given."""
    return " ".join((tag, *(f"{key}={quoteattr(safe(str(value)))}" for key, value in attributes.items())))


def text(content: str) -> str:
    """Text between two tags."""
    return escape(safe(content))

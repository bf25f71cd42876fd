"""Neutralise what a repository could do to a terminal, a log or a reader: controls, bidi, invisible characters."""

from __future__ import annotations

import re
import unicodedata

from crimes.model.lazy_regex import regex

_NOT_ASCII_TEXT = regex("[^ -~]")
# Letters and marks that render as nothing; other invisible characters are format characters, and not printable.
_BLANK = regex("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]")

# What the runners of GitHub and Azure take for a command anywhere in a line of a log.
_RUNNER_COMMAND = regex(r"##(?=\[|vso\[)", re.IGNORECASE)


def safe(text: str) -> str:
    r"""The text on one line with every dangerous or invisible character written out as \xNN or \uNNNN."""
    escaped = _NOT_ASCII_TEXT.sub(_escape, text)
    return _RUNNER_COMMAND.sub(r"#\\x23", escaped) if "##" in escaped else escaped


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if (char.isprintable() or unicodedata.category(char) == "Zs") and not _BLANK.match(char):
        return char
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that os.fsdecode preserved
        code -= 0xDC00
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"

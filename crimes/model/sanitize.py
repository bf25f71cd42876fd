"""Neutralise what a repository could do to a terminal, a log or a reader: controls, bidi, invisible characters."""

from __future__ import annotations

import re
import unicodedata

from crimes.model.lazy_regex import regex

_NOT_ASCII_TEXT = regex("[^ -~]")
# Letters and marks that show as nothing; the other invisible ones are format characters, and not printable.
_BLANK = regex("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]")

# What the runners of GitHub and Azure take for a command wherever it stands in a line of a log.
_COMMAND = regex(r"##(?=\[|vso\[)", re.IGNORECASE)


def safe(text: str) -> str:
    r"""The text on one line with every dangerous or invisible character written out as \xNN or \uNNNN."""
    shown = _NOT_ASCII_TEXT.sub(_shown, text)
    return _COMMAND.sub(r"#\\x23", shown) if "##" in shown else shown


def _shown(match: re.Match[str]) -> str:
    char = match[0]
    if (char.isprintable() or unicodedata.category(char) == "Zs") and not _BLANK.match(char):
        return char
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # the byte that os.fsdecode kept there
        code -= 0xDC00
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"

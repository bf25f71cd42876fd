"""Neutralise what a repository could do to a terminal or a reader: controls, bidi, invisible characters."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0 with ESC, newline and tab; DEL; C1, which some terminals take for ESC sequences
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff"  # bytes of a file name that are not UTF-8
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # invisible format characters, tags
    "]"
)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # the byte that os.fsdecode kept there
        code -= 0xDC00
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def safe(text: str) -> str:
    r"""The text on one line with every dangerous or invisible character written out as \xNN or \uNNNN."""
    return _UNSAFE.sub(_escape, text)

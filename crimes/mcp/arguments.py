"""What a client may ask with: text that can name a file, a symbol or a finding. Anything else is refused in plain words."""

from __future__ import annotations

import re

from crimes.model.errors import UsageError
from crimes.model.lazy_regex import regex
from crimes.model.sanitize import safe

MAX_ARGUMENT_CHARS = 4_000  # a path of a common system is shorter
_SHOWN_CHARS = 60

# In the text of a JSON message: a whole escape, or half of a character that takes two.
_ESCAPE = regex(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def check_argument(text: str) -> str:
    """The same text. UsageError if it cannot name anything: too long, with a NUL or with half a character."""
    if len(text) > MAX_ARGUMENT_CHARS:
        shown = f"'{safe(text[:_SHOWN_CHARS])}…'"
        raise UsageError(f"{shown} has {len(text):,} characters; at most {MAX_ARGUMENT_CHARS:,} are accepted")
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        shown = f"'{safe(text[:_SHOWN_CHARS])}'"
        raise UsageError(f"{shown} has a NUL or half a character in it, which no file name can have")
    return text


def without_half_characters(message: str) -> str:
    """The text of a JSON message with a NUL for each half of a character: a parser refuses those with the whole message.

    A NUL arrives, and is refused in the answer to the call.
    """
    return _ESCAPE.sub(_repaired, message)


def _repaired(escape: re.Match[str]) -> str:
    return r"\u0000" if escape[1] else escape[0]

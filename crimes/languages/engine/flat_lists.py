"""Patterns for flat lists: plain names, numbers and short strings in brackets, which hold no facts.

Most calls are of a plain name with such arguments, and most literals hold nothing else. Matching the text costs less
than visiting each of its tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from crimes.model.lazy_regex import regex

_WORD = rb"[\w$\x80-\xff]++"
_NAME = rb"%b(?:\.%b)*+" % (_WORD, _WORD)
# Without the signs that could make it a path, a dotted name or an environment variable, or hold code.
_STRING = rb"""[rRuUbBfF]{0,2}(?:"(?![A-Z][A-Z0-9]*_)[^"\\{./\n]*+"|'(?![A-Z][A-Z0-9]*_)[^'\\{./\n]*+')"""
CALLEE = regex(rb"(?:new )?(%b)" % _NAME)
MAX_CALLEES = 100_000


def flat_list_pattern(between: bytes = rb",:", inside: bytes = b"") -> re.Pattern[bytes]:
    """A flat bracketed list. `between` are the signs between its values, `inside` those a value may contain.

    A value is one run of characters, whatever they spell: a pattern for names with dots takes four times as long.
    """
    item = rb"(?:[-+!]?+[\w$.\x80-\xff%b]++|%b)" % (inside, _STRING)
    return re.compile(rb"[(\[{]\s*+(?:%b\s*+(?:[%b]\s*+%b\s*+)*+,?\s*+)?[)\]}]" % (item, between, item))


def flat_call_pattern(arguments: re.Pattern[bytes]) -> re.Pattern[bytes]:
    """A whole call with a flat list of arguments; group 1 is the callee. Cheaper than asking the tree where the list begins."""
    return re.compile(rb"((?:new )?[\w$.\x80-\xff]++)(?=\()%b" % arguments.pattern)


def dotted_name_pattern(prefix: bytes) -> re.Pattern[bytes]:
    """A plain dotted name; group 1 is the attribute of the own object that it begins with."""
    return re.compile(rb"(?:%b(#?%b))?[\w$.\x80-\xff]*+" % (re.escape(prefix), _WORD))


def own_attribute_pattern(prefix: bytes) -> re.Pattern[bytes]:
    """Attributes of the own object in a flat list: `self.x`."""
    before = rb"(?<![\w$\x80-\xff])(?<![\w$\x80-\xff]\.)"
    return re.compile(rb"%b%b(%b)" % (before, re.escape(prefix), _WORD))


class Callees(dict[bytes, tuple[str, str] | None]):
    """Callees as written -> their name as a fact, and the attribute of the own object they begin with.

    None for a callee that is no plain name, or that means more than a call.
    """

    def __init__(self, name_of: Callable[[bytes], str | None], prefix: bytes) -> None:
        super().__init__()
        self._name_of = name_of
        self._prefix = prefix

    def __missing__(self, raw: bytes) -> tuple[str, str] | None:
        if len(self) >= MAX_CALLEES:
            self.clear()
        match = CALLEE.fullmatch(raw)
        name = self._name_of(raw) if match else None
        if match is None or name is None:
            callee = None
        else:
            plain, prefix = match[1], self._prefix
            own = plain[len(prefix) :].partition(b".")[0] if prefix and plain.startswith(prefix) else b""
            callee = (name, own.decode("utf-8", "replace"))
        self[raw] = callee
        return callee

"""Regular expressions that are compiled on first use.

The package has some six hundred, most of them for languages and cases that a scan never meets; compiling all of them at
import takes a fifth of the start-up time of every command.

They read text that a repository chooses, so each has to be linear in its length (`tests/hostile/test_patterns.py` attacks them all). Where
that would make a pattern unreadable, and what it reads is short by nature (a name, a path, a subject), `within` bounds the text instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, AnyStr, Generic, cast

METHODS = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")


class _Regex(Generic[AnyStr]):
    """Adopts the methods of the compiled pattern on first use, so that later calls go there directly."""

    def __init__(self, source: AnyStr, flags: int, within: int | None) -> None:
        self.pattern: AnyStr = source
        self.own_flags = flags
        self.within = within

    def compiled(self) -> re.Pattern[AnyStr]:
        """The pattern as `re` knows it, without the bound on what it reads."""
        return re.compile(self.pattern, self.own_flags)

    def __getattr__(self, name: str) -> Any:
        compiled = self.compiled()
        for member in dir(compiled):
            if not member.startswith("_"):
                setattr(self, member, getattr(compiled, member))
        if self.within is not None:
            for method in METHODS:
                setattr(self, method, _bounded(compiled, method, self.within))
        return getattr(self, name)


def _bounded(compiled: re.Pattern[AnyStr], method: str, within: int) -> Callable[..., Any]:
    """The method of a pattern that finds nothing in a longer text."""
    original = getattr(compiled, method)
    position = 1 if method in ("sub", "subn") else 0

    def call(*arguments: Any, **options: Any) -> Any:
        text = arguments[position]
        return original(*arguments, **options) if len(text) <= within else _nothing(method, text)

    return call


def _nothing(method: str, text: Any) -> Any:
    """What a method returns for a text without a match."""
    return {"findall": [], "finditer": iter(()), "split": [text], "sub": text, "subn": (text, 0)}.get(method)


def regex(source: AnyStr, flags: int = 0, *, within: int | None = None) -> re.Pattern[AnyStr]:
    """A deferred `re.compile`. Call its methods: the functions of `re` accept only compiled patterns.

    In a text of more than `within` characters it finds nothing.
    """
    return cast("re.Pattern[AnyStr]", _Regex(source, flags, within))

"""Regular expressions that are compiled on first use.

The package has some six hundred, most of them for languages and cases that a scan never meets; compiling all of them at
import takes a fifth of the start-up time of every command.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast


class _Regex(Generic[AnyStr]):
    """Adopts the methods of the compiled pattern on first use, so that later calls go there directly."""

    def __init__(self, source: AnyStr, flags: int) -> None:
        self.pattern: AnyStr = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for method in dir(compiled):
            if not method.startswith("_"):
                setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A deferred `re.compile`. Call its methods: the functions of `re` accept only compiled patterns."""
    return cast("re.Pattern[AnyStr]", _Regex(source, flags))

"""Regular expressions that are compiled when they are first asked something.

There are some six hundred in the package, most of them for languages and cases that a scan does not come by; compiled with
the modules they stand in, they were a fifth of what every command took to start.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast


class _Regex(Generic[AnyStr]):
    """Takes the methods of the compiled pattern over when it is first asked for one: later calls go there directly."""

    def __init__(self, source: AnyStr, flags: int) -> None:
        self.pattern: AnyStr = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for each in dir(compiled):
            if not each.startswith("_"):
                setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile`, put off. Ask its own methods: the functions of `re` want a compiled one."""
    return cast("re.Pattern[AnyStr]", _Regex(source, flags))

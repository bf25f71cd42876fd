"""Who CODEOWNERS names for a file: the last matching line wins."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cached_property
from typing import TYPE_CHECKING

from crimes.model.lazy_regex import regex
from crimes.system.gitignore import usable_patterns

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_PATHS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_WILDCARD = regex(r"[*?\[\\]")
_WORD = regex(r"(?:\\.|[^\s\\])+")


class Codeowners:
    """The rules of a repository's CODEOWNERS, if it has one."""

    def __init__(self, paths: Container[str], read: Callable[[str], bytes]) -> None:
        path = next((path for path in _PATHS if path in paths), None)
        rows = read(path).decode("utf-8", "replace").splitlines() if path else []
        words = (_WORD.findall(row.partition(" #")[0]) for row in rows)
        self._rules = [
            _Rule(pattern, tuple(names))
            for pattern, *names in filter(None, words)
            if not pattern.startswith(("#", "[", "^[", "!"))
        ]

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a file; none without a CODEOWNERS, and none when the last match names none."""
        return next((rule.names for rule in reversed(self._rules) if rule.matches(path)), ())


class _Rule:
    """One line: as in a .gitignore, but `folder/*` means the files of that folder only."""

    def __init__(self, pattern: str, names: tuple[str, ...]) -> None:
        self.names = names
        self._pattern = pattern
        # A pattern with a slash before its end is anchored at the root: a path must start with the text before its wildcard.
        anchored = "/" in pattern[:-1]
        before_wildcard = _WILDCARD.split(pattern.removeprefix("/"), maxsplit=1)[0]
        self._start = before_wildcard.rstrip("/") if anchored else ""

    def matches(self, path: str) -> bool:
        if not path.startswith(self._start):
            return False
        if self._pattern.endswith("/*") and path.count("/") != self._pattern.strip("/").count("/"):
            return False
        return self._spec.match_file(path)

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        return usable_patterns([self._pattern])

"""Who CODEOWNERS names for a file: the last matching line wins."""

from __future__ import annotations

import re
from collections.abc import Callable, Container

_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_WORD = re.compile(r"(?:\\.|[^\s\\])+")


def owners(path: str, paths: Container[str], read: Callable[[str], bytes]) -> tuple[str, ...]:
    """The owners of a file; none without a CODEOWNERS, and none when the last match names none."""
    place = next((place for place in _PLACES if place in paths), None)
    if place is None:
        return ()
    found: tuple[str, ...] = ()
    for row in read(place).decode("utf-8", "replace").splitlines():
        words = _WORD.findall(row.partition(" #")[0])
        if words and not words[0].startswith(("#", "[", "^[", "!")) and _matches(words[0], path):
            found = tuple(words[1:])
    return found


def _matches(pattern: str, path: str) -> bool:
    """As in a .gitignore, but `folder/*` means the files of that folder only."""
    from pathspec import GitIgnoreSpec

    if pattern.endswith("/*") and path.count("/") != pattern.strip("/").count("/"):
        return False
    try:
        return GitIgnoreSpec.from_lines([pattern]).match_file(path)
    except ValueError:  # a pattern nobody can read owns nothing
        return False

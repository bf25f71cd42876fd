"""What each file tells by itself: looked for once in each content, and kept with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from crimes.context import Analysis, Context
from crimes.memory import by_content
from crimes.model import FileFacts, Role

T = TypeVar("T")

# Whose code a memory is told apart by: an edit to that of others goes unnoticed.
_OURS = frozenset({"crimes", "crimes_detectors"})


def each_file(
    name: str, kind: Any, look: Callable[[FileFacts], T | None], roles: frozenset[Role] = frozenset(Role)
) -> Analysis[Mapping[str, T]]:
    """By path: what `look`, whose results are of this kind, finds in a file of these roles, where it finds something.

    It has to follow from the facts alone, not from path, role, options or other files: after an edit only what
    changed is looked at again.
    """
    ours = look.__module__.partition(".")[0] in _OURS

    def build(context: Context) -> Mapping[str, T]:
        facts = {path: file.facts for path, file in context.repo.files.items() if file.role in roles}
        return by_content(context.memory if ours else None, name, kind, facts, look)

    return Analysis(name, build)

"""Names of members that objects from outside of a repository are likely to have, in any language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "outside_members.txt"


def as_listed(name: str) -> str:
    """A name as the list has it: `read_line` and `readLine` are one."""
    return name.replace("_", "").lower()


def is_common_outside(name: str) -> bool:
    """Whether members of this name are called in repositories that do not define one."""
    return as_listed(name) in _listed()


@cache
def _listed() -> frozenset[str]:
    return frozenset(_FILE.read_text(encoding="utf-8").split())

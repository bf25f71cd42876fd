"""What a change did besides its findings: references it broke, and what is worth a look."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

NOT_COMPARED = "not_compared"  # the kind of an item that says what could not be looked at


class Level(StrEnum):
    """How bad an item of a change is. A broken one always fails."""

    BROKEN = "broken"
    LOOK = "look"


class Spot(Struct, frozen=True, order=True):
    """A place that an item of a change is about."""

    file: str  # path from the root, in the later state
    line: int  # from 1; 0 for the whole file
    name: str = ""  # what is written there: the imported module or the name in use


class ChangeItem(Struct, frozen=True):
    """One cause, with every place it concerns."""

    kind: str  # `broken_reference`, `changed_signature`, `forgotten_copy`, `weakened_test` or `not_compared`
    level: Level  # `broken` or `look`
    file: str  # the file that causes it: deleted, moved or edited
    name: str  # the name in that file that is gone; empty for the whole file
    fact: str  # what happened, in one sentence
    fix: str  # what to do about it
    places: tuple[Spot, ...]  # every place, by file and line
    likely: str = ""  # what it is called now, if that is obvious

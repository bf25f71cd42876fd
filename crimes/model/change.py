"""What a change did besides its findings: references it broke, and what is worth a look."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from crimes.model.severity import Severity

NOT_COMPARED = "not_compared"  # the kind of an item that says what could not be looked at

# What `check` and `diff` can say of a change besides its findings, and what each means.
CHANGE_KINDS = {
    "broken_reference": "the change removed or renamed something that is still used elsewhere",
    "changed_signature": "calls no longer match a function whose parameters the change edited",
    "forgotten_copy": "a copy of the edited code, or a file that usually changes with it, was left as it was",
    "weakened_test": "the change took checks out of a test of the code it edits",
    NOT_COMPARED: "a part of the change could not be compared",
}


class Level(StrEnum):
    """How bad an item of a change is. A broken one always fails."""

    BROKEN = "broken"
    LOOK = "look"

    @property
    def severity(self) -> Severity:
        """The severity of a finding that would be as bad."""
        return Severity.HIGH if self is Level.BROKEN else Severity.MEDIUM


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

"""What a change did besides its findings: references it broke, and what is worth a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from crimes.model.digests import digest_of
from crimes.model.severity import Severity

_ID_CHARS = 12  # as many as the id of a finding has

NOT_COMPARED = "not_compared"  # the kind of an item that says what could not be looked at

# What `check` and `diff` can say of a change besides its findings, and what each means.
CHANGE_KINDS = {
    "broken_reference": "the change removed or renamed something that is still used elsewhere",
    "changed_signature": "calls no longer match a function whose parameters the change edited",
    "forgotten_copy": "a copy of the edited code was not edited, or a file that usually changes with it was not",
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
    # like the id of a finding: `crimes explain` and `crimes ignore` take it; the same until the cause or the set of places changes
    id: str = ""


def with_ids(items: Iterable[ChangeItem]) -> tuple[ChangeItem, ...]:
    """The items with their ids. Lines do not count, so an edit elsewhere in a file changes no id; one more place does."""
    seen: Counter[tuple[str, ...]] = Counter()
    named = []
    for item in items:
        places = sorted({f"{place.file}\n{place.name}" for place in item.places})
        key = (item.kind, item.file, item.name, *places)
        seen[key] += 1
        text = "\0".join((*key, str(seen[key])))
        named.append(replace(item, id=digest_of(text.encode("utf-8", "surrogatepass")).hex()[:_ID_CHARS]))
    return tuple(named)

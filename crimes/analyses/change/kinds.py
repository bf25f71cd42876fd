"""The kinds of things a change can break or forget: one row each. A new kind is one function and one row of KINDS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from crimes.analyses.change.broken_references import Broken, find_broken_references
from crimes.analyses.change.likely_names import likely_file, likely_name
from crimes.analyses.change.lost_names import Changes, find_lost
from crimes.analyses.change.state import State
from crimes.model.change import ChangeItem, Level
from crimes.model.wording import count


class TwoStates(Protocol):
    """Both states of a change. The changed files alone cost little; the whole states are built when they are asked for."""

    @property
    def changes(self) -> Changes: ...
    @property
    def changed_before(self) -> State: ...
    @property
    def changed_after(self) -> State: ...
    @property
    def before(self) -> State: ...
    @property
    def after(self) -> State: ...


class ItemKind(Struct, frozen=True):
    """One kind: its name, how bad it is, and the function that finds it."""

    name: str
    level: Level
    find: Callable[[TwoStates], Iterable[ChangeItem]]


def find_items(states: TwoStates) -> tuple[ChangeItem, ...]:
    """Everything that the change broke or forgot, kind by kind."""
    return tuple(item for kind in KINDS for item in kind.find(states))


def broken_reference_items(states: TwoStates) -> Iterator[ChangeItem]:
    """References that lead nowhere now, one item per cause."""
    if not find_lost(states.changed_before, states.changed_after, states.changes):
        return  # nothing was taken away, so the rest of the repository need not be read
    for broken in find_broken_references(states.before, states.after, states.changes):
        yield _broken_item(states, broken)


def _broken_item(states: TwoStates, broken: Broken) -> ChangeItem:
    cause, lost = broken.cause, broken.lost
    files = {place.file for place in broken.places}
    where = f"{count(len(broken.places), 'place')} in {count(len(files), 'file')}"
    if cause.name:
        likely = likely_name(states.before, states.after, states.changes, lost, cause.name)
        fact = f"`{cause.name}` is gone from {cause.file}, but {where} still {_use(broken)} it."
    else:
        likely = likely_file(states.before, states.after, states.changes, lost)
        what = f"was moved to {likely}" if likely else "was deleted"
        fact = f"{cause.file} {what}, but {where} still {_use(broken)} it."
        if files == {likely}:
            fact = f"{cause.file} {what}, and {count(len(broken.places), 'import')} in it no longer {_lead(broken)}."
    return ChangeItem(
        kind="broken_reference",
        level=Level.BROKEN,
        file=cause.file,
        name=cause.name,
        fact=fact,
        fix=_fix(cause.name, likely),
        places=broken.places,
        likely=likely,
    )


def _use(broken: Broken) -> str:
    return "uses" if len(broken.places) == 1 else "use"


def _lead(broken: Broken) -> str:
    return "leads anywhere" if len(broken.places) == 1 else "lead anywhere"


def _fix(name: str, likely: str) -> str:
    if not likely:
        return "Restore it, or edit every place that uses it."
    if name and "/" in likely:
        return f"Take it from {likely} there."
    return f"Use `{likely}` there." if name else f"Point them at {likely}."


KINDS = (ItemKind("broken_reference", Level.BROKEN, broken_reference_items),)

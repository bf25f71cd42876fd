"""The kinds of things a change can break or forget: one row each. A new kind is one function and one row of KINDS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from crimes.analyses.change.broken_references import Broken, find_broken_references
from crimes.analyses.change.changed_signatures import find_changed_signatures
from crimes.analyses.change.forgotten_copies import CopyPlace, find_forgotten_copies
from crimes.analyses.change.hidden_names import HiddenName, find_hidden_names
from crimes.analyses.change.likely_names import likely_file, likely_name
from crimes.analyses.change.lost_names import find_lost
from crimes.analyses.change.state import last_word
from crimes.analyses.change.two_states import TwoStates
from crimes.analyses.change.weakened_tests import find_weakened_tests
from crimes.model.change import NOT_COMPARED, ChangeItem, Level, Spot
from crimes.model.wording import count, quoted_names
from crimes.system.allowance import Exceeded, allowance

MAX_KIND_SECONDS = 60.0  # of processor time; dozens of times what the largest changes take
_MIN_COMMITS_TOGETHER = 3
_MIN_SHARE_TOGETHER = 0.5  # of the last commits to the edited file
_MAX_COMPANIONS = 5
_MAX_TESTS_NAMED = 3


class Together(Struct, frozen=True):
    """A file that changed in `commits` of the last `of` commits to a file that was edited."""

    file: str
    edited: str
    commits: int
    of: int


class Known(Struct, frozen=True):
    """What is known of the earlier state besides its files."""

    copies: tuple[tuple[CopyPlace, ...], ...] = ()  # groups of places with the same code
    together: tuple[Together, ...] = ()  # files that usually change with the edited ones


NOTHING_KNOWN = Known()


class ItemKind(Struct, frozen=True):
    """One kind: its name, and the function that finds it; how bad an item is, the item says."""

    name: str
    find: Callable[[TwoStates, Known], Iterable[ChangeItem]]


def find_items(states: TwoStates, known: Known) -> tuple[ChangeItem, ...]:
    """Everything that the change broke or forgot, kind by kind. A method that is gone is one item: that with more places."""
    items = [item for kind in KINDS for item in _find_in_time(kind, states, known)]
    fullest: dict[tuple[str, str], ChangeItem] = {}
    for item in items:
        if item.level is Level.BROKEN:
            other = fullest.get((item.file, item.name))
            if other is None or len(other.places) < len(item.places):
                fullest[item.file, item.name] = item
    return tuple(
        item for item in items if item.level is not Level.BROKEN or fullest[item.file, item.name] is item
    )


def _find_in_time(kind: ItemKind, states: TwoStates, known: Known) -> Iterable[ChangeItem]:
    """The items of a kind; that it was not compared, if that takes too long."""
    try:
        with allowance(MAX_KIND_SECONDS):
            return list(kind.find(states, known))
    except Exceeded:
        file = min(states.changes.touched, default="")
        return [
            ChangeItem(
                kind=NOT_COMPARED,
                level=Level.LOOK,
                file=file,
                name="",
                fact=f"Looking for {kind.name} took too long on this change and was stopped.",
                fix="Check by hand what the change may have broken.",
                places=(Spot(file, 0),),
            )
        ]


def broken_reference_items(states: TwoStates, known: Known) -> Iterator[ChangeItem]:
    """References that lead nowhere now, or where they may not lead any more, one item per cause."""
    if find_lost(states.changed_before, states.changed_after, states.changes):
        for broken in find_broken_references(states.before, states.after, states.changes):
            yield _broken_item(states, broken)
    yield from map(_hidden_item, find_hidden_names(states))


def _hidden_item(hidden: HiddenName) -> ChangeItem:
    files = {place.file for place in hidden.places}
    where = f"{count(len(hidden.places), 'place')} in {count(len(files), 'file')}"
    use = "uses" if len(hidden.places) == 1 else "use"
    return ChangeItem(
        kind="broken_reference",
        level=Level.BROKEN,
        file=hidden.file,
        name=hidden.name,
        fact=f"`{hidden.name}` in {hidden.file} is no longer visible to {where} that still {use} it.",
        fix="Make it visible again, or edit every place that uses it.",
        places=hidden.places,
    )


def _broken_item(states: TwoStates, broken: Broken) -> ChangeItem:
    cause, lost = broken.cause, broken.lost
    files = {place.file for place in broken.places}
    where = f"{count(len(broken.places), 'place')} in {count(len(files), 'file')}"
    if cause.name:
        likely = likely_name(states.before, states.after, states.changes, lost, last_word(cause.name))
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


def changed_signature_items(states: TwoStates, known: Known) -> Iterable[ChangeItem]:
    """Functions whose calls do not fit them any more, one item each."""
    return find_changed_signatures(states)


def forgotten_copy_items(states: TwoStates, known: Known) -> Iterator[ChangeItem]:
    """Copies that were not edited with the others, and files that usually change with an edited one and did not."""
    groups = find_forgotten_copies(states.changed_before, states.changed_after, states.changes, known.copies)
    for group in groups:
        what = f"`{group.edited.symbol}` in {group.edited.file}" if group.edited.symbol else group.edited.file
        copies = count(len(group.others), "copy of it was", "copies of it were")
        yield ChangeItem(
            kind="forgotten_copy",
            level=Level.LOOK,
            file=group.edited.file,
            name=group.edited.symbol,
            fact=f"{what} was edited, but {copies} not.",
            fix="Check whether the same edit belongs there.",
            places=tuple(Spot(copy.file, copy.start, copy.symbol) for copy in group.others),
        )
    touched = states.changes.touched
    likely = [pair for pair in known.together if _is_likely(pair) and pair.file not in touched]
    likely.sort(key=lambda pair: (-pair.commits / pair.of, -pair.commits, pair.file))
    for pair in likely[:_MAX_COMPANIONS]:
        yield ChangeItem(
            kind="forgotten_copy",
            level=Level.LOOK,
            file=pair.edited,
            name="",
            fact=f"{pair.file} usually changes with {pair.edited} (in {pair.commits} of its last {pair.of} commits), but was not edited.",
            fix="Check whether it needs the same change.",
            places=(Spot(pair.file, 0),),
        )


def _is_likely(pair: Together) -> bool:
    return pair.commits >= _MIN_COMMITS_TOGETHER and pair.commits >= _MIN_SHARE_TOGETHER * pair.of


def weakened_test_items(states: TwoStates, known: Known) -> Iterator[ChangeItem]:
    """Tests that check less while the change edits what they test: one item per file and way."""
    weakened = find_weakened_tests(
        states.changed_before,
        states.changed_after,
        states.changes,
        lambda path: states.before.users.get(path, ()),
    )
    for (file, how, tested), tests in groupby(weakened, key=lambda test: (test.file, test.how, test.tested)):
        group = list(tests)
        names = quoted_names([test.name for test in group], _MAX_TESTS_NAMED)
        was = "was" if len(group) == 1 else "were"
        yield ChangeItem(
            kind="weakened_test",
            level=Level.LOOK,
            file=file,
            name=group[0].name if len(group) == 1 else "",
            fact=f"{names} in {file} {was} {how} in a change to {tested}.",
            fix="Restore the checks, or say why they no longer hold.",
            places=tuple(Spot(test.file, test.line, test.name) for test in group if test.line),
        )


def unread_file_items(states: TwoStates, known: Known) -> Iterator[ChangeItem]:
    """Files that were read before and cannot be now, or that no longer parse: what they lost is not known."""
    for file in states.changes.files:
        before = states.changed_before.facts(file.old) if file.old else None
        if before is None or not file.new:
            continue
        after = states.changed_after.facts(file.new)
        new_errors = after.errors[len(before.errors) :] if after else ()
        if after is None:
            fact, line = f"{file.new} was read before and cannot be now, so it was not compared.", 0
        elif new_errors:
            line = after.errors[0].line
            fact = f"{file.new} no longer parses at line {line}, so what is missing from it was not compared."
        else:
            continue
        yield ChangeItem(
            kind=NOT_COMPARED,
            level=Level.LOOK,
            file=file.new,
            name="",
            fact=fact,
            fix="Make it a file that can be read, or check its users by hand.",
            places=(Spot(file.new, line),),
        )


KINDS = (
    ItemKind("broken_reference", broken_reference_items),
    ItemKind("changed_signature", changed_signature_items),
    ItemKind("forgotten_copy", forgotten_copy_items),
    ItemKind("weakened_test", weakened_test_items),
    ItemKind(NOT_COMPARED, unread_file_items),
)

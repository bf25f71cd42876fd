"""What a change broke or forgot, and which findings went with deleted code."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from crimes.analyses.change.forgotten_copies import CopyPlace
from crimes.analyses.change.kinds import NOTHING_KNOWN, Known, Together, find_items
from crimes.analyses.change.two_states import TwoStates
from crimes.model.change import ChangeItem, Level, with_ids
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Crime, Report
from crimes.system import git
from crimes.system.git_diff import ignored_names
from crimes.workflows.briefing.record import Briefing

_COPIES = "cloned_logic"  # the detector that reports duplicated code
_SAME_LINES = "the same apart from names"  # how its note on a copy of the same block ends


def items_of_change(root: Path, states: TwoStates, known: Known = NOTHING_KNOWN) -> tuple[ChangeItem, ...]:
    """What the change broke or forgot. A file that is deleted and ignored now is made by a build: nothing misses it."""
    items = find_items(states, known)
    deleted = {item.file for item in items if item.level is Level.BROKEN and not item.name}
    with git.unavailable_as(EnvironmentFault, "ignore rules cannot be read"):
        built = ignored_names(root, sorted(deleted))
    return with_ids(item for item in items if item.name or item.file not in built)


def known_of(before: Report, briefings: Mapping[str, Briefing]) -> Known:
    """The copies that the earlier state had, and what usually changes with the edited files."""
    copies = tuple(_copies(crime) for crime in before.code_findings if crime.type == _COPIES)
    together = tuple(
        Together(companion.file, file, companion.commits, companion.of)
        for file, briefing in briefings.items()
        for companion in briefing.companions
    )
    return Known(copies, together)


def _copies(crime: Crime) -> tuple[CopyPlace, ...]:
    """The places of one duplicated block; other blocks of the same files are other groups."""
    own = CopyPlace(crime.file, crime.lines.start, crime.lines.end, crime.symbol)
    same = (place for place in crime.related if place.note.endswith(_SAME_LINES))
    return (own, *(CopyPlace(place.file, place.lines.start, place.lines.end, place.symbol) for place in same))


class DeletedCode:
    """Whether the code of a finding was deleted: its file, or its function or class."""

    def __init__(self, states: TwoStates) -> None:
        self._states = states

    def __call__(self, crime: Crime) -> bool:
        now = self._states.changes.now(crime.file)
        if not now:
            return True
        if now not in self._states.changes.touched or not crime.symbol:
            return False
        return crime.symbol in self._symbols(crime.file, before=True) and crime.symbol not in self._symbols(
            now, before=False
        )

    def _symbols(self, path: str, *, before: bool) -> Collection[str]:
        state = self._states.changed_before if before else self._states.changed_after
        facts = state.facts(path)
        if facts is None:
            return ()
        functions = {function.qualname for function in facts.functions}
        return functions | {class_.qualname for class_ in facts.classes}

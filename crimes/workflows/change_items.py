"""What a change broke or forgot, and which findings went with deleted code."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from crimes.analyses.change.kinds import TwoStates, find_items
from crimes.model.change import ChangeItem, Level
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Crime
from crimes.system import git
from crimes.system.git_diff import ignored_names


def items_of_change(root: Path, states: TwoStates) -> tuple[ChangeItem, ...]:
    """What the change broke or forgot. A file that is deleted and ignored now is made by a build: nothing misses it."""
    items = find_items(states)
    deleted = {item.file for item in items if item.level is Level.BROKEN and not item.name}
    with git.unavailable_as(EnvironmentFault, "ignore rules cannot be read"):
        built = ignored_names(root, sorted(deleted))
    return tuple(item for item in items if item.name or item.file not in built)


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

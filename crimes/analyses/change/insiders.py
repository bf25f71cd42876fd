"""Which files may use a definition, given how far it reaches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from crimes.analyses.change.state import State, last_word
from crimes.analyses.change.units import Units
from crimes.languages import by_id
from crimes.model.visibility import Reach, Visible


class Insiders:
    """Tells for one state whether a file may use what another defines. Where that is not sure, it may."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._units_of: dict[str, Units] = {}

    def may_use(self, user: str, home: str, visible: Visible) -> bool:
        """Whether the file `user` may use a definition of the file `home`."""
        reach = visible.reach
        if user == home or reach is Reach.EVERYWHERE:
            return True
        if reach is Reach.FILE:
            return False
        if reach is Reach.TYPE:
            return user in self._state.class_homes.get(visible.owner, ())
        if reach is Reach.UNIT:
            return self._is_built_with(user, home)
        if reach in (Reach.MODULE, Reach.PARENT):
            return self._is_below(user, home, up=int(reach is Reach.PARENT))
        if reach is not Reach.HEIRS and self._packages(user) == self._packages(home):
            return True
        return reach is not Reach.PACKAGE and self._is_heir(user, visible.owner)

    def _packages(self, path: str) -> tuple[str, ...]:
        facts = self._state.facts(path)
        return facts.packages if facts else ()

    def _is_heir(self, user: str, owner: str) -> bool:
        """Whether a class of a file inherits from one of that name, through any number of others."""
        names, pending = {owner}, [owner]
        while pending:
            for name, path in self._children.get(pending.pop(), ()):
                if path == user:
                    return True
                if name not in names:
                    names.add(name)
                    pending.append(name)
        return False

    @cached_property
    def _children(self) -> Mapping[str, list[tuple[str, str]]]:
        """By name of a base: the classes that name it, with their files."""
        children: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for path, file in self._state.files.items():
            for class_ in file.facts.classes:
                for base in class_.bases:
                    children[last_word(base.partition("<")[0])].append((class_.name, path))
        return children

    def _is_below(self, user: str, home: str, up: int) -> bool:
        """Whether a file belongs to the module of another, or the one `up` levels above, or is below that."""
        homes, users = self._state.linker.modules(home), self._state.linker.modules(user)
        tops = [module[: max(1, len(module) - up)] for module in homes]
        return not homes or not users or any(own[: len(top)] == top for own in users for top in tops)

    def _is_built_with(self, user: str, home: str) -> bool:
        homes, users = self._state.linker.modules(home), self._state.linker.modules(user)
        if homes and users:
            return not {module[0] for module in homes}.isdisjoint(module[0] for module in users)
        units = self._units(home)
        return units is None or units.are_shared(home, user)

    def _units(self, path: str) -> Units | None:
        """The units of the language of a file; None if it has none."""
        facts = self._state.facts(path)
        syntax = by_id[facts.language].syntax if facts else None
        if facts is None or syntax is None or syntax.visibility is None or syntax.visibility.unit is None:
            return None
        if facts.language not in self._units_of:
            self._units_of[facts.language] = Units(self._state, syntax.visibility.unit)
        return self._units_of[facts.language]

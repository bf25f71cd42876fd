"""Which files may use a definition, given how far it reaches."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from crimes.analyses.change.state import State, last_word
from crimes.languages import by_id
from crimes.languages.spec import VisibilitySyntax
from crimes.model.visibility import Reach, Visible


class Insiders:
    """Tells for one state whether a file may use what another defines. Where that is not sure, it may."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._opened: dict[str, bool] = {}

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
        syntax = self._syntax(home)
        unit, unit_of_user = self._unit(home, syntax), self._unit(user, syntax)
        return unit is None or unit_of_user is None or unit == unit_of_user or self._is_opened(syntax)

    def _syntax(self, path: str) -> VisibilitySyntax | None:
        facts = self._state.facts(path)
        syntax = by_id[facts.language].syntax if facts else None
        return syntax.visibility if syntax else None

    def _unit(self, path: str, syntax: VisibilitySyntax | None) -> str | None:
        """The nearest folder that is built as one; None if there is none."""
        folder = path
        while folder and syntax is not None:
            folder = posixpath.dirname(folder)
            if folder in self._unit_folders(syntax):
                return folder
        return None

    def _unit_folders(self, syntax: VisibilitySyntax) -> frozenset[str]:
        if syntax.query not in self._units:
            pattern = syntax.unit_file
            self._units[syntax.query] = frozenset(
                posixpath.dirname(path)
                for path in self._state.paths
                if pattern and pattern.fullmatch(posixpath.basename(path))
            )
        return self._units[syntax.query]

    @cached_property
    def _units(self) -> dict[str, frozenset[str]]:
        return {}

    def _is_opened(self, syntax: VisibilitySyntax | None) -> bool:
        """Whether a file of the repository lets other units use what is meant for one."""
        if syntax is None or syntax.unit_opening is None:
            return False
        names, words = syntax.unit_opening
        if syntax.query not in self._opened:
            self._opened[syntax.query] = any(
                words.search(self._state.read(path))
                for path in sorted(self._state.paths)
                if names.search(path)
            )
        return self._opened[syntax.query]

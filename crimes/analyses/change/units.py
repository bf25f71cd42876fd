"""Folders that are built as one, such as the projects of an assembly, and which of them share what is meant for one."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from crimes.analyses.change.state import State
from crimes.languages.spec import UnitSyntax
from crimes.model.lazy_regex import regex

_SETTING = regex(r"\$\([^)]{0,200}\)")  # a value that only the build knows


class Units:
    """The units of one state, for languages that have them. Where something is not sure, units share everything."""

    def __init__(self, state: State, syntax: UnitSyntax) -> None:
        self._state, self._syntax = state, syntax
        self._friends: dict[str, frozenset[str] | None] = {}

    def are_shared(self, home: str, user: str) -> bool:
        """Whether the file `user` may use what the file `home` keeps for its unit."""
        unit, unit_of_user = self._unit(home), self._unit(user)
        if unit is None or unit_of_user is None or unit == unit_of_user:
            return True
        friends = self._friends_of(unit)
        names = self._names(unit_of_user)
        return friends is None or names is None or any(_is_named(name, friends) for name in names)

    def _unit(self, path: str) -> str | None:
        """The nearest folder that is built as one; None if there is none."""
        folder = path
        while folder:
            folder = posixpath.dirname(folder)
            if folder in self._project_files:
                return folder
        return None

    @cached_property
    def _project_files(self) -> Mapping[str, list[str]]:
        """By folder: the files that make it a unit."""
        files: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(self._state.paths):
            if self._syntax.file.fullmatch(posixpath.basename(path)):
                files[posixpath.dirname(path)].append(path)
        return files

    def _friends_of(self, unit: str) -> frozenset[str] | None:
        """The names of the units that may use what a unit keeps for itself; None if that cannot be told."""
        if unit not in self._friends:
            stated = list(self._stated_friends(unit))
            unclear = any(name is None or _SETTING.search(name) for name in stated)
            self._friends[unit] = None if unclear else frozenset(name for name in stated if name)
        return self._friends[unit]

    def _stated_friends(self, unit: str) -> Iterator[str | None]:
        """The names that files of a unit, or of no unit, open it to; None for a statement that has no name."""
        opening = self._syntax.opening
        if opening is None:
            return
        for path in sorted(self._state.paths):
            if opening.files.search(path) and self._unit(path) in (unit, None):
                text = self._state.read(path)
                if opening.word in text:
                    names = [next(filter(None, match.groups())) for match in opening.friend.finditer(text)]
                    yield from (name.decode("utf-8", "replace") for name in names)
                    if text.count(opening.word) > len(names):
                        yield None

    def _names(self, unit: str) -> list[str] | None:
        """The names that a unit goes by: its files, and what they say; None if only the build knows."""
        names = []
        for path in self._project_files[unit]:
            names.append(posixpath.splitext(posixpath.basename(path))[0])
            if self._syntax.name is not None:
                stated = self._syntax.name.findall(self._state.read(path))
                names += [name.decode("utf-8", "replace") for name in stated]
        return None if any(_SETTING.search(name) for name in names) else names


def _is_named(name: str, friends: frozenset[str]) -> bool:
    """Whether a unit is among the friends; settings for all units may put the name of the product before its own."""
    return any(friend == name or friend.endswith(f".{name}") for friend in friends)

"""Copies of code by function: one group for all that repeat the same lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from crimes.analyses.clones import CloneClass, Copy
from crimes.model.facts import Function
from crimes.model.repository import File
from crimes.workflows.briefing.record import CopyGroup, CopyPlace

_MAX_PLACES = 40
_MIN_PARAMETERS = 4  # of a signature that makes a group
_MIN_ALIKE = 3  # functions with it
_Key = tuple[str, int, int]  # file, function, and the first line where there is no function


def group_copies(
    classes: Iterable[CloneClass], files: Mapping[str, File]
) -> dict[str, tuple[CopyGroup, ...]]:
    """By file: its groups of copies, the largest first. Two functions that share a run of lines are in one group."""
    groups = _Groups()
    places: dict[_Key, list[Copy]] = {}
    lines: dict[_Key, int] = {}
    keyed = [(clone, [_key(copy, files) for copy in clone.copies]) for clone in classes]
    signatures = _repeated_signatures({key for _, keys in keyed for key in keys}, files)
    for clone, keys in keyed:
        first: dict[
            tuple[str, ...], _Key
        ] = {}  # by signature: functions of one signature are a group of their own
        for key, copy in zip(keys, clone.copies, strict=True):
            places.setdefault(key, []).append(copy)
            lines[key] = max(lines.get(key, 0), clone.lines)
            groups.join(first.setdefault(signatures.get(key, ()), key), key)
    by_file: dict[str, list[CopyGroup]] = {}
    for members in groups.members():
        if len(members) > 1:  # else a function repeats itself, and a finding says so
            for file in {member[0] for member in members}:
                by_file.setdefault(file, []).append(_group(members, file, places, lines, files))
    return {
        file: tuple(sorted(own, key=lambda group: (-group.total * group.lines, group.places[0].start)))
        for file, own in by_file.items()
    }


def _repeated_signatures(keys: Iterable[_Key], files: Mapping[str, File]) -> dict[_Key, tuple[str, ...]]:
    """The parameters of the functions that share them with others: long lists, in three functions or more."""
    parameters = {}
    for key in keys:
        function = _function(key, files)
        if function and len(function.params) >= _MIN_PARAMETERS:
            parameters[key] = tuple(param.name for param in function.params)
    often = Counter(parameters.values())
    return {key: names for key, names in parameters.items() if often[names] >= _MIN_ALIKE}


def _key(copy: Copy, files: Mapping[str, File]) -> _Key:
    """The named function that a copy stands in."""
    functions = files[copy.path].facts.functions
    index = copy.function
    while index >= 0 and functions[index].is_anonymous:
        index = functions[index].parent
    return copy.path, index, copy.start if index < 0 else 0


def _group(
    members: list[_Key],
    file: str,
    places: Mapping[_Key, list[Copy]],
    lines: Mapping[_Key, int],
    files: Mapping[str, File],
) -> CopyGroup:
    """The group as the briefing of one of its files shows it."""
    ordered = sorted(
        members, key=lambda key: (key[0] != file, key[0], min(copy.start for copy in places[key]))
    )
    named = [_function(key, files) for key in ordered]
    parameters = {tuple(param.name for param in function.params) for function in named if function}
    is_one_signature = all(named) and len(parameters) == 1 and len(next(iter(parameters))) > 1
    return CopyGroup(
        tuple(
            CopyPlace(
                key[0],
                function.qualname if function else "",
                min(copy.start for copy in places[key]),
                max(copy.end for copy in places[key]),
            )
            for key, function in zip(ordered[:_MAX_PLACES], named, strict=False)
        ),
        len(ordered),
        max(lines[key] for key in members),
        same_parameters=is_one_signature,
    )


def _function(key: _Key, files: Mapping[str, File]) -> Function | None:
    return files[key[0]].facts.functions[key[1]] if key[1] >= 0 else None


class _Groups:
    """Keys that were joined, directly or through others."""

    def __init__(self) -> None:
        self._parent: dict[_Key, _Key] = {}

    def join(self, first: _Key, second: _Key) -> None:
        self._parent.setdefault(first, first)
        self._parent.setdefault(second, second)
        one, other = self._root(first), self._root(second)
        if one != other:
            self._parent[max(one, other)] = min(one, other)

    def _root(self, key: _Key) -> _Key:
        while self._parent[key] != key:
            self._parent[key] = self._parent[self._parent[key]]
            key = self._parent[key]
        return key

    def members(self) -> list[list[_Key]]:
        """The members of each group, sorted."""
        groups: dict[_Key, list[_Key]] = {}
        for key in sorted(self._parent):
            groups.setdefault(self._root(key), []).append(key)
        return [groups[root] for root in sorted(groups)]

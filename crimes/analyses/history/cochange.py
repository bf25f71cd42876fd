"""Files that tend to change in the same commits, over all history that is read and for every kind of file.

A commit counts for more the fewer files it changed, and the newer it is among the commits of the file in question. The commits
of the file's folder count too, for less: a new file changes with what its neighbours change with.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from heapq import nsmallest

from msgspec import Struct

_MAX_FILE_COMMITS = 60  # the newest ones
_MAX_FOLDER_COMMITS = 200
_MAX_FOLDER_FILES = 60  # that the commits of a folder suggest
_HALF_LIFE_COMMITS = 20  # newer ones that halve the weight of a commit
_FOLDER_WEIGHT = 0.3  # relative to the file's own commits


class Companion(Struct, frozen=True):
    """A file, and in how many of the `of` commits of the other file it changed too; 0 when only the folder suggests it."""

    path: str
    commits: int
    of: int


class ChangeSets(Struct, frozen=True, dict=True):
    """The files that each commit changed, newest first, as indexes into `names`; without commits of bots or of many files."""

    names: tuple[str, ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()
    shas: tuple[str, ...] = ()  # of the same commits, abbreviated to twelve

    def companions(self, path: str, limit: int) -> tuple[Companion, ...]:
        """Files that change with this one, the most likely first."""
        number = self._numbers.get(path)
        own = self._commits_of_file.get(number, ())[:_MAX_FILE_COMMITS] if number is not None else ()
        weights: defaultdict[int, float] = defaultdict(float)
        commits: Counter[int] = Counter()
        for age, commit in enumerate(own):
            changed = self.sets[commit]
            commits.update(changed)
            for other in changed:
                weights[other] += 0.5 ** (age / _HALF_LIFE_COMMITS) / len(changed)
        strongest = max((weight for other, weight in weights.items() if other != number), default=1.0)
        for other, weight in self._folder_weights(path.rpartition("/")[0]).items():
            weights[other] += _FOLDER_WEIGHT * strongest * weight
        weights.pop(-1 if number is None else number, None)
        ranked = nsmallest(limit, weights, key=lambda other: (-weights[other], self.names[other]))
        return tuple(Companion(self.names[other], commits[other], len(own)) for other in ranked)

    def commits_of(self, path: str) -> Sequence[int]:
        """The commits that changed a file, as indexes, newest first."""
        number = self._numbers.get(path)
        return () if number is None else self._commits_of_file.get(number, ())

    def _folder_weights(self, folder: str) -> Mapping[int, float]:
        """By file: its weight in the newest commits of a folder; the strongest has 1."""
        if folder not in self._folders:
            weights: defaultdict[int, float] = defaultdict(float)
            for commit in self._commits_of_folder.get(folder, ())[:_MAX_FOLDER_COMMITS]:
                for other in self.sets[commit]:
                    weights[other] += 1 / len(self.sets[commit])
            ranked = nsmallest(
                _MAX_FOLDER_FILES, weights, key=lambda other: (-weights[other], self.names[other])
            )
            strongest = weights[ranked[0]] if ranked else 1.0
            self._folders[folder] = {other: weights[other] / strongest for other in ranked}
        return self._folders[folder]

    @cached_property
    def _folders(self) -> dict[str, Mapping[int, float]]:
        return {}

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def _commits_of_file(self) -> Mapping[int, Sequence[int]]:
        commits: defaultdict[int, list[int]] = defaultdict(list)
        for commit, changed in enumerate(self.sets):
            for number in changed:
                commits[number].append(commit)
        return commits

    @cached_property
    def _commits_of_folder(self) -> Mapping[str, Sequence[int]]:
        folder_of = [name.rpartition("/")[0] for name in self.names]
        commits: defaultdict[str, list[int]] = defaultdict(list)
        for commit, changed in enumerate(self.sets):
            for folder in {folder_of[number] for number in changed}:
                if len(commits[folder]) < _MAX_FOLDER_COMMITS:
                    commits[folder].append(commit)
        return commits


NO_CHANGES = ChangeSets()


def build_change_sets(sets: Iterable[Sequence[str]], shas: Iterable[str] = ()) -> ChangeSets:
    """The sets with each name stored once."""
    numbers: dict[str, int] = {}
    rows = tuple(tuple(numbers.setdefault(path, len(numbers)) for path in changed) for changed in sets)
    return ChangeSets(tuple(numbers), rows, tuple(shas))

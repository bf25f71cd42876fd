"""Files that tend to change in the same commits, over all of history that is read and for every kind of file.

A commit counts for the more the fewer files it changed and the newer it is among those of the file that is asked about. Where a
file's own past says little, that of its folder speaks: a new file is changed with what its neighbours are changed with.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from heapq import nsmallest

from msgspec import Struct

_OWN = 60  # newest commits of a file that are looked at
_FOLDER = 200  # and of a folder
_AROUND = 60  # files that a folder speaks for
_HALF = 20  # commits after which one counts for half
_FOLDER_WEIGHT = 0.3  # of what the file's own past says


class Companion(Struct, frozen=True):
    """A file, and in how many of the `of` commits of the other one it was changed too; 0: only the folder speaks for it."""

    path: str
    commits: int
    of: int


class ChangeSets(Struct, frozen=True, dict=True):
    """The files that each commit changed, newest first, as numbers of `names`; neither commits of bots nor of many files."""

    names: tuple[str, ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()

    def companions(self, path: str, limit: int) -> tuple[Companion, ...]:
        """Files that change with this one, the most likely first."""
        number = self._numbers.get(path)
        own = self._of_file.get(number, ())[:_OWN] if number is not None else ()
        weights: defaultdict[int, float] = defaultdict(float)
        commits: Counter[int] = Counter()
        for age, at in enumerate(own):
            changed = self.sets[at]
            commits.update(changed)
            for other in changed:
                weights[other] += 0.5 ** (age / _HALF) / len(changed)
        around = self._around(path.rpartition("/")[0])
        most = max((weight for other, weight in weights.items() if other != number), default=1.0)
        for other, weight in around.items():
            weights[other] += _FOLDER_WEIGHT * most * weight
        weights.pop(-1 if number is None else number, None)
        ranked = nsmallest(limit, weights, key=lambda other: (-weights[other], self.names[other]))
        return tuple(Companion(self.names[other], commits[other], len(own)) for other in ranked)

    def _around(self, folder: str) -> Mapping[int, float]:
        """By file: how much the newest commits in a folder speak for it; the first has 1."""
        if folder not in self._folders:
            weights: defaultdict[int, float] = defaultdict(float)
            for at in self._of_folder.get(folder, ())[:_FOLDER]:
                for other in self.sets[at]:
                    weights[other] += 1 / len(self.sets[at])
            strongest = nsmallest(_AROUND, weights, key=lambda other: (-weights[other], self.names[other]))
            most = weights[strongest[0]] if strongest else 1.0
            self._folders[folder] = {other: weights[other] / most for other in strongest}
        return self._folders[folder]

    @cached_property
    def _folders(self) -> dict[str, Mapping[int, float]]:
        return {}

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def _of_file(self) -> Mapping[int, Sequence[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)
        for at, changed in enumerate(self.sets):
            for number in changed:
                found[number].append(at)
        return found

    @cached_property
    def _of_folder(self) -> Mapping[str, Sequence[int]]:
        folder_of = [name.rpartition("/")[0] for name in self.names]
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, changed in enumerate(self.sets):
            for folder in {folder_of[number] for number in changed}:
                if len(found[folder]) < _FOLDER:
                    found[folder].append(at)
        return found


NO_CHANGES = ChangeSets()


def change_sets(sets: Iterable[Sequence[str]]) -> ChangeSets:
    """The sets with each name written once."""
    numbers: dict[str, int] = {}
    rows = tuple(tuple(numbers.setdefault(path, len(numbers)) for path in changed) for changed in sets)
    return ChangeSets(tuple(numbers), rows)

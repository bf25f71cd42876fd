"""Files that tend to change in the same commits, over all history that is read and for every kind of file.

A file is named if it changed in one in six of the other's commits, and if the commits say that the two belong together: a commit
says the more, the fewer files it changed and the newer it is. What else joins the two files raises that; how much was fitted on
past commits (docs/agents.md).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

_MAX_FILE_COMMITS = 60  # the newest ones
_HALF_LIFE_COMMITS = 10  # newer ones that halve the weight of a commit
_COMMITS_PER_HIT = 6  # one in six commits or more
_PRIOR_HITS = 0.01  # what two files are worth before any commit speaks
_PRIOR_COMMITS = 2.0
_MIN_STRENGTH = 0.04


class Companion(Struct, frozen=True):
    """A file, and in how many of the `of` newest commits of the other file it changed too."""

    path: str
    commits: int
    of: int


class Companions(Struct, frozen=True):
    """The files that are likely to change with another, the most likely first; `others` counts those that did, but are not."""

    likely: tuple[Companion, ...]
    others: int
    ranked: tuple[str, ...] = ()  # all that changed with it, the strongest tie first


NO_COMPANIONS = Companions((), 0)


class ChangeSets(Struct, frozen=True, dict=True):
    """The files that each commit changed, newest first, as indexes into `names`; without commits of bots or of many files."""

    names: tuple[str, ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()
    shas: tuple[str, ...] = ()  # of the same commits, abbreviated to twelve

    def companions(self, path: str, ties: Mapping[str, float], limit: int) -> Companions:
        """The files that change with this one. `ties`: by file that something else joins to it, how much more it counts.

        In fewer than six commits one in six cannot show: there a tie alone may be enough.
        """
        number = self._numbers.get(path)
        own = self._commits_of_file.get(number, ())[:_MAX_FILE_COMMITS] if number is not None else ()
        together, commits = self._together(number, own)
        seen = sum(0.5 ** (age / _HALF_LIFE_COMMITS) for age in range(len(own)))
        candidates = {self.names[other]: (weight, commits[other]) for other, weight in together.items()}
        if len(own) < _COMMITS_PER_HIT:
            candidates = {**{tied: (0.0, 0) for tied in ties if tied != path}, **candidates}
        strengths = {
            other: ties.get(other, 1.0) * (weight + _PRIOR_HITS) / (seen + _PRIOR_COMMITS)
            for other, (weight, _) in candidates.items()
        }
        ranked = sorted(strengths, key=lambda other: (-strengths[other], other))
        likely = [
            Companion(other, candidates[other][1], len(own))
            for other in ranked
            if strengths[other] >= _MIN_STRENGTH
            and (_COMMITS_PER_HIT * candidates[other][1] >= len(own) or len(own) < _COMMITS_PER_HIT)
        ][:limit]
        others = len(together) - sum(companion.commits > 0 for companion in likely)
        return Companions(tuple(likely), others, tuple(ranked))

    def _together(
        self, number: int | None, own: Sequence[int]
    ) -> tuple[Mapping[int, float], Mapping[int, int]]:
        """By file: what the commits of another say of it, and how many of them changed it."""
        weights: defaultdict[int, float] = defaultdict(float)
        commits: Counter[int] = Counter()
        for age, commit in enumerate(own):
            changed = self.sets[commit]
            commits.update(changed)
            for other in changed:
                if other != number:
                    weights[other] += 0.5 ** (age / _HALF_LIFE_COMMITS) / (len(changed) - 1)
        return weights, commits

    def commits_of(self, path: str) -> Sequence[int]:
        """The commits that changed a file, as indexes, newest first."""
        number = self._numbers.get(path)
        return () if number is None else self._commits_of_file.get(number, ())

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


NO_CHANGES = ChangeSets()


def build_change_sets(sets: Iterable[Sequence[str]], shas: Iterable[str] = ()) -> ChangeSets:
    """The sets with each name stored once."""
    numbers: dict[str, int] = {}
    rows = tuple(tuple(numbers.setdefault(path, len(numbers)) for path in changed) for changed in sets)
    return ChangeSets(tuple(numbers), rows, tuple(shas))

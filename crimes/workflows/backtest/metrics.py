"""How well scores put the fixed files first: ROC-AUC, average precision, what the first files hold, and bootstrap intervals.

Files with equal scores are never told apart by ROC-AUC and average precision: a pair of them counts half, and precision is taken at the
end of each run of equals. Where a list has to end somewhere, equals are in the order they were given in.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import mul
from typing import NamedTuple

RESAMPLES = 1_000
TENTHS = 10
_SEED = 18  # any will do: the same input gives the same interval
_OUTSIDE_SHARE = 0.025  # of the resamples, on each side of an interval of 95 %


class Quality(NamedTuple):
    """Two measures of a ranking."""

    roc_auc: float  # share of the pairs of a fixed and an unfixed file in which the fixed one scores higher
    average_precision: float  # mean share of fixed files down to each fixed file


class Interval(NamedTuple):
    """A difference, and where 95 % of the resamples put it."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the difference is more than chance explains."""
        return self.low > 0 or self.high < 0


class _Run(NamedTuple):
    """Neighbours with one score, at least one of them fixed: from `start` up to `end` in the order of scores."""

    start: int
    end: int


class RankedLabels:
    """The fixed and unfixed files in the order of a score, prepared to be measured many times."""

    def __init__(self, scores: Sequence[float], fixed: Sequence[bool]) -> None:
        self.order = sorted(range(len(scores)), key=lambda at: -scores[at])
        self._fixed = [fixed[at] for at in self.order]
        self._runs = self._find_runs([scores[at] for at in self.order])

    def measure(self, weights: Sequence[int]) -> Quality | None:
        """The quality when each file is there so many times; None without both fixed and unfixed files."""
        ordered = [weights[at] for at in self.order]
        files = [0, *accumulate(ordered)]
        hits = [0, *accumulate(map(mul, ordered, self._fixed))]
        positives, negatives = hits[-1], files[-1] - hits[-1]
        if not positives or not negatives:
            return None
        pairs = precision = 0.0
        for start, end in self._runs:
            here = hits[end] - hits[start]
            if here:
                below = negatives - (files[end] - hits[end])
                equal = files[end] - files[start] - here
                pairs += here * (below + equal / 2)
                precision += here * hits[end] / files[end]
        return Quality(pairs / (positives * negatives), precision / positives)

    def _find_runs(self, scores: Sequence[float]) -> list[_Run]:
        starts = [at for at in range(len(scores)) if at == 0 or scores[at] != scores[at - 1]]
        ends = [*starts[1:], len(scores)]
        runs = (_Run(start, end) for start, end in zip(starts, ends, strict=True))
        return [run for run in runs if any(self._fixed[run.start : run.end])]


def quality_of(scores: Sequence[float], fixed: Sequence[bool]) -> Quality | None:
    """How well the scores tell fixed from unfixed files; None without both."""
    return RankedLabels(scores, fixed).measure([1] * len(scores))


def first_files(scores: Sequence[float], number: int) -> list[int]:
    """The places of the files with the highest scores."""
    return sorted(range(len(scores)), key=lambda at: -scores[at])[:number]


def shares_by_tenth(scores: Sequence[float], fixes: Sequence[int]) -> tuple[float, ...]:
    """The share of all fixes in the first tenth of the files, in the first two tenths, and so on; tenths are rounded up."""
    order, total = first_files(scores, len(scores)), sum(fixes)
    sums = [0, *accumulate(fixes[at] for at in order)]
    ends = [-(-len(scores) * tenth // TENTHS) for tenth in range(1, TENTHS + 1)]
    return tuple(sums[end] / total if total else 0.0 for end in ends)


def differences(
    scores: Mapping[str, Sequence[float]], fixed: Sequence[bool], ours: str
) -> dict[str, tuple[Interval, Interval]]:
    """ROC-AUC and average precision of the scores called `ours` minus those of each other, with intervals.

    A resample draws as many files as there are, with replacement, and measures all scores on the same draw.
    """
    labels = {name: RankedLabels(values, fixed) for name, values in scores.items()}
    others = [name for name in scores if name != ours]
    whole = _measure_all(labels, [1] * len(fixed))
    if whole is None:
        return {}
    draws = _draws(labels, len(fixed))
    return {
        name: (
            _interval([draw[ours].roc_auc - draw[name].roc_auc for draw in (whole, *draws)]),
            _interval(
                [draw[ours].average_precision - draw[name].average_precision for draw in (whole, *draws)]
            ),
        )
        for name in others
    }


def _draws(labels: Mapping[str, RankedLabels], files: int) -> list[dict[str, Quality]]:
    """The qualities on each resample that has fixed and unfixed files."""
    chance = random.Random(_SEED)  # noqa: S311 - chance that repeats is the point
    places = range(files)
    draws = []
    for _ in range(RESAMPLES):
        weights = [0] * files
        for at in chance.choices(places, k=files):
            weights[at] += 1
        draw = _measure_all(labels, weights)
        if draw is not None:
            draws.append(draw)
    return draws


def _measure_all(labels: Mapping[str, RankedLabels], weights: Sequence[int]) -> dict[str, Quality] | None:
    """The quality of every ranking; None without both fixed and unfixed files, which is the same for all of them."""
    qualities = {name: ranking.measure(weights) for name, ranking in labels.items()}
    complete = {name: quality for name, quality in qualities.items() if quality is not None}
    return complete if len(complete) == len(labels) else None


def _interval(values: Sequence[float]) -> Interval:
    """The first value, within the middle 95 % of the others."""
    value, *draws = values
    ordered = sorted(draws)
    outside = int(len(ordered) * _OUTSIDE_SHARE)
    return Interval(value, ordered[outside], ordered[-1 - outside])

"""Measures of a ranking, against the slow definitions of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.workflows.backtest.metrics import (
    RankedLabels,
    differences,
    first_files,
    quality_of,
    shares_by_tenth,
)

# Few different scores, so that many are equal.
FILES = st.lists(st.tuples(st.integers(0, 6), st.booleans(), st.integers(0, 3)), min_size=2, max_size=40)


def auc_by_pairs(scores: Sequence[float], fixed: Sequence[bool]) -> float:
    """Every pair of a fixed and an unfixed file, looked at."""
    pairs = [
        (above, below)
        for above, is_fixed in zip(scores, fixed, strict=True)
        if is_fixed
        for below, other_fixed in zip(scores, fixed, strict=True)
        if not other_fixed
    ]
    return sum((above > below) + (above == below) / 2 for above, below in pairs) / len(pairs)


def precision_by_thresholds(scores: Sequence[float], fixed: Sequence[bool]) -> float:
    """At each score, the files at or above it: precision, times the recall that the score added."""
    total, before, result = sum(fixed), 0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        listed = [is_fixed for score, is_fixed in zip(scores, fixed, strict=True) if score >= threshold]
        result += (sum(listed) - before) / total * sum(listed) / len(listed)
        before = sum(listed)
    return result


@given(FILES)
def test_quality_equals_the_slow_definitions_also_with_equal_scores(
    files: list[tuple[int, bool, int]],
) -> None:
    scores, fixed = [file[0] for file in files], [file[1] for file in files]
    quality = quality_of(scores, fixed)
    if all(fixed) or not any(fixed):
        assert quality is None
        return
    assert quality is not None
    assert quality.roc_auc == pytest.approx(auc_by_pairs(scores, fixed))
    assert quality.average_precision == pytest.approx(precision_by_thresholds(scores, fixed))


@given(FILES)
def test_weights_count_a_file_as_many_times(files: list[tuple[int, bool, int]]) -> None:
    scores, fixed, weights = ([file[part] for file in files] for part in range(3))
    repeated = [file for file in files for _ in range(file[2])]
    quality = RankedLabels(scores, [bool(label) for label in fixed]).measure(weights)
    slow = quality_of([file[0] for file in repeated], [file[1] for file in repeated]) if repeated else None
    assert (quality is None) == (slow is None)
    assert quality == (None if slow is None else pytest.approx(slow))


def test_quality_of_a_ranking_computed_by_hand() -> None:
    """Fixed at places 1 and 3 of 4: 3 of 4 pairs are right; precision 1 and 2/3."""
    quality = quality_of([9, 7, 5, 1], [True, False, True, False])
    assert quality is not None
    assert quality.roc_auc == 0.75
    assert quality.average_precision == pytest.approx((1 + 2 / 3) / 2)


def test_first_files_keep_equals_in_the_given_order() -> None:
    assert first_files([1, 3, 2, 3], 3) == [1, 3, 2]


def test_shares_by_tenth_round_the_number_of_files_up() -> None:
    """Of 12 files the first tenth is 2, two tenths are 3."""
    fixes = [4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3]
    shares = shares_by_tenth(list(range(12, 0, -1)), fixes)
    assert shares[:2] == (0.5, 0.625)
    assert shares[-2:] == (0.625, 1.0)
    assert shares_by_tenth([1, 2], [0, 0]) == (0.0,) * 10


def test_difference_of_a_ranking_from_itself_is_nothing() -> None:
    scores = [float(number % 7) for number in range(60)]
    fixed = [number % 3 == 0 for number in range(60)]
    intervals = differences({"ours": scores, "same": scores}, fixed, "ours")["same"]
    assert intervals == ((0, 0, 0), (0, 0, 0))
    assert not any(interval.excludes_zero for interval in intervals)


def test_interval_excludes_zero_for_a_perfect_ranking_against_a_blind_one() -> None:
    fixed = [number < 20 for number in range(100)]
    scores = {"blind": [0.0] * 100, "perfect": [float(is_fixed) for is_fixed in fixed]}
    (auc, precision) = differences(scores, fixed, "perfect")["blind"]
    assert auc == (0.5, 0.5, 0.5)
    assert auc.excludes_zero
    assert precision.value == pytest.approx(0.8)
    assert precision.low < precision.value < precision.high
    worse = differences(scores, fixed, "blind")["perfect"][0]
    assert worse == (-0.5, -0.5, -0.5)
    assert worse.excludes_zero


def test_intervals_are_the_same_every_time() -> None:
    scores = {
        "a": [float(number * 37 % 50) for number in range(50)],
        "b": [1.0 * (number % 9) for number in range(50)],
    }
    fixed = [number % 4 == 0 for number in range(50)]
    first = differences(scores, fixed, "a")
    assert differences(scores, fixed, "a") == first
    assert first["b"][0].low < first["b"][0].value < first["b"][0].high

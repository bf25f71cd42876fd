"""Whether there was enough to look at: few files, few functions, few commits or a few days of history say little."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from crimes.model.wording import count

MIN_SOURCE_FILES = 3
MIN_FUNCTIONS = 10
MIN_COMMITS = 10
MIN_SPAN_DAYS = 30
MAX_REASONS = 3  # more count alike


class Undersampling(StrEnum):
    """How far a scan is from a sample that says something."""

    NONE = "none"
    MILD = "mild"
    MODERATE = "moderate"
    SEVERE = "severe"


# By number of reasons: the step, and the most the composite can be.
_STEPS = (
    (Undersampling.NONE, Fraction(1)),
    (Undersampling.MILD, Fraction(65, 100)),
    (Undersampling.MODERATE, Fraction(55, 100)),
    (Undersampling.SEVERE, Fraction(40, 100)),
)


class Sample(Struct, frozen=True):
    """How much there was to look at. Nothing is counted beyond what is enough."""

    files: int  # source files
    functions: int
    commits: int  # that are visible
    span_days: int  # between the first and the last of them


def code_reasons(sample: Sample) -> list[str]:
    """Each reason to call the code too little."""
    return _short_of(
        (sample.files, MIN_SOURCE_FILES, "source file", ""),
        (sample.functions, MIN_FUNCTIONS, "function", ""),
    )


def past_reasons(sample: Sample) -> list[str]:
    """Each reason to call the visible history too short."""
    return _short_of(
        (sample.commits, MIN_COMMITS, "commit", ""),
        (sample.span_days, MIN_SPAN_DAYS, "day", " between the first and the last commit"),
    )


def _short_of(*limits: tuple[int, int, str, str]) -> list[str]:
    return [
        f"{count(number, noun)}{rest} (at least {least} needed)"
        for number, least, noun, rest in limits
        if number < least
    ]


def step_of(reasons: int) -> tuple[Undersampling, Fraction]:
    """The step for so many reasons, and the most the composite can be."""
    return _STEPS[min(reasons, MAX_REASONS)]


def max_composite(step: Undersampling) -> Fraction:
    """The most the composite of a scan can be that is undersampled so far."""
    return dict(_STEPS)[step]

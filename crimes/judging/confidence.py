"""A finding's confidence: what independent sources say about it, combined exactly.

Per category only the strongest signal counts. Categories at .50 or more confirm, the rest speak against. Of
all choices of confirming categories the one that gives the most is taken: a confirming signal never lowers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import combinations

from msgspec import Struct

from crimes.model.finding import Category
from crimes.model.hundredths import half_up

WEIGHTS: Mapping[Category, int] = {
    Category.SYNTAX: 30,
    Category.GRAPH: 25,
    Category.TESTS: 15,
    Category.DOCS: 10,
    Category.HISTORY: 10,
    Category.REVIEW: 10,
}
REPORTED_FROM = 50  # the one line of the product: at or above it a claim is reported
DISCARDED_BELOW = 20
CEILING = 98

_BONUS = (0, 0, 10, 20)  # by the number of categories that agree; three or more count alike
_SYNTAX_AND_GRAPH = 5
BANDS = ((80, "strong"), (55, "moderate"), (30, "weak"))


class Cap(StrEnum):
    """Why a finding cannot be surer than a limit."""

    PARSE_FALLBACK = "parse_fallback"
    GRAPH_FALLBACK = "graph_fallback"
    UNDERSAMPLED_1 = "undersampled_1"
    UNDERSAMPLED_2 = "undersampled_2"
    UNDERSAMPLED_3 = "undersampled_3"
    WEAK_EVIDENCE = "applicable_but_weak"


CAPS: Mapping[Cap, tuple[int, str]] = {
    Cap.PARSE_FALLBACK: (60, "part of the code it is based on could not be parsed"),
    Cap.GRAPH_FALLBACK: (55, "it is based on imports, and fewer than half of them resolve"),
    Cap.UNDERSAMPLED_1: (65, "one reason to doubt the sample size"),
    Cap.UNDERSAMPLED_2: (55, "two reasons to doubt the sample size"),
    Cap.UNDERSAMPLED_3: (40, "three or more reasons to doubt the sample size"),
    Cap.WEAK_EVIDENCE: (65, "its detector is applicable but weak here"),
}


_UNDERSAMPLED = (Cap.UNDERSAMPLED_1, Cap.UNDERSAMPLED_2, Cap.UNDERSAMPLED_3)


class Visibility(StrEnum):
    """What becomes of a finding. Hidden and discarded ones are counted."""

    REPORTED = "reported"
    LOW_CONFIDENCE = "low_confidence"
    DISCARDED = "discarded"


class Witness(Struct, frozen=True):
    """A signal about `target`, which is "path" or "path#qualified.symbol". `value` is in hundredths."""

    category: Category
    value: int
    target: str


class Choice(Struct, frozen=True):
    """A choice of confirming categories, with all that speak against: total / weight is their mean in hundredths."""

    agreeing: tuple[Category, ...]
    against: tuple[Category, ...]
    total: int
    weight: int

    @property
    def agreement(self) -> int:
        """What the number of sources that agree adds."""
        return _BONUS[min(len(self.agreeing), 3)]

    @property
    def pairing(self) -> int:
        """What syntax and graph add by agreeing with each other."""
        both = Category.SYNTAX in self.agreeing and Category.GRAPH in self.agreeing
        return _SYNTAX_AND_GRAPH if both else 0

    @property
    def bonus(self) -> int:
        return self.agreement + self.pairing

    @property
    def scaled(self) -> int:
        return self.total * (100 + self.bonus)

    @property
    def rounded(self) -> int:
        return half_up(self.scaled, 100 * self.weight)


class Confidence(Struct, frozen=True):
    """The result and how it came about; numbers in hundredths, categories in the order of the weights."""

    value: int
    strengths: Mapping[Category, int]  # the strongest signal of each category
    choice: Choice
    confirming: tuple[Category, ...]
    ignored: int  # signals about other targets
    caps: tuple[Cap, ...]

    @property
    def base(self) -> int:
        """The weighted mean, rounded."""
        return half_up(self.choice.total, self.choice.weight)

    @property
    def used(self) -> tuple[Category, ...]:
        """In the mean: the chosen confirming ones and all that speak against."""
        return tuple(c for c in WEIGHTS if c in self.choice.agreeing + self.choice.against)


def band(value: int) -> str:
    """A word for a confidence."""
    return next((name for minimum, name in BANDS if value >= minimum), "negligible")


def visibility(value: int) -> Visibility:
    """Whether a finding of this confidence is reported, kept for those who ask, or dropped."""
    if value >= REPORTED_FROM:
        return Visibility.REPORTED
    return Visibility.DISCARDED if value < DISCARDED_BELOW else Visibility.LOW_CONFIDENCE


def undersampled(reasons: int) -> tuple[Cap, ...]:
    """The cap for a statistic with so many reasons to doubt its sample."""
    return _UNDERSAMPLED[min(reasons, 3) - 1 :][:1] if reasons else ()


def combine(target: str, witnesses: Iterable[Witness], caps: Iterable[Cap] = ()) -> Confidence:
    """The confidence in a finding about `target`. Without any signal about it, nothing is known: zero."""
    strengths: dict[Category, int] = {}
    ignored = 0
    for witness in witnesses:
        if not 0 <= witness.value <= 100:
            raise ValueError(f"a {witness.category} signal has the value {witness.value}, outside 0..100")
        if witness.target == target:
            strengths[witness.category] = max(witness.value, strengths.get(witness.category, 0))
        else:
            ignored += 1
    confirming = tuple(c for c in WEIGHTS if strengths.get(c, 0) >= REPORTED_FROM)
    against = tuple(c for c in WEIGHTS if c in strengths and c not in confirming)
    choice = _best_choice(strengths, confirming, against)
    applied = tuple(c for c in Cap if c in set(caps))
    limit = min((CAPS[cap][0] for cap in applied), default=CEILING)
    return Confidence(
        value=min(choice.rounded, limit, CEILING),
        strengths=strengths,
        choice=choice,
        confirming=confirming,
        ignored=ignored,
        caps=applied,
    )


def recover(before: Confidence, after: Confidence) -> Confidence:
    """The second pass: the better of two, for a finding that was not sure enough. It never lowers."""
    return after if before.value < REPORTED_FROM and after.value > before.value else before


def weigh(
    strengths: Mapping[Category, int], agreeing: tuple[Category, ...], against: tuple[Category, ...]
) -> Choice:
    """One choice of categories, weights renormalised over those it counts."""
    counted = agreeing + against
    total = sum(WEIGHTS[c] * strengths[c] for c in counted)
    return Choice(agreeing, against, total, sum(WEIGHTS[c] for c in counted) or 1)


def _best_choice(
    strengths: Mapping[Category, int], confirming: tuple[Category, ...], against: tuple[Category, ...]
) -> Choice:
    """The choice that gives the most; of equals the one with more categories."""
    best: Choice | None = None
    for size in range(len(confirming), 0, -1):
        for agreeing in combinations(confirming, size):
            choice = weigh(strengths, agreeing, against)
            if best is None or choice.scaled * best.weight > best.scaled * choice.weight:
                best = choice
    return best or weigh(strengths, (), against)

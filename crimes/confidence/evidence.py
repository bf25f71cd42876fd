"""A finding's confidence: what independent sources say about it, combined exactly.

Per category only the strongest signal counts. Categories at .50 or more confirm, the rest speak against. Of
all choices of confirming categories the one that gives the most is taken: a confirming signal never lowers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from crimes.confidence.numeric import half_up, shown
from crimes.finding import Category

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
_BANDS = ((80, "strong"), (55, "moderate"), (30, "weak"))


class Cap(StrEnum):
    """Why a finding cannot be surer than a limit."""

    PARSE_FALLBACK = "parse_fallback"
    GRAPH_FALLBACK = "graph_fallback"
    UNDERSAMPLED_1 = "undersampled_1"
    UNDERSAMPLED_2 = "undersampled_2"
    UNDERSAMPLED_3 = "undersampled_3"


CAPS: Mapping[Cap, tuple[int, str]] = {
    Cap.PARSE_FALLBACK: (60, "the grammar could not read all of the code it rests on"),
    Cap.GRAPH_FALLBACK: (55, "it rests on imports, and under half of them resolve"),
    Cap.UNDERSAMPLED_1: (65, "one reason to doubt that the sample is large enough"),
    Cap.UNDERSAMPLED_2: (55, "two reasons to doubt that the sample is large enough"),
    Cap.UNDERSAMPLED_3: (40, "three or more reasons to doubt that the sample is large enough"),
}


class Visibility(StrEnum):
    """What becomes of a finding. Hidden and discarded ones are counted."""

    REPORTED = "reported"
    LOW_CONFIDENCE = "low_confidence"
    DISCARDED = "discarded"


@dataclass(frozen=True)
class Witness:
    """A signal about `target`, which is "path" or "path#qualified.symbol". `value` is in hundredths."""

    category: Category
    value: int
    target: str


@dataclass(frozen=True)
class Confidence:
    """The result and how it came about; numbers in hundredths, categories in the order of the weights."""

    value: int
    base: int  # the weighted mean, rounded
    bonus: int
    confirming: tuple[Category, ...]
    used: tuple[Category, ...]  # in the mean: the chosen confirming ones and all that speak against
    ignored: int  # signals about other targets
    caps: tuple[Cap, ...]
    trace: str


def band(value: int) -> str:
    """A word for a confidence."""
    return next((name for least, name in _BANDS if value >= least), "negligible")


def visibility(value: int) -> Visibility:
    """Whether a finding of this confidence is reported, kept for those who ask, or dropped."""
    if value >= REPORTED_FROM:
        return Visibility.REPORTED
    return Visibility.DISCARDED if value < DISCARDED_BELOW else Visibility.LOW_CONFIDENCE


def cap_text(cap: Cap) -> str:
    """A cap with its limit and reason, for the report."""
    limit, reason = CAPS[cap]
    return f"{cap}: at most {shown(limit)}, {reason}"


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
    choice = _best(strengths, confirming, against)
    applied = tuple(c for c in Cap if c in set(caps))
    limit = min((CAPS[cap][0] for cap in applied), default=CEILING)
    value = min(choice.rounded, limit, CEILING)
    return Confidence(
        value=value,
        base=half_up(choice.total, choice.weight),
        bonus=choice.bonus,
        confirming=confirming,
        used=tuple(c for c in WEIGHTS if c in choice.agreeing + against),
        ignored=ignored,
        caps=applied,
        trace=_trace(value, choice, confirming, against, applied),
    )


@dataclass(frozen=True)
class _Choice:
    """A choice of confirming categories; it gives total / weight * (100 + bonus) / 100, in hundredths."""

    agreeing: tuple[Category, ...]
    total: int
    weight: int

    @property
    def bonus(self) -> int:
        both = Category.SYNTAX in self.agreeing and Category.GRAPH in self.agreeing
        return _BONUS[min(len(self.agreeing), 3)] + (_SYNTAX_AND_GRAPH if both else 0)

    @property
    def scaled(self) -> int:
        return self.total * (100 + self.bonus)

    @property
    def rounded(self) -> int:
        return half_up(self.scaled, 100 * self.weight)


def _best(
    strengths: Mapping[Category, int], confirming: tuple[Category, ...], against: tuple[Category, ...]
) -> _Choice:
    """The choice that gives the most; of equals the one with more categories."""
    best: _Choice | None = None
    for size in range(len(confirming), 0, -1):
        for agreeing in combinations(confirming, size):
            choice = _choice(strengths, agreeing, against)
            if best is None or choice.scaled * best.weight > best.scaled * choice.weight:
                best = choice
    return best or _choice(strengths, (), against)


def _choice(
    strengths: Mapping[Category, int], agreeing: tuple[Category, ...], against: tuple[Category, ...]
) -> _Choice:
    counted = agreeing + against
    total = sum(WEIGHTS[c] * strengths[c] for c in counted)
    return _Choice(agreeing, total, sum(WEIGHTS[c] for c in counted) or 1)


def _trace(
    value: int,
    choice: _Choice,
    confirming: tuple[Category, ...],
    against: tuple[Category, ...],
    caps: tuple[Cap, ...],
) -> str:
    """The arithmetic in one line: "0.92 = 0.80 x 1.15: syntax and graph agree"."""
    capped = choice.rounded > value
    mean = shown(half_up(choice.total, choice.weight)) if capped else _mean_shown(choice)
    product = f"{mean} x {shown(100 + choice.bonus)}"
    if capped:
        binding = ", ".join(cap for cap in caps if CAPS[cap][0] == value) or "ceiling"
        product = f"min({product}, {shown(value)} {binding})"
    said = [_agreement(choice.agreeing)]
    if idle := [c for c in confirming if c not in choice.agreeing]:
        said.append(f"no gain from {_listed(idle)}")
    if against:
        said.append(f"under {shown(REPORTED_FROM)}: {_listed(against)}")
    return f"{shown(value)} = {product}: {'; '.join(said)}"


def _mean_shown(choice: _Choice) -> str:
    """The mean with the fewest decimals, two at least, that give the product shown beside it."""
    for places in range(2, 8):
        scale = 10 ** (places - 2)
        mean = half_up(choice.total * scale, choice.weight)
        if half_up(mean * (100 + choice.bonus), 100 * scale) == choice.rounded:
            break
    return f"{mean // (100 * scale)}.{mean % (100 * scale):0{places}d}"


def _agreement(agreeing: tuple[Category, ...]) -> str:
    if not agreeing:
        return "nothing confirms it"
    return f"{agreeing[0]} alone" if len(agreeing) == 1 else f"{_listed(agreeing)} agree"


def _listed(categories: Iterable[Category]) -> str:
    *first, last = categories
    return f"{', '.join(first)} and {last}" if first else str(last)

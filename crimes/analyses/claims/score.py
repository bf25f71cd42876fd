"""The confidence of a claim from 0 to 100: five weighted factors in whole numbers, halves rounded up."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from crimes.config.claims.settings import Settings

SHORT_WORDS, LONG_WORDS = 12, 60  # of a block: up to the first it is short, from the second it is long
_SPREAD = LONG_WORDS - SHORT_WORDS
WHOLE = 100 * _SPREAD  # a factor of 1: strengths are in hundredths, and length falls by word
MAX_CONFIDENCE = 100
_BANDS = ((90, "very_high"), (70, "high"), (50, "moderate"))


class Support(StrEnum):
    """The best marker beside a claim."""

    NONE = "none"
    UNVERIFIED = "unverified"
    VERIFIED = "verified"


class Surroundings(Struct, frozen=True):
    """The context of a claim."""

    support: Support = Support.NONE
    kinds: int = 1  # in its sentence, its own included
    others: int = 0  # claims in its paragraph, without itself
    words: int = 0  # of its block


class Factors(Struct, frozen=True):
    """The five factors of a claim, each from 0 to WHOLE."""

    pattern_strength: int
    evidence_proximity: int
    category_stacking: int
    context_density: int
    text_length: int


def factors(phrase: str, kind: str, around: Surroundings, settings: Settings) -> Factors:
    """The factors of a phrase of this kind in these surroundings."""
    others = 0 if kind in settings.alone else around.others
    return Factors(
        pattern_strength=settings.strength(phrase, kind) * _SPREAD,
        evidence_proximity=getattr(settings.evidence, around.support) * _SPREAD,
        category_stacking=_step(settings.stacking, around.kinds - 1) * _SPREAD,
        context_density=_step(settings.density, others) * _SPREAD,
        text_length=(LONG_WORDS - min(max(around.words, SHORT_WORDS), LONG_WORDS)) * 100,
    )


def score(of: Factors, settings: Settings) -> int:
    """The weighted sum of the factors, at most 100."""
    weights = settings.weights
    total = (
        weights.pattern_strength * of.pattern_strength
        + weights.evidence_proximity * of.evidence_proximity
        + weights.category_stacking * of.category_stacking
        + weights.context_density * of.context_density
        + weights.text_length * of.text_length
    )
    return min((2 * total + WHOLE) // (2 * WHOLE), MAX_CONFIDENCE)


def band(confidence: int) -> str:
    """A word for a confidence."""
    return next((name for minimum, name in _BANDS if confidence >= minimum), "suppressed")


def _step(steps: tuple[int, ...], at: int) -> int:
    return steps[min(max(at, 0), len(steps) - 1)]

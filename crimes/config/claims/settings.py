"""The numbers behind a claim's confidence, in hundredths: two presets that a configuration may change."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from crimes.config.claims.kinds import Kind

DEFAULT_STRENGTH = 50  # of a phrase whose kind has no entry


class Weights(Struct, frozen=True):
    """What each factor adds at most. They need not sum to 100: the score is clamped."""

    pattern_strength: int = 60  # how doubtful the phrase is by itself
    evidence_proximity: int = 20  # missing evidence in the same block
    category_stacking: int = 20  # other kinds of claims in the sentence
    context_density: int = 10  # other claims in the paragraph
    text_length: int = 10  # shortness of the block


class Evidence(Struct, frozen=True):
    """The evidence factor of a block with no marker, with only unverified ones, or with a verified one."""

    none: int = 100
    unverified: int = 50
    verified: int = 0


_PHRASES: Mapping[str, int] = {
    "may": 30,
    "might be": 40,
    "could be": 40,
    "maybe": 45,
    "assume": 50,
    "seems": 55,
    "should be": 55,
    "hedged because": 60,
    "probably": 70,
    "likely": 70,
    "i think": 75,
    "i believe": 75,
    "presumably": 75,
    "should work": 80,
    "because": 80,
    "due to": 85,
    "definitely": 90,
    "caused by": 95,
    "the root cause": 95,
}
_KINDS: Mapping[str, int] = {
    Kind.SPECULATION: 65,
    Kind.CAUSALITY: 90,
    Kind.QUANTITY: 70,
    Kind.COMPLETENESS: 80,
    Kind.EVALUATION: 60,
    Kind.CONTRADICTION: 95,
    Kind.ABSENCE: 85,
    Kind.BEHAVIOUR: 85,
}


class Settings(Struct, frozen=True):
    """Everything a score depends on besides the text. The defaults are the preset `default`."""

    # `default`, or `reference`: the table the model was calibrated against; other keys change what it sets
    preset: str = "default"
    threshold: int = 50  # claims with a lower confidence are shown only with `--verbose`
    # what each factor adds at most, from 0 to 1; they need not sum to 1
    weights: Weights = field(default_factory=Weights)
    # how doubtful this phrase is by itself, from 0 to 1
    phrases: Mapping[str, int] = field(default_factory=lambda: _PHRASES)
    # how doubtful phrases of this kind are that have no entry of their own, from 0 to 1
    kinds: Mapping[str, int] = field(default_factory=lambda: _KINDS)
    evidence: Evidence = field(default_factory=Evidence)
    stacking: tuple[int, ...] = (0, 70, 90, 100)  # by kinds in the sentence: 1, 2, 3, 4 and more
    density: tuple[int, ...] = (0, 30, 60, 100)  # by other claims in the paragraph: 0, 1, 2, 3 and more
    alone: frozenset[str] = frozenset()  # kinds that gain nothing from claims around them

    def strength(self, phrase: str, kind: str) -> int:
        """How doubtful a phrase is by itself."""
        return self.phrases.get(phrase, self.kinds.get(kind, DEFAULT_STRENGTH))


# The numbers of the implementation the model was calibrated against: any marker counts as verified, the length of a
# text does not count, and a contradiction concerns the whole text.
_REFERENCE = Settings(
    preset="reference",
    weights=Weights(
        pattern_strength=40, evidence_proximity=25, category_stacking=20, context_density=15, text_length=0
    ),
    phrases={
        "may": 30,
        "might be": 40,
        "could be": 40,
        "maybe": 45,
        "hedged because": 45,
        "assume": 50,
        "seems": 55,
        "probably": 65,
        "likely": 65,
        "i think": 70,
        "i believe": 70,
        "presumably": 70,
        "should be": 75,
    },
    kinds={
        Kind.SPECULATION: 60,
        Kind.CAUSALITY: 70,
        Kind.QUANTITY: 55,
        Kind.COMPLETENESS: 65,
        Kind.EVALUATION: 50,
        Kind.CONTRADICTION: 80,
        Kind.ABSENCE: 75,
        Kind.BEHAVIOUR: 70,
    },
    evidence=Evidence(unverified=0),
    stacking=(0, 40, 70, 100),
    alone=frozenset({Kind.CONTRADICTION}),
)

PRESETS: Mapping[str, Settings] = {"default": Settings(), "reference": _REFERENCE}

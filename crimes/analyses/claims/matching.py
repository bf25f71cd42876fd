"""Finds phrases in sentences, and whether they claim anything there."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter

from msgspec import Struct

from crimes.analyses.claims.text import Span
from crimes.config.claims.kinds import Kind
from crimes.config.claims.phrases import Phrase
from crimes.model.lazy_regex import regex

_QUALIFIER_CHARACTERS = 40  # before a phrase, in which a word can change its meaning
_QUESTION = regex(r"\?\W*\Z")
# After one of these a statement is a condition or an instruction.
_HYPOTHETICAL = regex(
    r"\b(?:if|when(?:ever)?|unless|until|whether|once|before|after|while|in\s+case|so\s+that|must|always|never"
    r"|do\s+not|don['\u2019]t|ensures?|(?:make|be)\s+sure|verify|check|confirm|assert|expect|want|requires?d?)\b",
    re.IGNORECASE,
)
_start = attrgetter("start")
_ASSERTIVE = frozenset({Kind.COMPLETENESS, Kind.EVALUATION, Kind.ABSENCE, Kind.BEHAVIOUR})


class PhraseMatch(Struct, frozen=True):
    """A phrase at its place in the text."""

    kind: Kind
    name: str
    start: int
    end: int


def find_claims(
    prose: str, sentences: Sequence[Span], phrases: Iterable[Phrase]
) -> Mapping[Span, list[PhraseMatch]]:
    """The claims of each sentence that makes any. A question claims nothing."""
    candidates: dict[Span, list[PhraseMatch]] = {}
    for phrase in phrases:
        for match in _compiled(phrase)[0].finditer(prose):
            at = bisect(sentences, match.start(), key=_start) - 1
            sentence = sentences[at] if at >= 0 else Span(0, 0)
            if match.end() <= sentence.end and _is_claim(phrase, prose, sentence, Span(*match.span())):
                claim = PhraseMatch(phrase.kind, phrase.name, match.start(), match.end())
                candidates.setdefault(sentence, []).append(claim)
    return {
        sentence: without_overlaps(matches)
        for sentence, matches in candidates.items()
        if not _QUESTION.search(prose, sentence.start, sentence.end)
    }


def without_overlaps(matches: Iterable[PhraseMatch]) -> list[PhraseMatch]:
    """The matches in order of the text; of two that overlap only the longer one, then the first."""
    separate: list[PhraseMatch] = []
    for match in sorted(matches, key=lambda it: (it.start - it.end, it.start, it.kind, it.name)):
        at = bisect(separate, match.start, key=_start)
        free_before = at == 0 or separate[at - 1].end <= match.start
        free_after = at == len(separate) or match.end <= separate[at].start
        if free_before and free_after:
            separate.insert(at, match)
    return separate


def _is_claim(phrase: Phrase, prose: str, sentence: Span, place: Span) -> bool:
    _, before, after = _compiled(phrase)
    if phrase.kind in _ASSERTIVE and _HYPOTHETICAL.search(prose, sentence.start, place.start):
        return False
    start = max(sentence.start, place.start - _QUALIFIER_CHARACTERS)
    if before is not None and before.search(prose, start, place.start):
        return False
    return after is None or after.match(prose, place.end, sentence.end) is None


@cache
def _compiled(phrase: Phrase) -> tuple[re.Pattern[str], re.Pattern[str] | None, re.Pattern[str] | None]:
    before, after = phrase.unless_before, phrase.unless_after
    return (
        _pattern(rf"(?<!\w)(?:{phrase.pattern})(?!\w)"),
        _pattern(rf"(?:{before})\s*\Z") if before else None,
        _pattern(rf"\s*(?:{after})") if after else None,
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace(" ", r"\s+").replace("'", "['\u2019]"), re.IGNORECASE)

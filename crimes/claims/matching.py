"""Phrases in a sentence: where they stand, and whether they claim anything there."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from crimes.claims.kinds import Kind
from crimes.claims.phrases import Phrase

_CLOSE = 40  # characters before a phrase in which a word can turn it
_QUESTION = re.compile(r"\?\W*\Z")
# Under one of these a statement is a condition or an order.
_HYPOTHETICAL = re.compile(
    r"\b(?:if|when(?:ever)?|unless|until|whether|once|before|after|while|in\s+case|so\s+that|must|always|never"
    r"|do\s+not|don['\u2019]t|ensures?|(?:make|be)\s+sure|verify|check|confirm|assert|expect|want|requires?d?)\b",
    re.IGNORECASE,
)
_ASSERTIVE = frozenset({Kind.COMPLETENESS, Kind.EVALUATION, Kind.ABSENCE, Kind.BEHAVIOUR})


@dataclass(frozen=True)
class Found:
    """A phrase at its place in the text."""

    kind: Kind
    name: str
    start: int
    end: int


def find(sentence: str, start: int, phrases: Iterable[Phrase]) -> list[Found]:
    """The claims of one sentence, which begins at `start` of the text. A question claims nothing."""
    if _QUESTION.search(sentence):
        return []
    found = [item for phrase in phrases for item in _occurrences(phrase, sentence, start)]
    return without_overlaps(found)


def without_overlaps(found: Iterable[Found]) -> list[Found]:
    """One claim for each span: of two that overlap the longer one stays, then the first; in order of the text."""
    kept: list[Found] = []
    for item in sorted(found, key=lambda one: (one.start - one.end, one.start, one.kind, one.name)):
        at = bisect(kept, item.start, key=lambda one: one.start)
        free_before = at == 0 or kept[at - 1].end <= item.start
        free_after = at == len(kept) or item.end <= kept[at].start
        if free_before and free_after:
            kept.insert(at, item)
    return kept


def _occurrences(phrase: Phrase, sentence: str, start: int) -> Iterator[Found]:
    finder, before, after = _compiled(phrase)
    for match in finder.finditer(sentence):
        left = sentence[: match.start()]
        if phrase.kind in _ASSERTIVE and _HYPOTHETICAL.search(left):
            return
        if before is not None and before.search(left[-_CLOSE:]):
            continue
        if after is not None and after.match(sentence, match.end()):
            continue
        yield Found(phrase.kind, phrase.name, start + match.start(), start + match.end())


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

"""Sentences of one text that negate each other word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from crimes.analyses.claims.text import Document, Span
from crimes.model.lazy_regex import regex

_WORD = regex(r"[^\W_][\w'\u2019-]*")
_DENIALS = frozenset({"not", "no", "never", "cannot"})
_CONTRACTIONS = {"can't": "can", "won't": "will"}
# A sentence and its negation may differ in these words.
_FILLER = frozenset(
    {"a", "an", "the", "do", "does", "did", "any", "longer", "can", "also", "now", "currently"}
)
_FUNCTION_WORDS = frozenset(
    {"i", "you", "he", "she", "it", "we", "they", "this", "that", "these", "those", "there"}
    | {"is", "are", "was", "were", "be", "been", "has", "have", "had", "will", "would"}
    | {"of", "in", "on", "to", "for", "and"}
)
_CONDITIONAL = regex(
    r"\b(?:if|when|unless|until|whether|or|but|may|might|could|should)\b|\?\W*\Z", re.IGNORECASE
)
_COMPLETE = regex(r"[.!][\s\W]*\Z")  # a whole sentence, unlike a table cell or an item in a list of don'ts
_MIN_CONTENT_WORDS = 2  # "it works" twice may be about two things


class Contradiction(Struct, frozen=True):
    """A negated sentence, and the sentence it denies."""

    negated: Span
    denied: Span


def find_contradictions(document: Document, sentences: Iterable[Span]) -> Iterator[Contradiction]:
    """Every negated sentence whose other words also form a plain sentence, with the first such sentence."""
    stated: dict[tuple[str, ...], Span] = {}
    negated: list[tuple[tuple[str, ...], Span]] = []
    for span in sentences:
        text = document.text[span.start : span.end]
        if not _COMPLETE.search(text) or _CONDITIONAL.search(text):
            continue
        if not _WORD.search(document.prose, span.start, span.end):
            continue
        words = [word.lower().replace("\u2019", "'") for word in _WORD.findall(text)]
        content = tuple(stem for word in words if (stem := _stem(word)))
        if len([word for word in content if word not in _FUNCTION_WORDS]) < _MIN_CONTENT_WORDS:
            continue
        denials = sum(1 for word in words if word in _DENIALS or word.endswith("n't"))
        if denials == 1:
            negated.append((content, span))
        elif not denials:
            stated.setdefault(content, span)
    for content, span in negated:
        if content in stated:
            yield Contradiction(span, stated[content])


def _stem(word: str) -> str:
    """A word in the form that a sentence and its denial share; empty if only one of them has it."""
    if word.endswith("n't"):
        word = _CONTRACTIONS.get(word, word[:-3])
    if word in _DENIALS or word in _FILLER:
        return ""
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word

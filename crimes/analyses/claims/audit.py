"""The unverified claims of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from crimes.analyses.claims.contradictions import find_contradictions
from crimes.analyses.claims.markers import Marker, MarkerKind, Verify, find_markers, verify_nothing
from crimes.analyses.claims.matching import PhraseMatch, find_claims
from crimes.analyses.claims.score import Factors, Support, Surroundings, band, factors, score
from crimes.analyses.claims.text import Block, Document, Span, blank_out, read_document, sentences
from crimes.config.claims.kinds import Kind
from crimes.config.claims.phrases import PHRASES, Phrase
from crimes.config.claims.settings import Settings

_VERIFIABLE = (MarkerKind.PATH, MarkerKind.SYMBOL)


class Claim(Struct, frozen=True):
    """A statement without proof. `confidence` is that of the missing proof."""

    kind: Kind
    evidence: str  # the words that make it
    offset: int
    line: int
    confidence: int
    band: str
    factors: Factors
    sentence: str
    denies_line: int = 0  # of a contradiction: where the opposite is stated


def audit(
    text: str,
    settings: Settings,
    verify: Verify = verify_nothing,
    phrases: Iterable[Phrase] = PHRASES,
) -> tuple[Claim, ...]:
    """Every claim in the order of the text, those below the threshold included."""
    document = read_document(text)
    markers = [_checked_markers(document, block, verify) for block in document.blocks]
    prose = blank_out(document.prose, (marker.span for marker in _names_and_quotations(markers)))
    document = replace(document, prose=prose)
    blocks = [[list(sentences(prose, row)) for row in block.paragraphs] for block in document.blocks]
    every = [span for paragraphs in blocks for spans in paragraphs for span in spans]
    matches: dict[Span, list[PhraseMatch]] = dict(find_claims(prose, every, phrases))
    denied = {pair.negated: pair.denied for pair in find_contradictions(document, every)}
    matches.update((span, [_contradiction(document, span)]) for span in denied)
    claims: list[Claim] = []
    for block, checked, paragraphs in zip(document.blocks, markers, blocks, strict=True):
        support = _support(block, checked)
        for spans in paragraphs:
            others = sum(len(matches.get(span, ())) for span in spans) - 1
            for span in spans:
                own = matches.get(span, [])
                around = Surroundings(support, len({match.kind for match in own}), others, block.words)
                claims += (_claim(document, match, span, around, settings, denied) for match in own)
    return tuple(claims)


class _CheckedMarker(Struct, frozen=True):
    """A marker, and whether what it names exists."""

    marker: Marker
    verified: bool


def _checked_markers(document: Document, block: Block, verify: Verify) -> list[_CheckedMarker]:
    checked = []
    for marker in find_markers(document.text, block.span):
        verified = marker.kind in _VERIFIABLE and verify(marker)
        if verified or marker.sure:
            checked.append(_CheckedMarker(marker, verified))
    return checked


def _names_and_quotations(blocks: Iterable[list[_CheckedMarker]]) -> Iterator[Marker]:
    """Markers whose words are not the writer's own."""
    for checked in chain.from_iterable(blocks):
        if checked.marker.kind not in (MarkerKind.LINE, MarkerKind.ERROR):
            yield checked.marker


def _support(block: Block, markers: list[_CheckedMarker]) -> Support:
    if any(checked.verified for checked in markers):
        return Support.VERIFIED
    return Support.UNVERIFIED if markers or block.shows else Support.NONE


def _contradiction(document: Document, sentence: Span) -> PhraseMatch:
    """A contradiction spans its sentence, and leaves no room for another claim in it."""
    end = sentence.start + len(document.text[sentence.start : sentence.end].rstrip())
    return PhraseMatch(Kind.CONTRADICTION, "", _sentence_start(document, sentence), end)


def _claim(
    document: Document,
    match: PhraseMatch,
    sentence: Span,
    around: Surroundings,
    settings: Settings,
    denied: Mapping[Span, Span],
) -> Claim:
    parts = factors(match.name, match.kind, around, settings)
    confidence = score(parts, settings)
    opposite = denied.get(sentence) if match.kind is Kind.CONTRADICTION else None
    return Claim(
        kind=match.kind,
        evidence=_on_one_line(document.text[match.start : match.end]),
        offset=match.start,
        line=document.line(match.start),
        confidence=confidence,
        band=band(confidence),
        factors=parts,
        sentence=_on_one_line(document.text[sentence.start : sentence.end]),
        denies_line=document.line(_sentence_start(document, opposite)) if opposite else 0,
    )


def _sentence_start(document: Document, span: Span) -> int:
    """Where a sentence begins, without leading white space."""
    text = document.text[span.start : span.end]
    return span.start + len(text) - len(text.lstrip())


def _on_one_line(text: str) -> str:
    return " ".join(text.split())

"""The unverified claims of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

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
    """A statement without proof. `confidence` says how sure it is that it lacks one."""

    kind: Kind
    evidence: str  # the words that make it
    offset: int
    line: int
    confidence: int
    band: str
    factors: Factors
    sentence: str
    denies_line: int = 0  # for a contradiction: where the opposite is said


def audit(
    text: str | Document,
    settings: Settings,
    verify: Verify = verify_nothing,
    phrases: Iterable[Phrase] = PHRASES,
    *,
    contradictions: bool = True,
) -> tuple[Claim, ...]:
    """Every claim in the order of the text, those below the threshold included. It may have been read already."""
    document = read_document(text) if isinstance(text, str) else text
    pointed = [_checked_markers(document, block, verify) for block in document.blocks]
    prose = blank_out(document.prose, (marker.span for marker in _names_and_quotations(pointed)))
    document = replace(document, prose=prose)
    cut = [[list(sentences(prose, one)) for one in block.paragraphs] for block in document.blocks]
    every = [span for block in cut for paragraph in block for span in paragraph]
    found: dict[Span, list[PhraseMatch]] = dict(find_claims(prose, every, phrases))
    denied: Mapping[Span, Span] = {}
    if contradictions:
        denied = {pair.negated: pair.denied for pair in find_contradictions(document, every)}
        found.update((span, [_contradiction(document, span)]) for span in denied)
    claims: list[Claim] = []
    for block, around, paragraphs in zip(document.blocks, pointed, cut, strict=True):
        support = _support(block, around)
        for spans in paragraphs:
            others = sum(len(found.get(span, ())) for span in spans) - 1
            for span in spans:
                items = found.get(span, [])
                here = Surroundings(support, len({item.kind for item in items}), others, block.words)
                claims += (_claim(document, item, span, here, settings, denied) for item in items)
    return tuple(claims)


class _CheckedMarker(Struct, frozen=True):
    """A marker, and whether what it names is there."""

    marker: Marker
    verified: bool


def _checked_markers(document: Document, block: Block, verify: Verify) -> list[_CheckedMarker]:
    found = []
    for marker in find_markers(document.text, block.span):
        verified = marker.kind in _VERIFIABLE and verify(marker)
        if verified or marker.sure:
            found.append(_CheckedMarker(marker, verified))
    return found


def _names_and_quotations(pointed: Iterable[list[_CheckedMarker]]) -> Iterator[Marker]:
    """Markers whose words are not the writer's own: names and quotations."""
    for some in pointed:
        for one in some:
            if one.marker.kind not in (MarkerKind.LINE, MarkerKind.ERROR):
                yield one.marker


def _support(block: Block, pointed: list[_CheckedMarker]) -> Support:
    if any(one.verified for one in pointed):
        return Support.VERIFIED
    return Support.UNVERIFIED if pointed or block.shows else Support.NONE


def _contradiction(document: Document, sentence: Span) -> PhraseMatch:
    """A contradiction spans its sentence, and leaves no room for another claim in it."""
    end = sentence.start + len(document.text[sentence.start : sentence.end].rstrip())
    return PhraseMatch(Kind.CONTRADICTION, "", _sentence_start(document, sentence), end)


def _claim(
    document: Document,
    item: PhraseMatch,
    sentence: Span,
    around: Surroundings,
    settings: Settings,
    denied: Mapping[Span, Span],
) -> Claim:
    parts = factors(item.name, item.kind, around, settings)
    confidence = score(parts, settings)
    opposite = denied.get(sentence) if item.kind is Kind.CONTRADICTION else None
    return Claim(
        kind=item.kind,
        evidence=_on_one_line(document.text[item.start : item.end]),
        offset=item.start,
        line=document.line(item.start),
        confidence=confidence,
        band=band(confidence),
        factors=parts,
        sentence=_on_one_line(document.text[sentence.start : sentence.end]),
        denies_line=document.line(_sentence_start(document, opposite)) if opposite else 0,
    )


def _sentence_start(document: Document, span: Span) -> int:
    """Where a sentence begins, after the space before it."""
    text = document.text[span.start : span.end]
    return span.start + len(text) - len(text.lstrip())


def _on_one_line(text: str) -> str:
    return " ".join(text.split())

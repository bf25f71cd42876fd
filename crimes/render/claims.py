"""The claims of a text, for people and as JSON. The types here are its versioned schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from crimes import __version__
from crimes.analyses.claims.audit import Claim
from crimes.analyses.claims.score import MAX_CONFIDENCE, WHOLE
from crimes.config.claims.kinds import Kind
from crimes.config.claims.settings import Settings
from crimes.model.report import Share, Tool
from crimes.model.wording import count
from crimes.render.lines import Line, Span, line

SCHEMA_VERSION = "1.0"

_BANDS = ("very_high", "high", "moderate", "suppressed")
_STYLES = {"very_high": "high", "high": "medium", "moderate": "low", "suppressed": "dim"}
_NAMES = {
    "pattern_strength": "strength",
    "evidence_proximity": "evidence",
    "category_stacking": "kinds",
    "context_density": "density",
    "text_length": "length",
}


class FactorsOut(Struct, frozen=True):
    """The five factors of a confidence, or their weights."""

    pattern_strength: Share  # how doubtful the phrase is by itself
    evidence_proximity: Share  # evidence in the same block: 1 for none, 0 for verified
    category_stacking: Share  # other kinds of claims in the sentence
    context_density: Share  # other claims in the paragraph
    text_length: Share  # shortness of the block


class ClaimOut(Struct, frozen=True):
    """A statement that nothing beside it supports."""

    kind: Kind  # what kind of claim it is
    evidence: str  # the words that make the claim
    offset: int  # position of its first character, from 0
    line: int  # its line, from 1
    confidence: Annotated[int, Meta(ge=0, le=100)]  # how likely it is an unverified claim
    band: str  # `very_high`, `high`, `moderate` or `suppressed`
    factors: FactorsOut  # the numbers behind the confidence
    sentence: str  # the sentence around it
    denies_line: int | None  # for a contradiction: the line of the sentence it denies; else null


class CheckedOut(Struct, frozen=True):
    """What the markers beside the claims were held against: the paths of a repository, and perhaps its symbols."""

    repository: str  # name of the folder that paths were looked up in
    symbols: bool  # whether symbols were looked up, in the last scan


class ClaimSummary(Struct, frozen=True):
    """The totals of a text."""

    claims: int  # claims at or above the threshold
    hidden_low_confidence: int  # claims below it
    by_band: dict[str, int]  # claims by band
    by_kind: dict[str, int]  # claims by kind


class ClaimsReport(Struct, frozen=True):
    """The claims of one text, in its order."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    source: str  # the file's name, or standard input
    preset: str  # `default` or `reference`
    threshold: int  # confidence from which a claim is shown
    weights: FactorsOut  # weight of each factor
    checked: CheckedOut  # what paths and symbols were looked up in
    summary: ClaimSummary  # totals
    claims: tuple[ClaimOut, ...]  # claims in the order of the text
    hidden: tuple[ClaimOut, ...]  # claims below the threshold; empty unless asked for, always counted


def build_report(
    source: str, claims: Iterable[Claim], settings: Settings, checked: CheckedOut, *, verbose: bool
) -> ClaimsReport:
    """The report on a text; `verbose` includes the hidden claims."""
    rated = [_out(claim) for claim in claims]
    shown = [claim for claim in rated if claim.confidence >= settings.threshold]
    hidden = [claim for claim in rated if claim.confidence < settings.threshold]
    weights = msgspec.structs.asdict(settings.weights)
    return ClaimsReport(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        source=source,
        preset=settings.preset,
        threshold=settings.threshold,
        weights=FactorsOut(**{name: value / 100 for name, value in weights.items()}),
        checked=checked,
        summary=ClaimSummary(
            claims=len(shown),
            hidden_low_confidence=len(hidden),
            by_band={band: sum(claim.band == band for claim in shown) for band in _BANDS},
            by_kind={kind: sum(claim.kind is kind for claim in shown) for kind in Kind},
        ),
        claims=tuple(shown),
        hidden=tuple(hidden) if verbose else (),
    )


def lines(report: ClaimsReport, *, verbose: bool) -> Iterator[Line]:
    """`source:line: band confidence kind "words"`, then the sentence; at the end the counts and what was checked."""
    for claim in (*report.claims, *report.hidden):
        denies = f", contradicted by line {claim.denies_line}" if claim.denies_line else ""
        words = f' "{claim.evidence}"' if claim.kind is not Kind.CONTRADICTION else ""
        yield line(
            Span(f"{report.source}:{claim.line}: ", "path"),
            Span(f"{claim.band.replace('_', ' ')} {claim.confidence}", _STYLES[claim.band]),
            f" {claim.kind}{words}{denies}",
        )
        yield line(claim.sentence, indent=4)
        if verbose:
            yield line(Span(_trace(claim, report.weights), "dim"), indent=4)
    yield line(" ".join(_totals(report, verbose)))
    yield line(_checked_text(report.checked))


def _out(claim: Claim) -> ClaimOut:
    factors = msgspec.structs.asdict(claim.factors)
    return ClaimOut(
        kind=claim.kind,
        evidence=claim.evidence,
        offset=claim.offset,
        line=claim.line,
        confidence=claim.confidence,
        band=claim.band,
        factors=FactorsOut(
            **{name: (200 * value + WHOLE) // (2 * WHOLE) / 100 for name, value in factors.items()}
        ),
        sentence=claim.sentence,
        denies_line=claim.denies_line or None,
    )


def _trace(claim: ClaimOut, weights: FactorsOut) -> str:
    """The confidence written out; a sum over 1 with the limit it meets."""
    terms = {name: (getattr(weights, name), getattr(claim.factors, name)) for name in _NAMES}
    parts = (f"{weight:.2f} x {factor:.2f} {_NAMES[name]}" for name, (weight, factor) in terms.items())
    total = sum(weight * factor for weight, factor in terms.values())
    limit = ", at most 100" if claim.confidence == MAX_CONFIDENCE and total > 1 else ""
    return f"{claim.confidence} = 100 x ({' + '.join(parts)}){limit}"


def _totals(report: ClaimsReport, verbose: bool) -> Iterator[str]:
    source, summary = report.source, report.summary
    number = count(summary.claims, "unverified claim")
    totals = ((band.replace("_", " "), total) for band, total in summary.by_band.items() if total)
    bands = ", ".join(f"{total:,} {band}" for band, total in totals)
    yield f"{number} in {source}: {bands}." if bands else f"{number} in {source}."
    if hidden := summary.hidden_low_confidence:
        them = "it" if hidden == 1 else "them"
        shown = "shown too." if verbose else f"hidden: show {them} with --verbose."
        yield f"{count(hidden, 'low-confidence claim')} {shown}"


def _checked_text(checked: CheckedOut) -> str:
    where = f"Paths and lines were checked against {checked.repository}"
    if checked.symbols:
        return f"{where}, symbols against its last scan."
    return f"{where}; symbols were not checked (run `crimes scan` first)."

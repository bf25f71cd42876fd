"""How far a scan can be trusted: the types behind `trust` in a report and `crimes trust --format json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0, le=1)]


class TrustSummary(Struct, frozen=True):
    """What was seen, each from 0 to 1, and the mean of the four."""

    parse_coverage: Share  # share of source files that were parsed
    import_resolution: Share  # share of imports inside the repository that lead to a file
    history_depth: Share  # how much of the history was seen
    test_discovery: Share  # how well tests were found
    mean: Share  # mean of the four


class Bottleneck(Struct, frozen=True):
    """A dimension under .50: what is missing, and what would help."""

    dimension: str  # which dimension is weak
    value: Share  # its value, under 0.50
    explanation: str  # what is missing
    fix: str  # what would help


class DetectorFit(Struct, frozen=True):
    """What a detector can say about this repository; `reason` is empty when nothing is in its way."""

    id: str  # id of the detector
    applicability: str  # `applicable`, `applicable_but_weak`, `insufficient_evidence` or `not_applicable`
    reason: str  # what stands in its way; empty when nothing does


class RepositoryProfile(Struct, frozen=True):
    """What the repository is written in, by lines of code. A second language is named when it exceeds 40%."""

    primary_language: str  # language with most lines of code; empty without code
    second_language: str  # named when it has more than 40% of the lines; else empty
    ratio: Share | None  # lines of the second language to lines of the first; null without a second


class Trust(Struct, frozen=True):
    """How far the scan can be trusted, and why not further."""

    classification: str  # `trusted`, `directional` or `abstained`
    can_compare: bool  # whether its numbers can be compared with those of another scan
    can_gate: bool  # whether a gate can rest on it
    validity: str  # `fully_comparable`, `partially_comparable` or `not_comparable`
    status: str  # `complete`, `degraded` or `unsupported`
    degraded_category: str | None  # what degraded the scan; null when nothing did
    # 0.6 x the worst dimension + 0.4 x their mean: how sure agent_risk is; null when none was measured
    composite: Share | None
    # what was seen by dimension, from 0 to 1; null where it was not measured
    dimensions: dict[str, Share | None]
    summary: TrustSummary | None  # the same for a reader; null when the scan did not end
    reasons: tuple[str, ...]  # what weakens trust, as "area: what"
    gates: dict[str, tuple[str, ...]]  # by metric: the weak areas a gate on it rests on
    withheld: dict[str, str]  # what is withheld, `scores` or `actions`, and why
    bottlenecks: tuple[Bottleneck, ...]  # dimensions under 0.50, worst first
    applicability: tuple[DetectorFit, ...]  # what each detector can say about this repository
    profile: RepositoryProfile  # what the repository is written in

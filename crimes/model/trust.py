"""How far a scan can be trusted: the types behind `trust` in a report and `crimes trust --format json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0, le=1)]


class TrustSummary(Struct, frozen=True):
    """What was seen, each from 0 to 1, and the mean of the four."""

    parse_coverage: Share
    import_resolution: Share
    history_depth: Share
    test_discovery: Share
    mean: Share


class Bottleneck(Struct, frozen=True):
    """A dimension under .50: what is missing, and what would help."""

    dimension: str
    value: Share
    explanation: str
    fix: str


class DetectorFit(Struct, frozen=True):
    """What a detector can say about this repository; `reason` is empty when nothing is in its way."""

    id: str
    applicability: str  # applicable, applicable_but_weak, insufficient_evidence, not_applicable
    reason: str


class RepositoryProfile(Struct, frozen=True):
    """What the repository is written in, by lines of code. A second language is named when it exceeds 40 %."""

    primary_language: str  # its name; empty without code
    second_language: str
    ratio: Share | None  # of the second to the first


class Trust(Struct, frozen=True):
    """How far the scan can be trusted, and why not further."""

    classification: str  # trusted, directional, abstained
    can_compare: bool
    can_gate: bool
    validity: str  # fully_comparable, partially_comparable, not_comparable
    status: str  # complete, degraded, unsupported
    degraded_category: str | None
    composite: Share | None  # of the dimensions: how sure agent_risk is; null when none could be measured
    dimensions: dict[str, Share | None]
    summary: TrustSummary | None  # null when the scan did not come to its end
    reasons: tuple[str, ...]  # what weakens it, "area: what"
    gates: dict[str, tuple[str, ...]]  # by metric: the weak areas a gate on it rests on
    withheld: dict[str, str]  # scores, actions: why they are not given
    bottlenecks: tuple[Bottleneck, ...]  # the worst first
    applicability: tuple[DetectorFit, ...]
    profile: RepositoryProfile

"""How far a scan can be trusted: the types behind `trust` in a report and `crimes trust --format json`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from crimes.model.wording import count

TRUSTED = "trusted"
Share = Annotated[float, Meta(ge=0, le=1)]


class Withheld(StrEnum):
    """What a scan that saw too little does not give."""

    FINDINGS = "findings"
    SCORES = "scores"
    ACTIONS = "actions"
    EDIT_RISK = "edit_risk"
    VERDICT = "verdict"
    SUGGESTIONS = "suggestions"


# Reasons name how a scan ended by a code; people read these.
_ENDINGS = {
    "no-files": "no source files found",
    "no-parsable-source": "no source file could be parsed",
    "confidence-collapse": "too little of the repository could be read",
    "timeout": "the scan ran out of time",
    "out-of-memory": "the scan ran out of memory",
    "crash": "the scan crashed",
}


class TrustSummary(Struct, frozen=True):
    """The four dimensions and their mean, as they were given up to schema 1.2."""

    parse_coverage: Share  # share of source files that were parsed
    import_resolution: Share  # share of imports inside the repository that lead to a file
    history_depth: Share  # how much of the history was seen
    test_discovery: Share  # how well tests were found
    mean: Share  # mean of the four


class TrustSignal(Struct, frozen=True):
    """What a dimension rests on."""

    source: str  # what was asked: `parser`, `imports`, `git` or `tests`
    value: Share  # what it says of the dimension
    reason: str  # what was counted


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
    # whether every gate passes on a clean result without a warning; `gates` says what weakens which
    can_gate: bool
    validity: str  # `fully_comparable`, `partially_comparable` or `not_comparable`
    status: str  # `complete`, `degraded` or `unsupported`
    degraded_category: str | None  # what degraded the scan; null when nothing did
    # 0.6 x the worst dimension + 0.4 x their mean: how sure agent_risk is; null when none was measured
    composite: Share | None
    # what was seen, from 0 to 1: `parse_coverage`, `import_resolution`, `history_depth`, `test_discovery`. Deprecated, to be
    # removed with the next major version: `parse`, `blast_radius`, `churn`, `test_gap`, the same as they count in `composite`
    dimensions: dict[str, Share | None]
    # deprecated, use `dimensions` and `mean`: the same in another place; null when the scan did not end
    summary: TrustSummary | None
    reasons: tuple[str, ...]  # what weakens trust, as "area: what"
    gates: dict[
        str, tuple[str, ...]
    ]  # by metric: what a gate on it rests on and was not seen well; each area once
    # what is withheld, `findings`, `scores`, `actions`, `edit_risk`, `verdict` or `suggestions`, and why
    withheld: dict[str, str]
    bottlenecks: tuple[Bottleneck, ...]  # dimensions under 0.50, worst first
    applicability: tuple[DetectorFit, ...]  # what each detector can say about this repository
    profile: RepositoryProfile  # what the repository is written in
    mean: Share | None = None  # mean of the four dimensions; null when the scan did not end
    level: str = ""  # the composite in a word: `high`, `moderate` or `low`; empty without one
    composite_reasons: tuple[str, ...] = ()  # how the composite came about
    signals: dict[str, tuple[TrustSignal, ...]] = {}  # by dimension: what it rests on
    undersampling: str = (
        "none"  # `none`, `mild`, `moderate` or `severe`: whether there was too little to look at
    )

    @property
    def finished(self) -> bool:
        """Whether the scan came to its end."""
        return self.summary is not None

    @property
    def reason_texts(self) -> tuple[str, ...]:
        """The reasons in words, without the areas they begin with."""
        texts = (reason.partition(": ")[2] or reason for reason in self.reasons)
        return tuple(_ENDINGS.get(text.rpartition(": ")[2], text) for text in texts)

    @property
    def main_reason(self) -> str:
        """The main reason why a scan is not trusted, and how many more there are; empty when it is."""
        if not self.reasons:
            return ""
        first, *others = self.reason_texts
        return f"{first}, and {count(len(others), 'more reason')}" if others else first

    @property
    def label(self) -> str:
        """The class; one that is not `trusted` with its main reason."""
        if self.classification == TRUSTED or not self.reasons:
            return self.classification
        return f"{self.classification}: {self.main_reason}"

    @property
    def caveat(self) -> str:
        """The label of a scan that is not trusted; empty for one that is."""
        return "" if self.classification == TRUSTED else self.label

    @property
    def is_collapsed(self) -> bool:
        """Whether so little was seen that findings are only counted."""
        return Withheld.FINDINGS in self.withheld

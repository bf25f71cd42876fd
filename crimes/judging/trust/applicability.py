"""What each detector can say about a repository, given what the scan could see of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from crimes.analyses.history.history import HISTORY
from crimes.analyses.import_graph import IMPORT_GRAPH
from crimes.analyses.test_map import TEST_MAP
from crimes.detection.detector import Detector
from crimes.judging.trust.arithmetic import (
    BLAST_RADIUS,
    CHURN,
    HALF,
    PARSE,
    Applicability,
    Counts,
    applicability,
    dimensions,
    resolution,
)
from crimes.model.trust import DetectorFit
from crimes.model.wording import count

# The dimension each analysis is as good as. What tests there are decides how strong a finding is, not whether.
_DIMENSION = {HISTORY.name: CHURN, IMPORT_GRAPH.name: BLAST_RADIUS}

_STRONG_FROM = Fraction(80, 100)  # of a dimension: from here on it takes nothing from a detector


class Evidence(NamedTuple):
    """A dimension something rests on."""

    value: Fraction
    reason: str


def detector_fits(
    detectors: Mapping[str, Detector],
    counts: Counts,
    languages: Collection[str],
    turned_off: Collection[str],
    skipped: Mapping[str, str],
) -> Iterator[DetectorFit]:
    """One line a detector. `skipped` has the reasons of those that could not run."""
    for detector in detectors.values():
        if detector.id in turned_off:
            yield DetectorFit(detector.id, applicability(Fraction(), off=True), detector.off_reason)
        elif not _applies(detector, languages):
            yield DetectorFit(detector.id, applicability(Fraction()), _missing_language(detector))
        else:
            yield _fit(detector, counts, skipped.get(detector.id, ""))


def _fit(detector: Detector, counts: Counts, skipped: str) -> DetectorFit:
    rests_on = list(_evidence(detector, counts))
    weakest = min(rests_on, key=lambda evidence: evidence.value)
    graph_doubtful = IMPORT_GRAPH in detector.needs and resolution(counts) < HALF
    doubts = list(_doubts(detector, counts, rests_on))
    result = applicability(weakest.value, fallback=graph_doubtful or bool(skipped), weak=bool(doubts))
    if result is Applicability.APPLICABLE:
        reason = ""
    elif result is Applicability.WEAK:
        reason = "; ".join(doubts)
    else:
        reason = skipped or weakest.reason
    return DetectorFit(detector.id, result, reason)


def _evidence(detector: Detector, counts: Counts) -> Iterator[Evidence]:
    """What the detector cannot do without, and how good it is."""
    values = dimensions(counts)
    parsed = values[PARSE]
    yield Evidence(Fraction(1) if parsed is None else parsed, "not all source files were parsed")
    for analysis in detector.needs:
        value = values.get(_DIMENSION.get(analysis.name, ""))
        if value is not None:
            yield Evidence(value, _weakness(analysis.name, counts))


def _doubts(detector: Detector, counts: Counts, rests_on: list[Evidence]) -> Iterator[str]:
    """What makes the detector less sure than it could be."""
    if TEST_MAP in detector.needs and not counts.test_files:
        yield "no test files found"
    yield from (evidence.reason for evidence in rests_on if evidence.value < _STRONG_FROM)


def _weakness(analysis: str, counts: Counts) -> str:
    if analysis == HISTORY.name:
        return f"{counts.cut}: {count(counts.days, 'day')} of history" if counts.cut else "no git history"
    if not counts.graph:
        return "no import graph"
    total = counts.resolved + counts.unresolved
    return f"{counts.unresolved:,} of {total:,} imports inside the repository are unresolved"


def _applies(detector: Detector, languages: Collection[str]) -> bool:
    """Whether there is something for it to look at; a detector without a language reads settings, not source."""
    if not detector.languages or "*" in detector.languages:
        return bool(languages)
    return not set(languages).isdisjoint(detector.languages)


def _missing_language(detector: Detector) -> str:
    languages = (
        "a supported language" if detector.languages in ((), ("*",)) else " or ".join(detector.languages)
    )
    return f"no files in {languages}"

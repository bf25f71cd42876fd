"""What each detector can say about a repository, given what the scan could see of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from crimes.analyses.history.history import HISTORY
from crimes.analyses.import_graph import IMPORT_GRAPH
from crimes.analyses.test_map import TEST_MAP
from crimes.detection.detector import SECURITY, Detector
from crimes.judging.trust.arithmetic import (
    HALF,
    IMPORTS,
    NO_PAST,
    PARSE,
    PAST,
    Applicability,
    Counts,
    applicability,
    resolution,
    weighed,
)
from crimes.judging.trust.counts import is_code
from crimes.model.trust import DetectorFit
from crimes.model.wording import count

# The dimension each analysis is as good as. What tests there are decides how strong a finding is, not whether.
_DIMENSION = {HISTORY.name: PAST, IMPORT_GRAPH.name: IMPORTS}

_STRONG_FROM = Fraction(80, 100)  # of a dimension: from here on it takes nothing from a detector


_RUNNING = (Applicability.APPLICABLE, Applicability.WEAK)


class Evidence(NamedTuple):
    """A dimension something rests on."""

    value: Fraction
    reason: str


def detector_fits(
    detectors: Mapping[str, Detector],
    counts: Counts,
    languages: Collection[str],
    turned_off: Collection[str],
    *,
    any_files: bool,
) -> Iterator[DetectorFit]:
    """One line a detector, by the first that holds: it is off, its language is missing, what it rests on was not seen."""
    for detector in detectors.values():
        if detector.id in turned_off:
            yield DetectorFit(detector.id, applicability(Fraction(), off=True), detector.off_reason)
        elif not _applies(detector, languages, any_files=any_files):
            yield DetectorFit(detector.id, applicability(Fraction()), _missing_language(detector))
        else:
            yield _fit(detector, counts)


def runs_at_all(fit: DetectorFit) -> bool:
    """Whether a detector that fits so runs at all."""
    return fit.applicability in _RUNNING


def is_weak(fit: DetectorFit) -> bool:
    """Whether its findings are capped."""
    return fit.applicability == Applicability.WEAK


def skipped_while_running(fit: DetectorFit, reason: str) -> DetectorFit:
    """The fit of a detector that could not run after all, because an analysis could not be made."""
    return DetectorFit(fit.id, Applicability.INSUFFICIENT, reason)


def _fit(detector: Detector, counts: Counts) -> DetectorFit:
    rests_on = list(_evidence(detector, counts))
    weakest = min(rests_on, key=lambda evidence: evidence.value, default=Evidence(Fraction(1), ""))
    graph_doubtful = IMPORT_GRAPH in detector.needs and resolution(counts) < HALF
    doubts = list(_doubts(detector, counts, rests_on))
    result = applicability(weakest.value, fallback=graph_doubtful, weak=bool(doubts))
    if result is Applicability.APPLICABLE:
        reason = ""
    elif result is Applicability.WEAK:
        reason = "; ".join(doubts)
    else:
        # A doubtful graph speaks louder than a dimension that is weaker still and good enough.
        reason = weakest.reason if weakest.value < HALF else _weakness(IMPORT_GRAPH.name, counts)
    return DetectorFit(detector.id, result, reason)


def _evidence(detector: Detector, counts: Counts) -> Iterator[Evidence]:
    """What the detector cannot do without, and how good it is."""
    values = weighed(counts)
    parsed = values[PARSE]
    if parsed is not None and _rests_on_parsing(detector):
        yield Evidence(parsed, _unparsed(counts))
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
        if not counts.git:
            return counts.no_git or "no git history"
        return f"{counts.cut or NO_PAST}: {count(counts.days, 'day')} of history"
    if not counts.graph:
        return "no import graph"
    total = counts.resolved + counts.unresolved
    return f"{counts.unresolved:,} of {total:,} imports inside the repository are unresolved"


def _unparsed(counts: Counts) -> str:
    missing = counts.claimed - counts.ok - counts.partial
    return f"{missing:,} of {count(counts.claimed, 'source file')} could not be parsed, {counts.partial:,} only in part"


def _applies(detector: Detector, languages: Collection[str], *, any_files: bool) -> bool:
    """Whether there is something for it to look at; a detector without a language reads settings, not source."""
    if not _rests_on_parsing(detector):
        return any_files and ("*" in detector.languages or _has_language(detector, languages))
    return bool(languages) if "*" in detector.languages else _has_language(detector, languages)


def _has_language(detector: Detector, languages: Collection[str]) -> bool:
    return not detector.languages or not set(languages).isdisjoint(detector.languages)


def _rests_on_parsing(detector: Detector) -> bool:
    """Whether files that do not parse take something from it.

    They take nothing from one that reads settings or documents; and what endangers a reader must not be hidden by adding
    files that no grammar understands.
    """
    if detector.category == SECURITY:
        return False
    return "*" in detector.languages or any(is_code(language) for language in detector.languages)


def _missing_language(detector: Detector) -> str:
    languages = (
        "a supported language"
        if detector.languages in ((), ("*",))
        else " or ".join(filter(None, (", ".join(detector.languages[:-1]), detector.languages[-1])))
    )
    return f"no files in {languages}"

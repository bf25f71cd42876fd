"""A finding becomes a crime: its signals give a confidence, its file's past and neighbours give agent_risk.

A finding that is not sure enough gets a second look at the evidence its detector deferred.
A test or a document has no test gap: nothing is expected to test it. Where an analysis cannot be made (no
git, no graph) its number is 0, and the report says elsewhere that it is missing.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from crimes.analyses.coverage.analysis import COVERAGE
from crimes.analyses.history.history import HISTORY
from crimes.analyses.import_graph import IMPORT_GRAPH
from crimes.analyses.test_map import TEST_MAP
from crimes.config.schema import Config
from crimes.detection.context import Analysis, Context
from crimes.detection.detector import Detector
from crimes.judging import scoring
from crimes.judging.confidence import (
    REPORTED_FROM,
    Cap,
    Confidence,
    Witness,
    band,
    combine,
    recover,
    undersampled,
)
from crimes.judging.confidence_text import cap_text, steps, trace
from crimes.judging.feedback_evidence import FeedbackEvidence
from crimes.judging.second_pass import second_look
from crimes.judging.signal_values import with_measured_values
from crimes.model.errors import Unavailable
from crimes.model.facts import Role
from crimes.model.finding import (
    Category,
    Finding,
    Measure,
    Place,
    Signal,
    fingerprint,
    fingerprint_within_file,
)
from crimes.model.hundredths import share, two_decimals
from crimes.model.report import (
    Crime,
    Diagnostic,
    Lines,
    MeasureOut,
    RelatedOut,
    SignalOut,
)
from crimes.model.scores import RanLines, RiskEvidence, ScoreInputs

T = TypeVar("T")

NO_FEEDBACK = FeedbackEvidence()

_MAX_TESTS_NAMED = 5
_MIN_RESOLVED_SHARE = 0.5


class Judged(NamedTuple):
    """A crime, and what went wrong while looking for evidence."""

    crime: Crime
    diagnostics: tuple[Diagnostic, ...]


def judge(
    context: Context,
    detector: Detector,
    finding: Finding,
    config: Config,
    weakness: str = "",
    feedback: FeedbackEvidence = NO_FEEDBACK,
) -> Judged:
    """The finding of a detector with its confidence, its risk, and the evidence for both.

    `weakness` says why the detector is weak in this repository, where it is; `feedback` is what people say.
    """
    place = finding.place
    digest = fingerprint(detector.id, finding)
    measured = with_measured_values(detector.id, finding.signals)
    finding = replace(finding, signals=(*measured, *feedback.signals(detector.id, digest)))
    target = f"{place.path}#{place.symbol}" if place.symbol else place.path
    assessment = _assess(context, detector, finding, target, weak=bool(weakness))
    confidence = assessment.confidence
    risk = risk_evidence(context, place.path)
    tests = analysis_or_none(context, TEST_MAP)
    gap = tests.gap(place.path) if tests else 0
    values = scoring.measure(ScoreInputs(finding.severity, confidence.value, gap, risk))
    why, fix = finding.why or detector.why, finding.fix or detector.fix
    file = context.repo.files.get(place.path)
    crime = Crime(
        id=digest[:12],
        fingerprint=digest,
        type=detector.id,
        title=detector.title,
        category=detector.category,
        severity=finding.severity,
        file=place.path,
        role=file.role if file else Role.CONFIG,  # a manifest or the like, which no language reads
        symbol=place.symbol,
        lines=Lines(place.start, place.end),
        message=" ".join(filter(None, (finding.fact, why, fix))),
        effort=str(detector.effort),
        scores=scoring.scores(values, config.weights),
        risk_evidence=risk,
        risk_trace=scoring.risk_trace(values, config.weights),
        confidence_band=band(confidence.value),
        confidence_trace="; ".join((trace(confidence), *assessment.remarks)),
        confidence_steps=(*steps(confidence), *assessment.remarks),
        confidence_signals=tuple(
            SignalOut(
                signal.source,
                str(signal.category),
                signal.target or target,
                share(signal.value),
                signal.reason,
                signal.measured_on,
            )
            for signal in assessment.signals
        ),
        confidence_caps=tuple(_cap_text(cap, finding, weakness) for cap in confidence.caps),
        evidence={name: _measure(item) for name, item in finding.evidence.items()},
        related=tuple(
            RelatedOut(near.place.path, Lines(near.place.start, near.place.end), near.place.symbol, near.note)
            for near in finding.related
        ),
        notes=finding.notes,
        within=fingerprint_within_file(detector.id, finding),
        fact=finding.fact,
        why=why,
        fix=fix,
        docs=detector.docs,
        kind=detector.kind,
        short=finding.short,
    )
    return Judged(crime, assessment.diagnostics)


def _measure(measure: Measure) -> MeasureOut:
    return MeasureOut(measure.value, measure.limit, tuple(map(dict, measure.items)))


class _Assessment(NamedTuple):
    """The confidence in a finding, with the signals behind it."""

    confidence: Confidence
    signals: tuple[Signal, ...]
    remarks: tuple[str, ...]  # what became of a second pass
    diagnostics: tuple[Diagnostic, ...]


def _assess(
    context: Context, detector: Detector, finding: Finding, target: str, *, weak: bool
) -> _Assessment:
    """The confidence from the signals; under .50, with the evidence the detector deferred if that gives more."""
    first = _combine(context, finding, finding.signals, target, weak=weak)
    if first.value >= REPORTED_FROM or not detector.deferred:
        return _Assessment(first, finding.signals, remarks=(), diagnostics=())
    deferred, diagnostics = second_look(context, detector, finding)
    signals = (*finding.signals, *with_measured_values(detector.id, deferred))
    after = recover(first, _combine(context, finding, signals, target, weak=weak))
    if after is first:
        remark = "a second pass found no more evidence"
    else:
        remark = f"{two_decimals(first.value)} before a second pass"
    return _Assessment(after, signals, (remark,), diagnostics)


def _combine(
    context: Context, finding: Finding, signals: tuple[Signal, ...], target: str, *, weak: bool
) -> Confidence:
    witnesses = (Witness(signal.category, signal.value, signal.target or target) for signal in signals)
    caps = _caps(context, finding, signals)
    return combine(target, witnesses, [*caps, Cap.WEAK_EVIDENCE] if weak else caps)


def _cap_text(cap: Cap, finding: Finding, weakness: str) -> str:
    """A cap with its reason; a small sample with the reasons the detector gave, a weak detector with its own."""
    if cap is Cap.WEAK_EVIDENCE:
        return f"{cap_text(cap)}: {weakness}"
    reasons = f": {'; '.join(finding.undersampled)}" if cap in undersampled(len(finding.undersampled)) else ""
    return cap_text(cap) + reasons


def analysis_or_none(context: Context, analysis: Analysis[T]) -> T | None:
    """The result of an analysis, None where it is unavailable."""
    try:
        return context[analysis]
    except Unavailable:
        return None


def risk_evidence(context: Context, path: str) -> RiskEvidence:
    """The raw counts behind churn, test gap and blast radius of a file."""
    history = analysis_or_none(context, HISTORY)
    graph = analysis_or_none(context, IMPORT_GRAPH)
    tests = analysis_or_none(context, TEST_MAP)
    past = history.files.get(path) if history else None
    reaching = tests.of.get(path) if tests else None
    importing = reaching.importing if reaching else ()
    return RiskEvidence(
        commits_90d=past.commits_90d if past else 0,
        commits_365d=past.commits_365d if past else 0,
        commits_3y=past.commits_3y if past else 0,
        importers_direct=len(graph.direct(path)) if graph else 0,
        importers_sure=graph.sure.get(path, 0) if graph else 0,
        importers_possible=graph.possible.get(path, 0) if graph else 0,
        tests_importing=importing[:_MAX_TESTS_NAMED],
        tests_importing_count=len(importing),
        tests_by_name=reaching.by_name if reaching else (),
        lines_run=_lines_run(context, path),
        has_own_tests=reaching is not None and reaching.own,
    )


def _lines_run(context: Context, path: str) -> RanLines | None:
    coverage = analysis_or_none(context, COVERAGE)
    run = coverage.files.get(path) if coverage else None
    return RanLines(run.ran.covered, run.ran.total, run.stale) if run else None


def _caps(context: Context, finding: Finding, signals: tuple[Signal, ...]) -> list[Cap]:
    """Caps for weak ground: lines the grammar could not read, imports that do not resolve, a small sample."""
    categories = {signal.category for signal in signals if not signal.target}
    caps = list(undersampled(len(finding.undersampled)))
    if Category.SYNTAX in categories and _is_misread(context, finding.place):
        caps.append(Cap.PARSE_FALLBACK)
    graph = analysis_or_none(context, IMPORT_GRAPH) if Category.GRAPH in categories else None
    if graph and graph.resolved_share < _MIN_RESOLVED_SHARE:
        caps.append(Cap.GRAPH_FALLBACK)
    return caps


def _is_misread(context: Context, place: Place) -> bool:
    """Whether the grammar gave up inside the symbol; a finding without one is about the whole file."""
    file = context.repo.files.get(place.path)
    errors = file.facts.errors if file else ()
    return any(not place.symbol or (e.line <= place.end and e.end >= place.start) for e in errors)

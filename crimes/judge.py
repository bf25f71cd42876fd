"""A finding becomes a crime: its signals give a confidence, its file's past and neighbours give agent_risk.

A test or a document has no test gap: nothing is expected to test it. Where an analysis cannot be made (no
git, no graph) its number is 0, and the report says elsewhere that it is missing.
"""

from __future__ import annotations

from typing import TypeVar

from crimes import scoring
from crimes.analyses.history import HISTORY
from crimes.analyses.import_graph import IMPORT_GRAPH
from crimes.analyses.test_map import TEST_MAP
from crimes.confidence.evidence import Cap, Witness, band, cap_text, combine
from crimes.confidence.numeric import share
from crimes.config import Config
from crimes.context import Analysis, Context
from crimes.detector import Detector
from crimes.errors import Unavailable
from crimes.finding import Category, Finding, Place, fingerprint
from crimes.model import Role
from crimes.report import Crime, Lines, MeasureOut, RelatedOut, RiskEvidence, Scores, SignalOut

T = TypeVar("T")

_TESTS_NAMED = 5
_RESOLVED_ENOUGH = 0.5


def judge(context: Context, detector: Detector, finding: Finding, config: Config) -> Crime:
    """The finding of a detector with its confidence, its risk, and the evidence for both."""
    place = finding.place
    target = f"{place.path}#{place.symbol}" if place.symbol else place.path
    witnesses = (Witness(signal.category, signal.value, target) for signal in finding.signals)
    confidence = combine(target, witnesses, _caps(context, finding))
    risk = risk_evidence(context, place.path)
    tests = _or_none(context, TEST_MAP)
    factors = scoring.Factors(
        severity=scoring.severity_score(finding.severity),
        confidence=confidence.value,
        churn=scoring.churn(risk.commits_90d),
        test_gap=tests.gap(place.path) if tests else 0,
        blast_radius=scoring.blast_radius(risk.importers_possible),
    )
    mark = fingerprint(detector.id, finding)
    file = context.repo.files.get(place.path)
    return Crime(
        id=mark[:12],
        fingerprint=mark,
        type=detector.id,
        title=detector.title,
        category=detector.category,
        severity=finding.severity,
        file=place.path,
        role=file.role if file else Role.CONFIG,  # a manifest or the like, which no language reads
        symbol=place.symbol,
        lines=Lines(place.start, place.end),
        message=finding.message,
        effort=str(detector.effort),
        scores=Scores(
            severity=share(factors.severity),
            confidence=share(factors.confidence),
            churn=share(factors.churn),
            test_gap=share(factors.test_gap),
            blast_radius=share(factors.blast_radius),
            agent_risk=share(scoring.agent_risk(factors, config.weights)),
        ),
        risk_evidence=risk,
        risk_trace=scoring.risk_trace(factors, config.weights),
        confidence_band=band(confidence.value),
        confidence_trace=confidence.trace,
        confidence_signals=tuple(
            SignalOut(signal.source, str(signal.category), target, share(signal.value), signal.reason)
            for signal in finding.signals
        ),
        confidence_caps=tuple(cap_text(cap) for cap in confidence.caps),
        evidence={name: MeasureOut(item.value, item.limit) for name, item in finding.evidence.items()},
        related=tuple(
            RelatedOut(near.place.path, Lines(near.place.start, near.place.end), near.place.symbol, near.note)
            for near in finding.related
        ),
        notes=finding.notes,
    )


def _or_none(context: Context, analysis: Analysis[T]) -> T | None:
    try:
        return context[analysis]
    except Unavailable:
        return None


def risk_evidence(context: Context, path: str) -> RiskEvidence:
    """The raw counts behind churn, test gap and blast radius of a file."""
    history = _or_none(context, HISTORY)
    graph = _or_none(context, IMPORT_GRAPH)
    tests = _or_none(context, TEST_MAP)
    past = history.files.get(path) if history else None
    reaching = tests.of.get(path) if tests else None
    importing = reaching.importing if reaching else ()
    return RiskEvidence(
        commits_90d=past.commits_90d if past else 0,
        commits_365d=past.commits_365d if past else 0,
        commits_all=past.commits_all if past else 0,
        importers_direct=len(graph.direct(path)) if graph else 0,
        importers_sure=graph.sure.get(path, 0) if graph else 0,
        importers_possible=graph.possible.get(path, 0) if graph else 0,
        tests_importing=importing[:_TESTS_NAMED],
        tests_importing_count=len(importing),
        tests_by_name=reaching.by_name if reaching else (),
    )


def _caps(context: Context, finding: Finding) -> list[Cap]:
    """What the finding rests on and could not be read well: its own lines, or the repository's imports."""
    categories = {signal.category for signal in finding.signals}
    caps = []
    if Category.SYNTAX in categories and _misread(context, finding.place):
        caps.append(Cap.PARSE_FALLBACK)
    graph = _or_none(context, IMPORT_GRAPH) if Category.GRAPH in categories else None
    if graph and graph.resolved_share < _RESOLVED_ENOUGH:
        caps.append(Cap.GRAPH_FALLBACK)
    return caps


def _misread(context: Context, place: Place) -> bool:
    """Whether the grammar gave up inside the symbol; a finding without one is about the whole file."""
    file = context.repo.files.get(place.path)
    errors = file.facts.errors if file else ()
    return any(not place.symbol or (e.line <= place.end and e.end >= place.start) for e in errors)

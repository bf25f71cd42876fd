"""Reports built by hand, for tests of what comes after a scan."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from crimes import __version__
from crimes.model.edit_risk import RankedFile, RankedFiles, risk_terms
from crimes.model.facts import Role
from crimes.model.report import (
    SCHEMA_VERSION,
    Crime,
    DetectorRun,
    FileCoverage,
    HistoryCoverage,
    ImportCoverage,
    Lines,
    MeasureOut,
    RelatedOut,
    Report,
    SignalOut,
    SkippedFile,
    Summary,
    Tool,
)
from crimes.model.scores import COMPONENTS, RiskEvidence, Scores, Weights
from crimes.model.severity import Severity
from crimes.model.trust import DetectorFit, RepositoryProfile, Trust, TrustSummary

EVIDENCE = RiskEvidence(
    commits_90d=4,
    commits_365d=9,
    commits_3y=31,
    importers_direct=2,
    importers_sure=5,
    importers_possible=7,
    tests_importing=("tests/test_core.py",),
    tests_importing_count=1,
    tests_by_name=(),
)


TRUST = Trust(
    classification="trusted",
    can_compare=True,
    can_gate=True,
    validity="fully_comparable",
    status="complete",
    degraded_category=None,
    composite=0.92,
    dimensions={"parse": 1.0, "blast_radius": 0.93, "churn": 0.95, "test_gap": 0.9},
    summary=TrustSummary(1.0, 0.93, 0.95, 0.9, 0.94),
    reasons=(),
    gates={"severity": (), "agent_risk": ()},
    withheld={},
    bottlenecks=(),
    applicability=(
        DetectorFit("god_function", "applicable", ""),
        DetectorFit("hidden_coupling", "not_applicable", "no git history"),
    ),
    profile=RepositoryProfile("python", "", None),
)


def scores(agent_risk: float | None, **components: float) -> Scores:
    """Scores with these components, and 0 for all others."""
    return Scores(
        **dict.fromkeys((component.name for component in COMPONENTS), 0.0) | components, agent_risk=agent_risk
    )


def crime(file: str = "src/core.py", line: int = 10, **changes: Any) -> Crime:
    """A finding; its id follows from file, line and type, so that two differ."""
    type_ = changes.get("type", "god_function")
    fingerprint = hashlib.sha256(f"{type_}\0{file}\0{line}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
    made = Crime(
        id=fingerprint[:12],
        fingerprint=fingerprint,
        type=type_,
        title="Function that does too much",
        category="structure",
        severity=Severity.MEDIUM,
        file=file,
        role=Role.SOURCE,
        symbol="Core.run",
        lines=Lines(line, line + 5),
        message="run has cognitive complexity 31 (limit 25). Split it.",
        effort="hours",
        scores=scores(severity=0.7, confidence=0.8, churn=0.2, blast_radius=0.14, agent_risk=0.48),
        risk_evidence=EVIDENCE,
        risk_trace="0.48 = 0.40 x 0.70 severity + 0.20 x 0.80 confidence + 0.15 x 0.20 churn",
        confidence_band="strong",
        confidence_trace="0.80 = 0.80 x 1.00: syntax alone",
        confidence_steps=("syntax alone: 0.80",),
        confidence_signals=(SignalOut("parser", "syntax", file, 0.8, "the parser counted it"),),
        confidence_caps=(),
        evidence={"cognitive": MeasureOut(31, 25), "branches": MeasureOut(("for line 12", "if line 14"))},
        related=(RelatedOut("src/other.py", Lines(3, 3), "helper", "called from here"),),
        notes=(),
    )
    return msgspec.structs.replace(made, **changes)


def report(*findings: Crime, hidden: tuple[Crime, ...] = (), **changes: Any) -> Report:
    """A report of these findings, with something of everything that can be left out of a scan."""
    made = Report(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository="shop",
        weights=Weights(**{component.name: component.weight / 100 for component in COMPONENTS}),
        files=FileCoverage(
            read=1200,
            logic_lines=45_000,
            by_language={"python": 1000, "typescript": 200},
            by_role={"source": 900, "test": 300},
            partial=(SkippedFile("src/odd.py", "2 places do not parse"),),
            skipped=(SkippedFile("data/big.py", "larger than 2,000,000 bytes"),),
            not_supported={".css": 12, ".svg": 30},
        ),
        imports=ImportCoverage(900, 300, 12, ("src/a.py:3 legacy.thing",)),
        history=HistoryCoverage(
            False, "", "0123456789ab", "2025-06-01T12:00:00+00:00", 120, "2020-01-01T00:00:00+00:00"
        ),
        detectors=(
            DetectorRun("god_function", "ran", "", len(findings)),
            DetectorRun("hidden_coupling", "skipped", "not a git repository", 0),
            DetectorRun("import_cycle", "off", "", 0),
        ),
        summary=Summary(
            findings=len(findings),
            high=sum(item.severity is Severity.HIGH for item in findings),
            medium=sum(item.severity is Severity.MEDIUM for item in findings),
            low=sum(item.severity is Severity.LOW for item in findings),
            files_with_findings=len({item.file for item in findings}),
            hidden_low_confidence=len(hidden),
            discarded=0,
        ),
        findings=findings,
        hidden=hidden,
        warnings=(),
        trust=TRUST,
        diagnostics=(),
    )
    return msgspec.structs.replace(made, **changes)


def ranked_file(file: str, rank: int = 1, **changes: Any) -> RankedFile:
    """A ranked file; one with a lower rank has more of everything."""
    terms = risk_terms(5000 // rank, 500 // rank, 20 / rank, 10 / rank)
    made = RankedFile(
        file=file,
        edit_risk=terms.risk,
        rank=rank,
        rank_per_line=rank,
        band="about 1 in 2",
        terms=terms,
        lines=5000 // rank,
        complexity=500 // rank,
        commits_365d=46,
        fixes_365d=12,
        weighted_commits=20 / rank,
        weighted_fixes=10 / rank,
        churn=0.2,
        test_gap=0.0,
        blast_radius=1.0,
    )
    return msgspec.structs.replace(made, **changes)


def ranked_files(*files: str, history_limited: str = "", **changes: Any) -> RankedFiles:
    """These files ranked in this order."""
    band = {"band": ""} if history_limited else {}
    ranked = [ranked_file(file, rank, **(changes | band)) for rank, file in enumerate(files, 1)]
    return RankedFiles(len(files), 1, history_limited, tuple(ranked))

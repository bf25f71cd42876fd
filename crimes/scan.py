"""One scan, from a folder to a report: the straight line."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from crimes import __version__
from crimes.analyses.coverage import COVERAGE
from crimes.analyses.history import HISTORY
from crimes.confidence.evidence import Visibility, visibility
from crimes.config import Config
from crimes.context import Context, Pass
from crimes.coverage.record import CoverageFile
from crimes.detector import Detector
from crimes.discover import Tree, discover
from crimes.errors import Unavailable
from crimes.finding import Finding, fingerprint
from crimes.judge import judge
from crimes.languages import by_id
from crimes.languages.facts import Unreadable, read_facts
from crimes.languages.link import link
from crimes.model import FileFacts, Severity, Skip
from crimes.registry import catalogue
from crimes.report import (
    SCHEMA_VERSION,
    CoverageSource,
    CoveredFile,
    Crime,
    DetectorRun,
    FileCoverage,
    HistoryCoverage,
    ImportCoverage,
    LineCoverage,
    Report,
    SkippedFile,
    Summary,
    Tool,
    Weights,
)

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Scan:
    """What one scan leaves behind: the report, and the context a briefing asks further."""

    report: Report
    context: Context


def scan(
    root: Path,
    config: Config,
    *,
    as_of: datetime | None = None,
    progress: Progress | None = None,
    coverage: tuple[CoverageFile, ...] = (),
) -> Scan:
    """Scan a folder."""
    tell = progress or (lambda stage, done, total: None)
    with without_cycles_collected():
        tree = discover(root, config, by_id)
        facts, unread = read_all(tree, tell)
        tell("linking", 0, 0)
        repo = link(root, tree.files, facts, tree.paths, config, tree.read)
        context = Context(repo, config, as_of, coverage)
        runs, found = detect(context, catalogue(), config, tell)
        tell("judging", 0, 0)
        judged = [judge(context, detector, finding, config) for detector, finding in found]
        return Scan(_report(tree, unread, context, runs, judged), context)


@contextmanager
def without_cycles_collected() -> Iterator[None]:
    """A scan makes no reference cycles worth finding; looking for them costs a fifth of the walk, a third of linking."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_all(tree: Tree, tell: Progress) -> tuple[dict[str, FileFacts], list[Skip]]:
    """Facts of every file, and the files that gave none. Each file is read and parsed once."""
    facts: dict[str, FileFacts] = {}
    unread: list[Skip] = []
    for done, source in enumerate(tree.files):
        if done % 50 == 0:
            tell("reading", done, len(tree.files))
        try:
            facts[source.path] = read_facts(by_id[source.language], tree.read(source.path))
        except Unreadable as reason:
            unread.append(Skip(source.path, str(reason)))
        except OSError as error:
            unread.append(Skip(source.path, f"cannot be read: {error.strerror or error}"))
    return facts, unread


def detect(
    context: Context, detectors: Mapping[str, Detector], config: Config, tell: Progress
) -> tuple[list[DetectorRun], list[tuple[Detector, Finding]]]:
    """Run every enabled detector; one whose analyses are unavailable is skipped with the reason."""
    runs: list[DetectorRun] = []
    found: list[tuple[Detector, Finding]] = []
    for done, detector in enumerate(detectors.values()):
        tell("detecting", done, len(detectors))
        chosen = config.detectors.get(detector.id)
        enabled = detector.default if chosen is None or chosen.enabled is None else chosen.enabled
        if not enabled:
            runs.append(DetectorRun(detector.id, "off", "turned off", 0))
            continue
        options: Any = detector.options(**(chosen.options if chosen else {}))
        try:
            for need in detector.needs:
                context[need]
        except Unavailable as reason:
            runs.append(DetectorRun(detector.id, "skipped", str(reason), 0))
            continue
        findings = told_apart(
            detector, detector.detect(Pass(context, detector.needs, detector.wants), options)
        )
        runs.append(DetectorRun(detector.id, "ran", "", len(findings)))
        found.extend((detector, finding) for finding in findings)
    return runs, found


def told_apart(detector: Detector, findings: Iterable[Finding]) -> list[Finding]:
    """Findings with an identity each: of several in symbols of one name, those after the first are numbered."""
    seen: Counter[str] = Counter()
    distinct = []
    for finding in findings:
        mark = fingerprint(detector.id, finding)
        seen[mark] += 1
        if seen[mark] > 1:
            finding = replace(finding, discriminator=f"{finding.discriminator}#{seen[mark]}")
        distinct.append(finding)
    return distinct


def _report(
    tree: Tree, unread: list[Skip], context: Context, runs: list[DetectorRun], judged: list[Crime]
) -> Report:
    ranked = sorted(judged, key=worst_first)
    seen = {kind: tuple(crime for crime in ranked if _seen(crime) is kind) for kind in Visibility}
    shown, hidden = seen[Visibility.REPORTED], seen[Visibility.LOW_CONFIDENCE]
    levels = Counter(crime.severity for crime in shown)
    weights = context.config.weights
    return Report(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=tree.root.resolve().name,
        weights=Weights(
            weights.severity / 100,
            weights.confidence / 100,
            weights.churn / 100,
            weights.test_gap / 100,
            weights.blast_radius / 100,
        ),
        files=_file_coverage(tree, unread, context),
        imports=_import_coverage(context),
        history=_history_coverage(context),
        detectors=tuple(runs),
        summary=Summary(
            findings=len(shown),
            high=levels[Severity.HIGH],
            medium=levels[Severity.MEDIUM],
            low=levels[Severity.LOW],
            files_with_findings=len({crime.file for crime in shown}),
            hidden_low_confidence=len(hidden),
            discarded=len(seen[Visibility.DISCARDED]),
        ),
        findings=shown,
        hidden=hidden,
        warnings=tuple(tree.warnings),
        coverage=_line_coverage(context),
    )


def _seen(crime: Crime) -> Visibility:
    return visibility(round(crime.scores.confidence * 100))


def worst_first(crime: Crime) -> tuple[float, float, str, int, str, str]:
    """The order of a report: agent_risk, severity, then where it stands."""
    scores = crime.scores
    return -scores.agent_risk, -scores.severity, crime.file, crime.lines.start, crime.type, crime.fingerprint


def _file_coverage(tree: Tree, unread: list[Skip], context: Context) -> FileCoverage:
    files = context.repo.files
    return FileCoverage(
        read=len(files),
        logic_lines=sum(file.facts.logic_lines for file in files.values()),
        by_language=dict(sorted(Counter(file.language for file in files.values()).items())),
        by_role=dict(sorted(Counter(str(file.role) for file in files.values()).items())),
        partial=tuple(
            SkippedFile(path, f"syntax not understood at line {file.facts.errors[0].line}")
            for path, file in files.items()
            if file.facts.errors
        ),
        skipped=tuple(
            SkippedFile(skip.path, skip.reason)
            for skip in sorted((*tree.skipped, *unread), key=lambda skip: (skip.path, skip.reason))
        ),
        not_supported=dict(sorted(tree.not_supported.items())),
    )


def _import_coverage(context: Context) -> ImportCoverage:
    repo = context.repo
    unresolved = [item for item in repo.outside if not item.external and not item.guarded]
    return ImportCoverage(
        internal=sum(1 for edge in repo.edges if not edge.via),
        external=sum(1 for item in repo.outside if item.external),
        unresolved=len(unresolved),
        unresolved_examples=tuple(f"{item.source}:{item.line} {item.target}" for item in unresolved[:20]),
    )


def _line_coverage(context: Context) -> LineCoverage:
    try:
        coverage = context[COVERAGE]
    except Unavailable:
        return LineCoverage()
    unmatched = sorted({name for source in coverage.sources for name in source.unmatched})
    ambiguous = sorted({name for source in coverage.sources for name in source.ambiguous})
    return LineCoverage(
        sources=tuple(
            CoverageSource(
                file=source.name,
                format=source.format,
                files=source.files,
                matched=source.matched,
                unmatched=len(source.unmatched),
                ambiguous=len(source.ambiguous),
                ignored=source.ignored,
                stale=source.stale,
            )
            for source in coverage.sources
        ),
        files=tuple(
            CoveredFile(path, run.ran.covered, run.ran.total, run.stale)
            for path, run in coverage.files.items()
        ),
        unmatched_examples=tuple(unmatched[:20]),
        ambiguous_examples=tuple(ambiguous[:20]),
        notices=coverage.notices,
    )


def _history_coverage(context: Context) -> HistoryCoverage:
    try:
        history = context[HISTORY]
    except Unavailable as reason:
        return HistoryCoverage(True, str(reason), "", "", 0, "")
    first = history.first_commit
    return HistoryCoverage(
        limited=history.limited,
        reason=history.reason,
        head=history.head,
        reference_time=history.reference_time.isoformat(),
        commits=history.commits,
        first_commit=first.isoformat() if first else "",
    )

"""The report of a scan: findings in order, what was looked at, what was not, and how far to trust it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from crimes import __version__
from crimes.analyses.coverage.analysis import COVERAGE
from crimes.analyses.history.depth import depth_read
from crimes.analyses.history.history import HISTORY
from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.detection.detector import SECURITY
from crimes.detection.registry import catalogue
from crimes.discovery.discover import Tree
from crimes.engine.ranked_files import ranked_files
from crimes.engine.withholding import without_findings, without_withheld, without_withheld_ranks
from crimes.judging.confidence import Visibility, visibility
from crimes.judging.judge import Judged, analysis_or_none
from crimes.judging.merge_charges import merge_charges
from crimes.judging.trust.applicability import runs_at_all, skipped_while_running
from crimes.judging.trust.assess import no_trust, trust_in
from crimes.judging.trust.counts import ScanInputs
from crimes.model.edit_risk import RankedFiles
from crimes.model.errors import Unavailable
from crimes.model.report import (
    SCHEMA_VERSION,
    CoverageSource,
    CoveredFile,
    Crime,
    DetectorRun,
    Diagnostic,
    FileCoverage,
    HistoryCoverage,
    ImportCoverage,
    LineCoverage,
    Report,
    SkippedFile,
    Summary,
    Tool,
    code_only,
)
from crimes.model.repository import Skip
from crimes.model.scores import COMPONENTS, Weights, WeightsConfig
from crimes.model.severity import Severity
from crimes.model.trust import DetectorFit
from crimes.tracking.identity import with_code_marks
from crimes.tracking.ignores import load_ignore_list
from crimes.tracking.suppress import suppress
from crimes.tracking.triage import load_decisions


def build_report(
    tree: Tree,
    unread: list[Skip],
    context: Context,
    runs: list[DetectorRun],
    judged: list[Judged],
    fits: tuple[DetectorFit, ...],
    working_set: frozenset[str] = frozenset(),
    warnings: Sequence[str] = (),
) -> Report:
    """The report of a scan that was completed."""
    skipped = {run.id: run.reason for run in runs if run.status == "skipped"}
    settled = (
        skipped_while_running(fit, skipped[fit.id]) if runs_at_all(fit) and fit.id in skipped else fit
        for fit in fits
    )
    trust = trust_in(inputs_of(tree, unread, context, working_set), tuple(settled))
    files = without_withheld_ranks(ranked_files(context), trust)
    ranked = sorted(
        (without_withheld(judgement.crime, trust) for judgement in judged), key=report_order(files)
    )
    discarded = sum(_visibility_of(crime) is Visibility.DISCARDED for crime in ranked)
    visible = with_code_marks(
        (crime for crime in ranked if _visibility_of(crime) is not Visibility.DISCARDED),
        context.repo,
        context.memory,
    )
    suppressed = suppress(
        visible,
        context.repo,
        load_ignore_list(context.repo.read),
        load_decisions(context.repo.read),
        types=catalogue(),
        ran=[run.id for run in runs if run.status == "ran"],
        today=_today(context),
        memory=context.memory,
    )
    subsumed = {detector.id: detector.subsumed_by for detector in catalogue().values()}
    by_visibility = {
        kind: [crime for crime in suppressed.kept if _visibility_of(crime) is kind] for kind in Visibility
    }
    shown = tuple(merge_charges(by_visibility[Visibility.REPORTED], subsumed))
    hidden = tuple(merge_charges(by_visibility[Visibility.LOW_CONFIDENCE], subsumed))
    report = Report(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=tree.root.resolve().name,
        weights=_weights(context.config.weights),
        files=_file_coverage(tree, unread, context),
        imports=_import_coverage(context),
        history=_history_coverage(context),
        detectors=tuple(runs),
        summary=summary_of(shown, hidden, discarded),
        findings=shown,
        hidden=hidden,
        warnings=(*tree.warnings, *warnings, *suppressed.warnings),
        trust=trust,
        diagnostics=tuple(dict.fromkeys(fault for judgement in judged for fault in judgement.diagnostics)),
        coverage=_line_coverage(context),
        ignored=suppressed.ignored,
        ignores=suppressed.ignores,
        edit_risk=files,
    )
    return without_findings(report)


def narrowed_summary(report: Report, shown: Sequence[Crime], hidden: Sequence[Crime]) -> Summary:
    """The totals of these findings of a report; those of all of them where findings are withheld."""
    if report.trust.is_collapsed:
        return report.summary
    return summary_of(shown, hidden, report.summary.discarded)


def summary_of(shown: Sequence[Crime], hidden: Sequence[Crime], discarded: int) -> Summary:
    """The totals of a report, of findings about code unless said otherwise."""
    code = code_only(shown)
    levels = Counter(crime.severity for crime in code)
    return Summary(
        findings=len(code),
        high=levels[Severity.HIGH],
        medium=levels[Severity.MEDIUM],
        low=levels[Severity.LOW],
        files_with_findings=len({crime.file for crime in code}),
        hidden_low_confidence=len(code_only(hidden)),
        discarded=discarded,
        merged=sum(len(crime.also) for crime in code),
        by_type=dict(
            Counter(crime.type for crime in sorted(code, key=lambda crime: crime.type)).most_common()
        ),
        places=len(shown) - len(code),
    )


def stopped_report(root: Path, config: Config, diagnostic: Diagnostic) -> Report:
    """The report of a scan that was stopped: nothing was found, and nothing may be concluded from that."""
    unknown = f"unknown, because the scan was stopped: {diagnostic.kind}"
    return Report(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=root.resolve().name,
        weights=_weights(config.weights),
        files=FileCoverage(
            read=0, logic_lines=0, by_language={}, by_role={}, partial=(), skipped=(), not_supported={}
        ),
        imports=ImportCoverage(internal=0, external=0, unresolved=0, unresolved_examples=()),
        history=_no_history(unknown),
        detectors=tuple(DetectorRun(id_, "skipped", unknown, 0) for id_ in catalogue()),
        summary=summary_of((), (), 0),
        findings=(),
        hidden=(),
        warnings=(),
        trust=no_trust(diagnostic.kind),
        diagnostics=(diagnostic,),
    )


def _weights(weights: WeightsConfig) -> Weights:
    return Weights(**{component.name: getattr(weights, component.name) / 100 for component in COMPONENTS})


def inputs_of(
    tree: Tree, unread: list[Skip], context: Context, working_set: frozenset[str] = frozenset()
) -> ScanInputs:
    """What the scan has seen."""
    try:
        depth, reason = depth_read(context.repo.root, context[HISTORY]), ""
    except Unavailable as unavailable:
        depth, reason = None, str(unavailable)
    return ScanInputs(tree, unread, context.repo, depth, working_set, reason)


def _today(context: Context) -> date:
    """The day up to which history counts; without any, the calendar's."""
    history = analysis_or_none(context, HISTORY)
    return (history.reference_time if history else context.as_of or datetime.now(UTC)).date()


def _visibility_of(crime: Crime) -> Visibility:
    return visibility(round(crime.scores.confidence * 100))


def report_order(
    ranked: RankedFiles,
) -> Callable[[Crime], tuple[bool, float, float, float, float, str, int, str, str]]:
    """The order of a report: what endangers a reader (security above low), then agent_risk, edit risk of the file, severity, how far over its limits,
    then where it stands.

    That no test covers a document says nothing about hidden text in it, so agent_risk does not decide over that. Where agent_risk is withheld, edit risk decides nothing either.
    """
    risks = {file.file: file.edit_risk for file in ranked.files}

    def key(crime: Crime) -> tuple[bool, float, float, float, float, str, int, str, str]:
        scores = crime.scores
        return (
            crime.category != SECURITY or crime.severity == Severity.LOW,
            -(scores.agent_risk or 0),
            0.0 if scores.agent_risk is None else -risks.get(crime.file, 0.0),
            -scores.severity,
            -_excess(crime),
            crime.file,
            crime.lines.start,
            crime.type,
            crime.fingerprint,
        )

    return key


def _excess(crime: Crime) -> float:
    """How many times over its limit a finding is, in the measure that is most."""
    return max(
        (
            measure.value / measure.limit
            for measure in crime.evidence.values()
            if measure.limit and isinstance(measure.value, int | float)
        ),
        default=0,
    )


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
    unresolved = [item for item in repo.external if not item.external and not item.guarded]
    return ImportCoverage(
        internal=sum(1 for edge in repo.edges if not edge.via),
        external=sum(1 for item in repo.external if item.external),
        unresolved=len(unresolved),
        unresolved_examples=tuple(f"{item.source}:{item.line} {item.target}" for item in unresolved[:20]),
    )


def _line_coverage(context: Context) -> LineCoverage:
    coverage = analysis_or_none(context, COVERAGE)
    if coverage is None:
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
        return _no_history(str(reason))
    first = history.first_commit
    return HistoryCoverage(
        limited=history.limited,
        reason=history.reason,
        head=history.head,
        reference_time=history.reference_time.isoformat(),
        commits=history.commits,
        first_commit=first.isoformat() if first else "",
    )


def _no_history(reason: str) -> HistoryCoverage:
    return HistoryCoverage(
        limited=True, reason=reason, head="", reference_time="", commits=0, first_commit=""
    )

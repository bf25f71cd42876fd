"""One scan, from a folder to a report: the straight line."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from crimes.analyses.history.cached_history import load_history, save_history
from crimes.analyses.history.cached_log import CachedLog
from crimes.analyses.history.depth import depth_of
from crimes.config.schema import Config
from crimes.detection.context import Context, exceeded_reason
from crimes.detection.detector import Detector, detector_view
from crimes.detection.registry import catalogue, is_enabled
from crimes.discovery.discover import Tree, discover
from crimes.engine.read_files import read_all
from crimes.engine.report_builder import build_report, inputs_of
from crimes.engine.working_set import Choice, narrow_report
from crimes.incremental.file_list import load_tree
from crimes.incremental.scan_cache import ScanCache, no_cache
from crimes.judging.feedback_evidence import FeedbackEvidence, feedback_evidence
from crimes.judging.judge import judge
from crimes.judging.trust.applicability import is_weak, runs_at_all
from crimes.judging.trust.assess import fits_of, trust_in
from crimes.judging.trust.counts import ScanInputs
from crimes.languages import by_id
from crimes.languages.linking.link import link
from crimes.model.errors import CrimesError, EnvironmentFault, Unavailable
from crimes.model.facts import FileFacts
from crimes.model.finding import Excused, Finding, fingerprint
from crimes.model.line_coverage import CoverageFile
from crimes.model.report import DetectorRun, Report
from crimes.model.repository import Repo, Skip
from crimes.model.trust import DetectorFit, Trust
from crimes.system.allowance import Exceeded, allowance
from crimes.system.workers import Progress, no_progress
from crimes.tracking.feedback import feedback_from

_UNLINKED_REASON = "following its imports took too long"


class Scan(Struct, frozen=True):
    """The result of a scan: the report, and the context that briefings query.

    `part` is the report on the chosen files, if some were chosen.
    """

    report: Report
    context: Context
    tree: Tree
    part: Report | None = None
    excused: tuple[tuple[str, Excused], ...] = ()  # with the detector that stayed silent
    history_digest: bytes = b""  # of all that history was computed from; empty when that may be incomplete


class GivenFiles(Struct, frozen=True):
    """The files of a scan where somebody read them already."""

    tree: Tree
    facts: Mapping[str, FileFacts]
    unread: list[Skip]


def scan(
    root: Path,
    config: Config,
    *,
    as_of: datetime | None = None,
    coverage: tuple[CoverageFile, ...] = (),
    choose: Choice | None = None,
    cache: ScanCache | None = None,
    jobs: int = 1,
    isolated: bool = False,
    on_progress: Progress | None = None,
    given: GivenFiles | None = None,
) -> Scan:
    """Scan a folder, or the `given` files. `choose` selects the files it is about, if not all: they have to be readable.

    Results of earlier scans come from `cache`, and those of this one go there. With `isolated`, files are always read by
    other processes than this one: a file that crashes its grammar must not end it.
    """
    on_progress, cache = on_progress or no_progress, cache or no_cache()
    memory = cache if cache.enabled else None
    with gc_paused():
        on_progress("discovering", 0, 0)
        log = CachedLog(cache.cache, None if as_of is None else int(as_of.timestamp()))
        facts: Mapping[str, FileFacts]
        if given:
            tree, facts, unread = given.tree, given.facts, given.unread
        else:
            tree = load_tree(root, config, cache) or discover(root, config, by_id)
            facts, unread = read_all(tree, on_progress, cache, jobs, lambda: log.read_ahead(root), isolated)
        on_progress("linking", 0, 0)
        read = cache.recorder.recording_reader(tree.read)
        repo = link(root, tree.files, facts, tree.paths, config, read, memory=memory)
        unread = [*unread, *(Skip(path, _UNLINKED_REASON, claimed=True) for path in repo.unlinked)]
        context = Context(repo, config, as_of, coverage, log, memory)
        history_digest = load_history(cache.cache, context)
        fits = _fits_in(inputs_of(tree, unread, context), config)
        detected = detect(context, catalogue(), config, on_progress, {fit.id: fit for fit in fits})
        if context.exceeded or repo.unlinked:
            cache.recorder.invalidate()  # the next scan may have a faster machine
        on_progress("judging", 0, 0)
        weak = {fit.id: fit.reason for fit in fits if is_weak(fit)}
        feedback, faults = _feedback_in(repo)
        judged = [
            judge(context, detector, finding, config, weak.get(detector.id, ""), feedback)
            for detector, finding in detected.findings
        ]
        report = build_report(tree, unread, context, detected.runs, judged, fits, warnings=faults)
        part = None
        if choose:
            chosen = choose(repo)
            files = frozenset(chosen.files)
            part = narrow_report(
                build_report(tree, unread, context, detected.runs, judged, fits, files, faults), chosen
            )
        if cache.enabled and not history_digest:
            history_digest = save_history(cache.cache, context)
        tree.close()
        return Scan(report, context, tree, part, tuple(detected.excused), history_digest)


def assess_trust(
    root: Path,
    config: Config,
    *,
    cache: ScanCache | None = None,
    jobs: int = 1,
    on_progress: Progress | None = None,
) -> Trust:
    """How far a scan could be trusted: all that comes before the detectors, and not a commit of the past."""
    on_progress, cache = on_progress or no_progress, cache or no_cache()
    with gc_paused():
        tree = discover(root, config, by_id)
        facts, unread = read_all(tree, on_progress, cache, jobs, isolated=True)
        on_progress("linking", 0, 0)
        memory = cache if cache.enabled else None
        repo = link(root, tree.files, facts, tree.paths, config, tree.read, memory=memory)
        try:
            depth, reason = depth_of(root), ""
        except Unavailable as unavailable:
            depth, reason = None, str(unavailable)
        tree.close()
        inputs = ScanInputs(tree, unread, repo, depth, no_history=reason)
        return trust_in(inputs, _fits_in(inputs, config))


def _feedback_in(repo: Repo) -> tuple[FeedbackEvidence, list[str]]:
    """What people said of findings of this repository, and why that could not be read."""
    try:
        return feedback_evidence(feedback_from(repo.read)), []
    except CrimesError as error:
        first = str(error).partition("\n")[0]
        return FeedbackEvidence(), [f"feedback was not used: {first}"]


def _fits_in(inputs: ScanInputs, config: Config) -> tuple[DetectorFit, ...]:
    """What each detector can say about the repository of a scan."""
    detectors = catalogue()
    off = [detector.id for detector in detectors.values() if not is_enabled(detector, config)]
    return fits_of(inputs, detectors, off)


_has_frozen = False


@contextmanager
def gc_paused() -> Iterator[None]:
    """No cycle collection: a scan makes no cycles worth finding, and looking costs a fifth of the walk, a third of linking."""
    global _has_frozen
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not _has_frozen:
                # What the first scan made is still in use, and the first collection would look at all of it. Only once:
                # nobody collects what is frozen, and a server that froze every scan would grow.
                gc.freeze()
                _has_frozen = True
            gc.enable()


class Detected(NamedTuple):
    """What all detectors found."""

    runs: list[DetectorRun]
    findings: list[tuple[Detector, Finding]]
    excused: list[tuple[str, Excused]]


_NO_FITS: Mapping[str, DetectorFit] = {}


def detect(
    context: Context,
    detectors: Mapping[str, Detector],
    config: Config,
    on_progress: Progress,
    fits: Mapping[str, DetectorFit] = _NO_FITS,
) -> Detected:
    """Run every enabled detector; one that does not fit, or whose analyses are unavailable, is skipped with the reason."""
    detected = Detected([], [], [])
    for done, detector in enumerate(detectors.values()):
        on_progress("detecting", done, len(detectors))
        if not is_enabled(detector, config):
            detected.runs.append(DetectorRun(detector.id, "off", detector.off_reason, 0))
            continue
        fit = fits.get(detector.id)
        if fit is not None and not runs_at_all(fit):
            detected.runs.append(DetectorRun(detector.id, "skipped", fit.reason, 0))
            continue
        try:
            for need in detector.needs:
                context[need]
        except Unavailable as reason:
            detected.runs.append(DetectorRun(detector.id, "skipped", str(reason), 0))
            continue
        try:
            with allowance(context.max_seconds):
                results = _run(detector, context, config)
        except Exceeded:
            context.exceeded.append(detector.id)
            detected.runs.append(DetectorRun(detector.id, "skipped", exceeded_reason("it"), 0))
            continue
        findings = with_unique_fingerprints(
            detector, (result for result in results if isinstance(result, Finding))
        )
        detected.excused.extend((detector.id, result) for result in results if isinstance(result, Excused))
        detected.runs.append(DetectorRun(detector.id, "ran", "", len(findings)))
        detected.findings.extend((detector, finding) for finding in findings)
    return detected


def _run(detector: Detector, context: Context, config: Config) -> list[Finding | Excused]:
    settings = config.detectors.get(detector.id)
    options: Any = detector.options(**(settings.options if settings else {}))
    try:
        return list(detector.detect(detector_view(context, detector), options))
    except OSError as error:
        # Read a moment ago, and gone or changed since: half of a report would be no report.
        raise EnvironmentFault(
            f"{error.filename or 'a file'} changed during the scan ({error.strerror or error}); scan again"
        ) from error


def with_unique_fingerprints(detector: Detector, findings: Iterable[Finding]) -> list[Finding]:
    """Findings that all differ in identity: of several in symbols of one name, those after the first are numbered."""
    seen: Counter[str] = Counter()
    distinct = []
    for finding in findings:
        digest = fingerprint(detector.id, finding)
        seen[digest] += 1
        if seen[digest] > 1:
            finding = replace(finding, discriminator=f"{finding.discriminator}#{seen[digest]}")
        distinct.append(finding)
    return distinct

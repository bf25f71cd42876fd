"""One scan, from a folder to a report: the straight line."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from crimes.analyses.history.cached_history import load_history, save_history
from crimes.analyses.history.cached_log import CachedLog
from crimes.analyses.history.depth import depth_of
from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.detection.detector import Detector, detector_view
from crimes.detection.registry import catalogue
from crimes.discovery.discover import Tree, discover
from crimes.engine.read_files import read_all
from crimes.engine.report_builder import report_on
from crimes.engine.working_set import Choice, narrowed
from crimes.incremental.file_list import load_tree
from crimes.incremental.scan_cache import ScanCache
from crimes.judging.judge import judge
from crimes.judging.trust.assess import trust_in
from crimes.judging.trust.counts import ScanInputs
from crimes.languages import by_id
from crimes.languages.linking.link import link
from crimes.model.errors import EnvironmentFault, Unavailable
from crimes.model.finding import Excused, Finding, fingerprint
from crimes.model.line_coverage import CoverageFile
from crimes.model.report import DetectorRun, Report
from crimes.model.trust import Trust
from crimes.system.workers import Progress


class Scan(Struct, frozen=True):
    """What one scan leaves behind: the report, and the context a briefing asks further.

    `part` is the report on the files that were asked about, if only some were.
    """

    report: Report
    context: Context
    tree: Tree
    part: Report | None = None
    excused: tuple[tuple[str, Excused], ...] = ()  # with the detector that stayed silent
    past: bytes = b""  # a digest of all the history was made of; empty when it is not known to be whole


def scan(
    root: Path,
    config: Config,
    *,
    as_of: datetime | None = None,
    progress: Progress | None = None,
    coverage: tuple[CoverageFile, ...] = (),
    choose: Choice | None = None,
    kept: ScanCache | None = None,
    jobs: int = 1,
    isolated: bool = False,
) -> Scan:
    """Scan a folder. `choose` tells which files it is about, when it is about a few: they have to be readable.

    With `kept`, what earlier scans found out is used, and what this one does is noted there. With `apart`, files are
    always read by other processes than this one: one that a grammar cannot take must not end it.
    """
    tell = progress or (lambda stage, done, total: None)
    with gc_paused():
        tell("discovering", 0, 0)
        tree = (load_tree(root, config, kept) if kept else None) or discover(root, config, by_id)
        log = CachedLog(kept.cache if kept else None, None if as_of is None else int(as_of.timestamp()))
        facts, unread = read_all(tree, tell, kept, jobs, lambda: log.read_ahead(root), isolated)
        tell("linking", 0, 0)
        read = kept.recorder.recording_reader(tree.read) if kept else tree.read
        repo = link(root, tree.files, facts, tree.paths, config, read, memory=kept)
        context = Context(repo, config, as_of, coverage, log, kept)
        past = load_history(kept.cache, context) if kept else b""
        excused: list[tuple[str, Excused]] = []
        runs, found = detect(context, catalogue(), config, tell, excused)
        tell("judging", 0, 0)
        judged = [judge(context, detector, finding, config) for detector, finding in found]
        report = report_on(tree, unread, context, runs, judged)
        part = None
        if choose:
            about = choose(repo)
            part = narrowed(report_on(tree, unread, context, runs, judged, frozenset(about.files)), about)
        if kept and not past:
            past = save_history(kept.cache, context)
        tree.close()
        return Scan(report, context, tree, part, tuple(excused), past)


def trust_of(
    root: Path,
    config: Config,
    *,
    progress: Progress | None = None,
    kept: ScanCache | None = None,
    jobs: int = 1,
) -> Trust:
    """How far a scan could be trusted: all that comes before the detectors, and not a commit of the past."""
    tell = progress or (lambda stage, done, total: None)
    with gc_paused():
        tree = discover(root, config, by_id)
        facts, unread = read_all(tree, tell, kept, jobs, isolated=True)
        tell("linking", 0, 0)
        repo = link(root, tree.files, facts, tree.paths, config, tree.read, memory=kept)
        try:
            depth = depth_of(root)
        except Unavailable:
            depth = None
        tree.close()
        detectors = catalogue()
        off = [detector.id for detector in detectors.values() if not _enabled(detector, config)]
        return trust_in(ScanInputs(tree, unread, repo, depth), detectors, turned_off=off)


@contextmanager
def gc_paused() -> Iterator[None]:
    """A scan makes no reference cycles worth finding; looking for them costs a fifth of the walk, a third of linking."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()  # what a scan made is still in use: the first collection would look at all of it
            gc.enable()


def detect(
    context: Context,
    detectors: Mapping[str, Detector],
    config: Config,
    tell: Progress,
    excused: list[tuple[str, Excused]] | None = None,
) -> tuple[list[DetectorRun], list[tuple[Detector, Finding]]]:
    """Run every enabled detector; one whose analyses are unavailable is skipped with the reason.

    Places that a detector excuses are added to `excused`.
    """
    runs: list[DetectorRun] = []
    found: list[tuple[Detector, Finding]] = []
    for done, detector in enumerate(detectors.values()):
        tell("detecting", done, len(detectors))
        chosen = config.detectors.get(detector.id)
        if not _enabled(detector, config):
            runs.append(DetectorRun(detector.id, "off", "turned off", 0))
            continue
        options: Any = detector.options(**(chosen.options if chosen else {}))
        try:
            for need in detector.needs:
                context[need]
        except Unavailable as reason:
            runs.append(DetectorRun(detector.id, "skipped", str(reason), 0))
            continue
        try:
            seen = list(detector.detect(detector_view(context, detector), options))
        except OSError as error:
            # Read a moment ago, and gone or changed since: half of a report would be no report.
            raise EnvironmentFault(
                f"{error.filename or 'a file'} changed while the repository was scanned ({error.strerror or error}); scan again"
            ) from error
        findings = with_unique_fingerprints(detector, (one for one in seen if isinstance(one, Finding)))
        if excused is not None:
            excused.extend((detector.id, one) for one in seen if isinstance(one, Excused))
        runs.append(DetectorRun(detector.id, "ran", "", len(findings)))
        found.extend((detector, finding) for finding in findings)
    return runs, found


def _enabled(detector: Detector, config: Config) -> bool:
    chosen = config.detectors.get(detector.id)
    return detector.default if chosen is None or chosen.enabled is None else chosen.enabled


def with_unique_fingerprints(detector: Detector, findings: Iterable[Finding]) -> list[Finding]:
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

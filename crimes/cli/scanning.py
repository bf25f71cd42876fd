"""Scanning as the commands do it: configuration, catalogue, cache, progress, and the result kept for later."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.output import notice
from crimes.cli.progress import progress
from crimes.cli.stages import Stages

if TYPE_CHECKING:
    from crimes.config.loader import Config
    from crimes.engine.scan import Scan
    from crimes.engine.working_set import Choice
    from crimes.incremental.answers import CachedAnswers
    from crimes.incremental.scan_cache import ScanCache
    from crimes.model.line_coverage import CoverageFile
    from crimes.model.report import Report
    from crimes.model.trust import Trust
    from crimes.system.worker import Progress
    from crimes.workflows.briefing.record import Briefing
    from crimes.workflows.last_scan import Stored


@dataclass(frozen=True)
class ScanOptions:
    """How a scan is made. `jobs` None: as many processes as there are cores."""

    cache: bool = True
    jobs: int | None = None
    seconds: float | None = None
    profile: bool = False  # whether the report says where the time went
    quiet: bool = False

    def processes(self) -> int:
        if self.jobs is not None:
            return self.jobs
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


DEFAULT = ScanOptions()
_BETWEEN = b"\0"  # never within JSON


def run(
    root: Path,
    as_of: datetime | None = None,
    coverage: Iterable[Path] | None = None,
    means: ScanOptions = DEFAULT,
) -> Scan:
    """Scan the repository and keep the report as its last one. Wrong coverage files are told before the work begins."""
    from crimes.engine.scan import scan
    from crimes.model.codec import encode

    given = tuple(coverage or ())
    answers, kept = _begun(root, as_of, given, means)
    config, data = _prepared(root, given)
    with progress(means.quiet) as tick:
        result = scan(
            root,
            config,
            as_of=as_of,
            progress=tick,
            coverage=data,
            kept=kept,
            jobs=means.processes(),
            isolated=True,
        )
    encoded = encode(result.report)
    _keep(root, result, encoded)
    if answers and kept:
        _remember(answers, kept, result, encoded)
    return result


def report(
    root: Path,
    as_of: datetime | None = None,
    coverage: Iterable[Path] | None = None,
    means: ScanOptions = DEFAULT,
    while_waiting: Callable[[], object] | None = None,
) -> Report:
    """The report on a whole repository. `meanwhile` is called while another process scans, if one does."""
    return reports(root, as_of, coverage, means, while_waiting=while_waiting)[1]


def reports(
    root: Path,
    as_of: datetime | None = None,
    coverage: Iterable[Path] | None = None,
    means: ScanOptions = DEFAULT,
    choose: Choice | None = None,
    while_waiting: Callable[[], object] | None = None,
) -> tuple[Report, Report]:
    """The report on the whole repository and that on the chosen part of it; the same where nothing is chosen.

    Out of the cache when nothing changed; else made in a process of its own: one that runs out of time or memory
    leaves a report that says so.
    """
    from crimes.model.codec import decode

    stages = Stages()
    given = tuple(coverage or ())
    encoded = _answered(root, as_of, given) if means.cache and choose is None else None
    if encoded is not None:
        known = _timed(decode(encoded), stages) if means.profile else decode(encoded)
        return known, known

    from crimes.engine.report_builder import abstained
    from crimes.engine.scan import scan
    from crimes.model.codec import encode
    from crimes.model.report import Diagnostic
    from crimes.system.worker import Stopped

    answers, kept = _begun(root, as_of, given, means)
    config, data = _prepared(root, given)

    def work(tell: Progress, isolated: bool) -> bytes:
        result = scan(
            root,
            config,
            as_of=as_of,
            progress=stages.passing(tell),
            coverage=data,
            kept=kept,
            jobs=means.processes(),
            isolated=isolated,
            choose=choose,
        )
        stages.tell("keeping")
        encoded = encode(result.report)
        _keep(root, result, encoded)
        if answers and kept:
            _remember(answers, kept, result, encoded)
        if result.part is None and not means.profile:
            return encoded
        asked = result.part or result.report
        told = encode(_timed(asked, stages) if means.profile else asked)
        return told if result.part is None else encoded + _BETWEEN + told

    stages.hand_over()
    with progress(means.quiet) as tick:
        try:
            told = _worked(work, means.seconds, tick or _nobody, while_waiting)
            made = [decode(data) for data in told.split(_BETWEEN)]
        except Stopped as stop:
            made = [abstained(root, config, Diagnostic(stop.kind, stop.stage, str(stop)))]
    return made[0], made[-1]


def _worked(
    work: Callable[[Progress, bool], bytes],
    seconds: float | None,
    tell: Progress,
    while_waiting: Callable[[], object] | None,
) -> bytes:
    """The work's result. When reading a file ended its process, it is done again with the files read apart from it:
    that costs more, and only the file. Raises Stopped."""
    from crimes.system.worker import Stopped, in_worker

    began = time.monotonic()
    try:
        return in_worker(lambda tell: work(tell, False), seconds, tell, while_waiting)
    except Stopped as stop:
        if stop.kind == "timeout" or stop.stage != "reading":
            raise
    left = None if seconds is None else max(0.0, seconds - (time.monotonic() - began))
    return in_worker(lambda tell: work(tell, True), left, tell)


def _nobody(stage: str, done: int, total: int) -> None:
    """Nobody watches."""


def _timed(made: Report, stages: Stages) -> Report:
    import msgspec

    return msgspec.structs.replace(made, timings=stages.timings())


def briefings(
    root: Path, paths: Sequence[str], coverage: Iterable[Path] | None, means: ScanOptions = DEFAULT
) -> list[Briefing]:
    """The briefings of some files, out of the cache when nothing changed."""
    from crimes.workflows.briefing.build import Gatherer

    given = tuple(coverage or ())
    known = _known_briefings(root, paths, given) if means.cache else None
    if known is not None:
        return known
    gatherer = Gatherer(run(root, coverage=given, means=means))
    return [gatherer.brief(path) for path in paths]


def _known_briefings(root: Path, paths: Sequence[str], coverage: tuple[Path, ...]) -> list[Briefing] | None:
    known = kept_briefings(root, paths, coverage)
    return [known[path] for path in paths] if all(path in known for path in paths) else None


def kept_briefings(
    root: Path, paths: Sequence[str], coverage: tuple[Path, ...] = (), begun: int | None = None
) -> dict[str, Briefing]:
    """Those of the briefings that are kept, when the tree is what they were made of: a scan since `begun` made them, or a look tells."""
    from crimes.workflows.briefing.every import decode

    answers = answers_of(root, None, coverage)
    try:
        hold = (begun is not None and answers.made_since(begun)) or answers.still_hold()
        found = {path: answers.briefing(path) for path in paths} if hold else {}
    finally:
        answers.cache.close()
    return {path: decode(data) for path, data in found.items() if data is not None}


def trust(root: Path, means: ScanOptions = DEFAULT) -> Trust:
    """How far a scan of the repository could be trusted; no detector runs, and of what is read only facts are kept."""
    from crimes.engine.scan import trust_of

    _, kept = _begun(root, None, (), means)
    config, _ = _prepared(root, ())
    with progress() as tick:
        found = trust_of(root, config, progress=tick, kept=kept, jobs=means.processes())
    if kept:
        kept.cache.write()
        kept.cache.close()
    return found


def _prepared(root: Path, coverage: tuple[Path, ...]) -> tuple[Config, tuple[CoverageFile, ...]]:
    from crimes.analyses.coverage.given import read_given
    from crimes.config.loader import load_config
    from crimes.detection.registry import catalogue

    config = load_config(root, {id_: detector.options for id_, detector in catalogue().items()})
    return config, read_given(coverage, root)


def answers_of(root: Path, as_of: datetime | None, coverage: tuple[Path, ...]) -> CachedAnswers:
    """Where the answers to these options are kept."""
    from crimes.incremental.answers import CachedAnswers, answers_key

    moment = None if as_of is None else int(as_of.timestamp())
    return CachedAnswers(root.resolve(), answers_key(moment, coverage), notice)


def _answered(root: Path, as_of: datetime | None, coverage: tuple[Path, ...]) -> bytes | None:
    """The report that is kept of the tree as it is, as JSON. It becomes the last scan of the repository again."""
    from crimes.model.errors import EnvironmentFault
    from crimes.workflows.last_scan import save_encoded

    answers = answers_of(root, as_of, coverage)
    try:
        encoded = answers.report() if answers.still_hold() else None
    finally:
        answers.cache.close()
    if encoded is not None:
        try:
            save_encoded(root, encoded)
        except EnvironmentFault as fault:
            notice(str(fault))
    return encoded


def _begun(
    root: Path, as_of: datetime | None, coverage: tuple[Path, ...], means: ScanOptions
) -> tuple[CachedAnswers | None, ScanCache | None]:
    """The cache of the repository, opened before anything of it is read: what changes meanwhile must not be missed."""
    if not means.cache:
        return None, None
    from crimes.analyses.coverage.matched import PLACES
    from crimes.incremental.recorder import Recorder
    from crimes.incremental.scan_cache import ScanCache

    root = root.resolve()
    answers = answers_of(root, as_of, coverage)
    timed = [os.path.join(root, place) for place in PLACES]
    recorder = Recorder(root, [*timed, *map(os.path.realpath, coverage)])
    last = answers.last_snapshot()
    answers.cache.pause()
    return answers, ScanCache(answers.cache, recorder, last)


def _keep(root: Path, result: Scan, report: bytes) -> None:
    """Keep what later commands ask for; a cache that cannot be written fails no command."""
    from crimes.analyses.claims.analysis import CLAIMS, NAMED
    from crimes.model.errors import EnvironmentFault
    from crimes.workflows.last_scan import save_encoded, save_names

    try:
        save_encoded(root, report)
        claims = result.context[CLAIMS]
        save_names(root, lambda: claims.names, result.context[NAMED])
    except EnvironmentFault as fault:
        notice(str(fault))


def _remember(answers: CachedAnswers, kept: ScanCache, result: Scan, report: bytes) -> None:
    """Keep the answers of this scan, when it is sure that the next one would give the same."""
    from crimes.engine.scan import gc_paused
    from crimes.incremental.file_list import keep_tree
    from crimes.workflows.briefing.refresh import remade
    from crimes.workflows.remembering import dependencies

    with gc_paused():
        # Before the snapshot: what briefings read counts too.
        briefings = remade(result, answers.briefed_of(), kept.recorder.files)
        snapshot = dependencies(kept.recorder, result)
        if snapshot is not None:
            answers.remember(snapshot, report, briefings)
            keep_tree(kept, result.tree, result.context.config, snapshot)
    kept.cache.write(kept.in_use())
    kept.cache.close()


def last(root: Path) -> Stored | None:
    """The last scan of the repository, if one was kept and can be read."""
    from crimes.model.errors import EnvironmentFault
    from crimes.workflows.last_scan import load

    try:
        return load(root)
    except EnvironmentFault as fault:
        notice(str(fault))
        return None

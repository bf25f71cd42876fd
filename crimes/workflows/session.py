"""Scans of a repository, as commands, hook and server need them: with its configuration and cache, and the result kept."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.incremental.answers import CachedAnswers, answers_key
from crimes.model.errors import EnvironmentFault
from crimes.model.scan_request import ScanRequest
from crimes.workflows.scan_options import DEFAULT, SILENT, Listener, ScanOptions

if TYPE_CHECKING:
    from crimes.config.schema import Config
    from crimes.engine.change_states import ChangeStates
    from crimes.engine.scan import Scan
    from crimes.engine.working_set import Choice
    from crimes.incremental.scan_cache import ScanCache
    from crimes.model.line_coverage import CoverageFile
    from crimes.model.report import Report
    from crimes.model.trust import Trust
    from crimes.system.git_diff import Change
    from crimes.system.workers import Progress, Unfinished
    from crimes.workflows.briefing.record import Briefing
    from crimes.workflows.comparison import Comparison
    from crimes.workflows.last_scan import StoredScan
    from crimes.workflows.stages import Stages

EVERYTHING = ScanRequest()
_SEPARATOR = b"\0"  # between two reports: never within JSON


class Session:
    """One repository, how to scan it, and who listens."""

    def __init__(
        self,
        root: Path,
        options: ScanOptions = DEFAULT,
        listener: Listener = SILENT,
        request: ScanRequest = EVERYTHING,
    ) -> None:
        self.root, self.options, self.listener, self.request = root, options, listener, request

    def with_moment(self, as_of: datetime) -> Session:
        """The same session with history counted up to a moment."""
        import msgspec

        request = msgspec.structs.replace(self.request, as_of=as_of)
        return Session(self.root, self.options, self.listener, request)

    def scan(self) -> Scan:
        """Scan in this process and keep the report as the last one. Wrong coverage files are refused before the work begins."""
        from crimes.model.codec import encode

        answers, cache = self._open_cache()
        config, coverage = self._inputs()
        with self.listener.progress() as on_progress:
            result = self._scan(config, coverage, cache, on_progress)
        build_briefings = self._save(result, encode(result.report), answers, cache)
        if build_briefings:
            build_briefings()
        return result

    def report(self, while_waiting: Callable[[], object] | None = None) -> Report:
        """The report on the whole repository. `while_waiting` is called while another process scans, if one does."""
        return self.reports(while_waiting=while_waiting)[0]

    def reports(
        self, choose: Choice | None = None, while_waiting: Callable[[], object] | None = None
    ) -> tuple[Report, Report]:
        """The report on the whole repository and that on the chosen part of it; the same where nothing is chosen.

        From the cache when nothing changed, else from a process of its own: when that runs out of time or memory, the
        report says so. That process goes on to build briefings when the reports are here.
        """
        from crimes.model.codec import decode
        from crimes.workflows.stages import Stages, with_timings

        stages = Stages()
        encoded = self._cached_report() if self.options.cache and choose is None else None
        if encoded is not None:
            report = decode(encoded)
            report = with_timings(report, stages) if self.options.profile else report
            return report, report

        import crimes.engine.scan  # noqa: F401 - here, and not in the worker: both processes need it
        from crimes.engine.report_builder import stopped_report
        from crimes.model.report import Diagnostic
        from crimes.system.workers import Stopped, no_progress

        answers, cache = self._open_cache()
        config, coverage = self._inputs()

        def work(on_progress: Progress, isolated: bool) -> bytes | Unfinished:
            track = stages.tracking(on_progress)
            result = self._scan(config, coverage, cache, track, choose=choose, isolated=isolated)
            return self._finish(result, answers, cache, stages)

        stages.hand_over()
        with self.listener.progress() as on_progress:
            try:
                encoded = _work_in_worker(
                    work, self.options.seconds, on_progress or no_progress, while_waiting
                )
                reports = [decode(data) for data in encoded.split(_SEPARATOR)]
            except Stopped as stop:
                reports = [stopped_report(self.root, config, Diagnostic(stop.kind, stop.stage, str(stop)))]
        return reports[0], reports[-1]

    def config(self) -> Config:
        """The configuration of the work tree, or the one that was asked for."""
        from crimes.detection.registry import load_checked_config, with_enabled

        return with_enabled(load_checked_config(self.root, self.request.config), self.request.enable)

    def config_at(self, commit: str) -> Config:
        """The configuration of a commit, or the one that was asked for. EnvironmentFault when git cannot give it."""
        from crimes.detection.registry import with_enabled
        from crimes.engine.scan_commit import config_at

        if self.request.config is not None:
            return self.config()
        return with_enabled(config_at(self.root, commit), self.request.enable)

    def report_on_commit(
        self, commit: str, config: Config | None = None, differing: frozenset[str] | None = None
    ) -> Report:
        """The report on a commit, with this configuration or with its own; `differing` names what is not so in the work tree."""
        from crimes.engine.scan_commit import commit_cache, scan_commit

        if config is None:
            config = self.config_at(commit)
        cache = commit_cache(self.root, self.listener.notice) if self.options.cache else None
        with ExitStack() as stack:
            if cache:
                stack.callback(cache.close)

            def open_work() -> ScanCache | None:
                _, work = self._open_cache(for_snapshot=False)
                if work:
                    stack.callback(work.cache.close)
                return work

            with self.listener.progress() as on_progress:
                return scan_commit(
                    self.root,
                    commit,
                    config,
                    cache=cache,
                    open_work=open_work,
                    differing=differing,
                    on_progress=on_progress,
                    jobs=self.options.processes(),
                )

    def change_states(
        self,
        config: Config,
        base: str,
        head: str,
        changes: Iterable[Change],
        untracked: frozenset[str] | None = None,
        begun: int = 0,
    ) -> ChangeStates:
        """Both states of a change, as a context; `head` is empty for the work tree.

        Its `untracked` files may be known, and so may be that a scan since `begun`, in nanoseconds, saw it.
        """
        from crimes.engine.change_states import ChangeStates
        from crimes.incremental.scan_cache import no_cache

        _, cache = self._open_cache(for_snapshot=False)
        return ChangeStates(self.root, config, cache or no_cache(), base, head, changes, untracked, begun)

    def work_tree_state(self) -> ChangeStates:
        """The work tree alone, as a context: its `after` is linked on demand, out of the cache as far as that is known."""
        return self.change_states(self.config(), "", "", ())

    def briefings(self, paths: Sequence[str]) -> list[Briefing]:
        """The briefings of some files, out of the cache when nothing changed."""
        cached = self._cached_briefings(paths)
        if cached is not None and all(path in cached for path in paths):
            return [cached[path] for path in paths]
        from crimes.workflows.briefing.build import BriefingBuilder  # imports every language

        builder = BriefingBuilder(self.scan())
        return [builder.brief(path) for path in paths]

    def briefings_of(self, paths: Sequence[str], begun: int | None = None) -> dict[str, Briefing]:
        """Briefings of those of `paths` that were read: out of the cache where it describes the tree as it is, else from a scan.

        Nothing is compared when a scan that began after `begun`, in nanoseconds, built them.
        """
        cached = self._cached_briefings(paths, begun)
        if cached is not None:
            return cached
        from crimes.workflows.briefing.build import BriefingBuilder

        scan = self.scan()
        builder, files = BriefingBuilder(scan), scan.context.repo.files
        return {path: builder.brief(path) for path in paths if path in files}

    def test_commands(self, tests: Sequence[str], begun: int | None = None) -> dict[str, str]:
        """The command that runs each test file alone, of those that were read; `begun` as in `briefings_of`."""
        from crimes.workflows.briefing.encoding import decode_test_command

        encoded = self._encoded_briefings(tests, begun)
        if encoded is not None:
            return {path: decode_test_command(data) for path, data in encoded.items()}
        return {path: briefing.tests.command for path, briefing in self.briefings_of(tests, begun).items()}

    def _cached_briefings(self, paths: Sequence[str], begun: int | None = None) -> dict[str, Briefing] | None:
        """Cached briefings of `paths`; None without a cache, or if the tree changed since they were built."""
        from crimes.workflows.briefing.encoding import decode

        encoded = self._encoded_briefings(paths, begun)
        return None if encoded is None else {path: decode(data) for path, data in encoded.items()}

    def _encoded_briefings(self, paths: Sequence[str], begun: int | None) -> dict[str, bytes] | None:
        if not self.options.cache:
            return None
        with self._answers() as answers:
            if begun is not None:
                answers.wait_until_briefed()
            if not ((begun is not None and answers.made_since(begun)) or answers.briefings_hold()):
                return None
            return answers.some_briefings(paths)

    def all_briefings(self) -> list[Briefing]:
        """The briefings of all files that were read, by path; out of the cache when nothing changed.

        Files whose names are not UTF-8 have none.
        """
        from crimes.workflows.briefing.encoding import decode

        encoded = self._all_cached_briefings()
        if not encoded:
            scan = self.scan()
            encoded = self._all_cached_briefings()  # which the scan has just built, as a rule
            if not encoded:
                from crimes.workflows.briefing.build import BriefingBuilder
                from crimes.workflows.briefing.encoding import encode_briefings

                encoded = encode_briefings(BriefingBuilder(scan), sorted(scan.context.repo.files))
        return [decode(data) for data in encoded.values()]

    def _all_cached_briefings(self) -> dict[str, bytes]:
        if not self.options.cache:
            return {}
        with self._answers() as answers:
            return answers.briefings() if answers.briefings_hold() else {}

    def is_current(self) -> bool:
        """Whether nothing changed since the last scan, and its briefings are there."""
        with self._answers() as answers:
            return answers.briefings_hold()

    def wait_until_briefed(self) -> None:
        """Wait for a process that is building briefings, if there is one."""
        with self._answers() as answers:
            answers.wait_until_briefed()

    def lacks_briefings(self) -> bool:
        """Whether nothing changed since the last scan, but its briefings were never finished."""
        with self._answers() as answers:
            return answers.still_hold() and not answers.briefings_hold()

    def trust(self) -> Trust:
        """How far a scan of the repository could be trusted; no detector runs, and only facts are cached."""
        from crimes.engine.scan import assess_trust

        _, cache = self._open_cache()
        config, _ = self._inputs()
        with self.listener.progress() as on_progress:
            trust = assess_trust(
                self.root, config, cache=cache, jobs=self.options.processes(), on_progress=on_progress
            )
        if cache:
            cache.cache.write()
            cache.cache.close()
        return trust

    def last(self) -> StoredScan | None:
        """The last scan of the repository, if one is kept and can be read."""
        from crimes.workflows.last_scan import load

        try:
            return load(self.root)
        except EnvironmentFault as fault:
            self.listener.notice(str(fault))
            return None

    def remember_change(self, comparison: Comparison) -> None:
        """Keep what is broken or worth a look in a comparison, for `explain` and `ignore`."""
        from crimes.workflows.comparison import states_text
        from crimes.workflows.last_scan import save_change

        try:
            save_change(self.root, states_text(comparison), (*comparison.broken, *comparison.look))
        except EnvironmentFault as fault:
            self.listener.notice(str(fault))

    def _scan(
        self,
        config: Config,
        coverage: tuple[CoverageFile, ...],
        cache: ScanCache | None,
        on_progress: Progress | None,
        *,
        choose: Choice | None = None,
        isolated: bool = True,
    ) -> Scan:
        from crimes.engine.scan import scan

        return scan(
            self.root,
            config,
            as_of=self.request.as_of,
            coverage=coverage,
            choose=choose,
            cache=cache,
            jobs=self.options.processes(),
            isolated=isolated,
            on_progress=on_progress,
        )

    def _answers(self) -> CachedAnswers:
        return CachedAnswers(self.root, answers_key(self.request), self.listener.notice)

    def _cached_report(self) -> bytes | None:
        """The cached report on the tree as it is, as JSON. It becomes the last scan of the repository again."""
        from crimes.workflows.last_scan import cached_report, save_encoded

        with self._answers() as answers:
            encoded = cached_report(self.root, answers)
        if encoded is not None:
            try:
                save_encoded(self.root, encoded)
            except EnvironmentFault as fault:
                self.listener.notice(str(fault))
        return encoded

    def _inputs(self) -> tuple[Config, tuple[CoverageFile, ...]]:
        from crimes.analyses.coverage.load import load_coverage_files

        return self.config(), load_coverage_files(self.request.coverage, self.root)

    def _open_cache(self, *, for_snapshot: bool = True) -> tuple[CachedAnswers | None, ScanCache | None]:
        """The cache, opened before anything of the repository is read: what changes meanwhile must not be missed."""
        if not self.options.cache:
            return None, None
        from crimes.analyses.coverage.analysis import USUAL_PATHS
        from crimes.incremental.recorder import Recorder
        from crimes.incremental.scan_cache import ScanCache

        root = self.root.resolve()
        answers = self._answers()
        timed = [os.path.join(root, place) for place in USUAL_PATHS]
        named = (*self.request.coverage, *((self.request.config,) if self.request.config else ()))
        recorder = Recorder(root, [*timed, *map(os.path.realpath, named)], for_snapshot=for_snapshot)
        last = answers.last_snapshot()
        answers.cache.pause()
        return answers, ScanCache(answers.cache, recorder, last)

    def _finish(
        self, result: Scan, answers: CachedAnswers | None, cache: ScanCache | None, stages: Stages
    ) -> bytes | Unfinished:
        """Keep the results of a scan. Returns the requested reports, encoded, and what builds its briefings."""
        from crimes.model.codec import encode
        from crimes.system.workers import Unfinished
        from crimes.workflows.stages import with_timings

        stages.enter("keeping")
        reports = encoded = encode(result.report)
        build_briefings = self._save(result, encoded, answers, cache)
        if result.part is not None or self.options.profile:
            report = result.part or result.report
            part = encode(with_timings(report, stages) if self.options.profile else report)
            reports = part if result.part is None else encoded + _SEPARATOR + part
        return Unfinished(reports, build_briefings) if build_briefings else reports

    def _save(
        self, result: Scan, report: bytes, answers: CachedAnswers | None, cache: ScanCache | None
    ) -> Callable[[], None] | None:
        """Keep what later commands need; a cache that cannot be written fails no command. Returns what builds briefings."""
        from crimes.analyses.claims.analysis import ALL_NAMES, NAMES_DIGEST
        from crimes.workflows.last_scan import save_encoded, save_names

        try:
            save_encoded(self.root, report)
            save_names(self.root, lambda: result.context[ALL_NAMES], result.context[NAMES_DIGEST])
        except EnvironmentFault as fault:
            self.listener.notice(str(fault))
        if answers and cache:
            from crimes.workflows.remembering import remember

            return remember(result, report, answers, cache)
        return None


def _work_in_worker(
    work: Callable[[Progress, bool], bytes | Unfinished],
    seconds: float | None,
    on_progress: Progress,
    while_waiting: Callable[[], object] | None,
) -> bytes:
    """The work's result. When reading a file ended the process, the work is repeated with files read in isolation: that is
    slower, and loses only the file. Raises Stopped."""
    from crimes.system.workers import Stopped, run_in_worker

    began = time.monotonic()
    try:
        return run_in_worker(lambda progress: work(progress, False), seconds, on_progress, while_waiting)
    except Stopped as stop:
        if stop.kind == "timeout" or stop.stage != "reading":
            raise
    left = None if seconds is None else max(0.0, seconds - (time.monotonic() - began))
    return run_in_worker(lambda progress: work(progress, True), left, on_progress)

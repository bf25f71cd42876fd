"""Keeping the outcome of a scan as the answer for a tree that stays as it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from crimes.analyses.claims.analysis import NAMES_DIGEST
from crimes.analyses.coverage.analysis import COVERAGE
from crimes.analyses.history.history import SHALLOW
from crimes.detection.registry import builtin, catalogue
from crimes.engine.scan import Scan, gc_paused
from crimes.incremental.answers import CachedAnswers
from crimes.incremental.building import Building
from crimes.incremental.file_list import save_tree
from crimes.incremental.recorder import Recorder
from crimes.incremental.scan_cache import ScanCache
from crimes.incremental.snapshot import Snapshot


def remember(
    scan: Scan, report: bytes, answers: CachedAnswers, cache: ScanCache
) -> Callable[[], None] | None:
    """Keep the report of this scan, if the next one is sure to give the same. Returns what builds the briefings.

    Nobody else builds briefings of the repository until that was called.
    """
    building = answers.building()
    may_build = building.begin()
    try:
        with gc_paused():
            snapshot = _snapshot_of(cache.recorder, scan)
            if snapshot is not None:
                answers.remember(snapshot, report, scan.context[NAMES_DIGEST])
                save_tree(cache, scan.tree, scan.context.config, snapshot)
        cache.cache.write(cache.in_use())
    except BaseException:
        building.end()
        raise
    if snapshot is None or not may_build:
        building.end()
        cache.cache.close()
        return None
    cache.cache.pause()  # another process may go on from here
    return partial(_build_briefings, scan, snapshot, answers, cache, building)


def _build_briefings(
    scan: Scan, snapshot: Snapshot, answers: CachedAnswers, cache: ScanCache, building: Building
) -> None:
    """Build the briefings that a scan may have changed, and keep them."""
    try:
        from crimes.workflows.briefing.refresh import refresh_briefings  # when nobody waits any more

        with gc_paused():
            remade = refresh_briefings(scan, answers.briefed_of(), cache.recorder.files)
            answers.remember_briefings(snapshot, remade, cache.recorder.files)
        cache.cache.write()
        cache.cache.close()
    finally:
        building.end()


def _snapshot_of(recorder: Recorder, scan: Scan) -> Snapshot | None:
    """The tree as the scan saw it. None when something failed that may not fail the next time."""
    if scan.report.diagnostics or not _history_is_settled(scan):
        return None
    recorder.watch(_plugin_files())
    coverage = scan.context.peek(COVERAGE)
    return recorder.snapshot(scan.tree, None if coverage is None else coverage.files)


def _history_is_settled(scan: Scan) -> bool:
    """Whole, cut where a clone was cut, or absent because there is no repository; nothing that git gave up on."""
    history = scan.report.history
    if not scan.tree.git:
        return True
    return bool(history.head) and (not history.limited or history.reason.startswith(SHALLOW))


def _plugin_files() -> list[str]:
    """The files of packages that bring detectors of their own."""
    packages = {
        detector.detect.__module__.partition(".")[0]
        for id_, detector in catalogue().items()
        if id_ not in builtin()
    }
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in packages]
    return sorted({file for module in modules if (file := getattr(module, "__file__", None))})

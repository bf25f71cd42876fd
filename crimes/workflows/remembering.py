"""Keeping the outcome of a scan as the answer for a tree that stays as it is."""

from __future__ import annotations

import sys

from crimes.analyses.coverage.analysis import COVERAGE
from crimes.analyses.history.history import SHALLOW
from crimes.detection.registry import builtin, catalogue
from crimes.engine.scan import Scan, gc_paused
from crimes.incremental.answers import CachedAnswers
from crimes.incremental.file_list import save_tree
from crimes.incremental.recorder import Recorder
from crimes.incremental.scan_cache import ScanCache
from crimes.incremental.snapshot import Snapshot
from crimes.workflows.briefing.refresh import refresh_briefings


def remember(scan: Scan, report: bytes, answers: CachedAnswers, cache: ScanCache) -> None:
    """Keep the answers of this scan, if the next one is sure to give the same."""
    with gc_paused():
        # Before the snapshot: what briefings read counts too.
        briefings = refresh_briefings(scan, answers.briefed_of(), cache.recorder.files)
        snapshot = _snapshot_of(cache.recorder, scan)
        if snapshot is not None:
            answers.remember(snapshot, report, briefings)
            save_tree(cache, scan.tree, scan.context.config, snapshot)
    cache.cache.write(cache.in_use())
    cache.cache.close()


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

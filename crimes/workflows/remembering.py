"""Whether the outcome of a scan may be given as an answer again, and what it depends on."""

from __future__ import annotations

import sys

from crimes.analyses.coverage.matched import COVERAGE
from crimes.analyses.history.history import SHALLOW
from crimes.detection.registry import builtin, catalogue
from crimes.engine.scan import Scan
from crimes.incremental.recorder import Recorder
from crimes.incremental.snapshot import Snapshot


def dependencies(recorder: Recorder, scan: Scan) -> Snapshot | None:
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

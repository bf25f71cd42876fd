"""The last scan of a repository for a process that stays: kept fresh in the background, answered with its age."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.model.errors import UsageError
from crimes.model.wording import count
from crimes.workflows.session import Session

if TYPE_CHECKING:
    from crimes.incremental.snapshot import Snapshot
    from crimes.model.report import Report
    from crimes.system.workers import BackgroundJob
    from crimes.workflows.briefing.record import Briefing


class LiveScan:
    """The last scan of one repository. One scan at a time runs in the background, and survives who waited for it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._session = Session(self.root)
        self._scan: BackgroundJob | None = None
        self._lock = threading.Lock()

    def refresh(self, wait_seconds: float, wait_seconds_if_stale: float) -> str:
        """Scan the repository if it changed. Returns how old the answer will be, empty when it is fresh.

        It waits for a scan that is not done, longer if there is nothing to answer from. UsageError if then there still is not.
        """
        from crimes.incremental.answers import latest
        from crimes.system.workers import BackgroundJob

        if self._session.is_current():
            return ""
        snapshot = latest(self.root)[1]
        with self._lock:
            job, self._scan = self._scan or BackgroundJob(scan_in_background, self.root), None
            if job.result(wait_seconds_if_stale if snapshot else wait_seconds) is not None:
                return ""
            self._scan = job
        if snapshot is None:
            raise UsageError("the first scan of this repository is still running; ask again in a moment")
        return _staleness(self.root, snapshot)

    def briefings(self, paths: Sequence[str]) -> dict[str, Briefing]:
        """The briefings that the last scan made of these files, however old it is."""
        from crimes.incremental.answers import latest
        from crimes.workflows.briefing.encoding import decode

        answers, _ = latest(self.root)
        if answers is None:
            return {}
        try:
            cached = answers.some_briefings(paths)
        finally:
            answers.cache.close()
        return {path: decode(data) for path, data in cached.items()}

    def has_changed(self, path: str) -> bool:
        """Whether a file differs from what the last scan read, judged by its size and time; True if it read none."""
        from crimes.incremental.answers import latest

        answers, snapshot = latest(self.root)
        if answers is not None:
            answers.cache.close()
        name = os.fsencode(path)
        return snapshot is None or name not in snapshot.files or _differs(self.root, snapshot, name)

    def report(self) -> tuple[Report, float]:
        """The last report, and when it was made. UsageError if there is none."""
        stored = self._session.last()
        if stored is None:
            raise UsageError("no stored scan of this repository; run `crimes scan` first")
        return stored.report, stored.scanned_at


def _staleness(root: Path, snapshot: Snapshot) -> str:
    """How old a scan is, and how many of the files it read changed since."""
    changed = sum(_differs(root, snapshot, name) for name in snapshot.files)
    minutes = count(int(time.time() - snapshot.taken / 1e9) // 60, "minute")
    since = f"{count(changed, 'file')} changed since"
    return f"Stale: from a scan {minutes} ago; {since}. A new scan is running."


def _differs(root: Path, snapshot: Snapshot, name: bytes) -> bool:
    from crimes.incremental.stamps import stat_file

    seen, now = snapshot.files[name], stat_file(os.path.join(root, os.fsdecode(name)))
    return (now and (now.size, now.mtime_ns)) != (seen and (seen.size, seen.mtime_ns))


def scan_in_background(root: Path) -> bytes:
    """Scan, and keep the results."""
    session = Session(root)
    session.report()
    if session.lacks_briefings():
        session.scan()
    return b""

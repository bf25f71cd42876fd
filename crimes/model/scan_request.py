"""What is asked of a scan besides the tree."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec import Struct


class ScanRequest(Struct, frozen=True):
    """Everything that can change the report on one tree. All fields are part of the key of a cached answer.

    How a scan is made (processes, time, cache) does not belong here.
    """

    as_of: datetime | None = None  # what history counts up to; else the time of the last commit
    coverage: tuple[Path, ...] = ()  # coverage data to use; else usual places are looked at
    config: Path | None = None  # settings to use instead of the repository's own
    enable: tuple[str, ...] = ()  # detectors to run though they are off

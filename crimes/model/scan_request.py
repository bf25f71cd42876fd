"""What is asked of a scan besides the tree."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec import Struct


class ScanRequest(Struct, frozen=True):
    """Everything that can change a report of one tree. A kept answer is found by all of it: a new field needs no other line.

    How a scan is made (processes, time, cache) does not belong here.
    """

    as_of: datetime | None = None  # what history counts up to; else the time of the last commit
    coverage: tuple[Path, ...] = ()  # coverage data to use; else usual places are looked at

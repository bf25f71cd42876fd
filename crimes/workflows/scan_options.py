"""How a scan is run, and who listens to it: nothing here changes a report."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from crimes.system.workers import Progress


@dataclass(frozen=True)
class ScanOptions:
    """`jobs` None: as many processes as there are cores."""

    cache: bool = True
    jobs: int | None = None
    seconds: float | None = None
    profile: bool = False  # whether the report says where the time went

    def processes(self) -> int:
        if self.jobs is not None:
            return self.jobs
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Listener(Protocol):
    """Who hears of a scan while it runs."""

    def notice(self, text: str) -> None:
        """One line for the person who asked; never part of a report."""

    def progress(self) -> AbstractContextManager[Progress | None]:
        """A function that takes the progress of a scan; None when nobody watches."""


class Silent:
    """Nobody listens."""

    def notice(self, text: str) -> None:
        """Dropped."""

    def progress(self) -> AbstractContextManager[Progress | None]:
        return nullcontext()


DEFAULT = ScanOptions()
SILENT = Silent()

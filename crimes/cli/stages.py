"""Where the time of a scan went, stage by stage, as its progress tells it."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

from crimes.model.report import Timing

Progress = Callable[[str, int, int], None]


class Stages:
    """Passes progress on, and notes when a stage began. CPU is that of this process and of those that ended for it."""

    def __init__(self) -> None:
        self._spent = 0.0  # by the process before this one
        self._began: list[tuple[str, float, float]] = [("starting", _start(), 0.0)]

    def hand_over(self) -> None:
        """From here on another process, a fork of this one, does the work."""
        self._spent += _cpu()

    def passing(self, tell: Progress) -> Progress:
        """Progress that is noted and passed on."""

        def noting(stage: str, done: int, total: int) -> None:
            self.tell(stage)
            tell(stage, done, total)

        return noting

    def tell(self, stage: str) -> None:
        if self._began[-1][0] != stage:
            self._began.append((stage, time.monotonic(), self._spent + _cpu()))

    def timings(self) -> tuple[Timing, ...]:
        """Every stage up to now."""
        self._began.append(("", time.monotonic(), self._spent + _cpu()))
        pairs = zip(self._began, self._began[1:], strict=False)
        return tuple(
            Timing(stage, round(end - start, 3), round(cpu_end - cpu, 3))
            for (stage, start, cpu), (_, end, cpu_end) in pairs
        )


def _cpu() -> float:
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _start() -> float:
    """About when this process began: it has hardly waited for anything so far."""
    return time.monotonic() - _cpu()


def table(timings: tuple[Timing, ...]) -> list[str]:
    """The stages as lines for a person."""
    rows = [f"{one.stage:<14}{one.seconds:>9.2f} s{one.cpu:>9.2f} s CPU" for one in timings]
    whole = (sum(one.seconds for one in timings), sum(one.cpu for one in timings))
    return [*rows, f"{'all':<14}{whole[0]:>9.2f} s{whole[1]:>9.2f} s CPU"]

"""Where the time of a scan went, stage by stage, taken from its progress."""

from __future__ import annotations

import resource
import time

from msgspec.structs import replace

from crimes.model.report import Report, Timing
from crimes.system.workers import Progress


class Stages:
    """Passes progress on, and notes when a stage began. CPU is that of this process and of those that ended for it."""

    def __init__(self) -> None:
        self._spent = 0.0  # by the process before this one
        self._began: list[tuple[str, float, float]] = [("starting", _process_start(), 0.0)]

    def hand_over(self) -> None:
        """From here on another process, a fork of this one, does the work."""
        self._spent += _cpu()

    def tracking(self, on_progress: Progress) -> Progress:
        """Progress that is noted here and passed on."""

        def note(stage: str, done: int, total: int) -> None:
            self.enter(stage)
            on_progress(stage, done, total)

        return note

    def enter(self, stage: str) -> None:
        """The work is at this stage from now on."""
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
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _process_start() -> float:
    """About when this process began: it has hardly waited for anything so far."""
    return time.monotonic() - _cpu()


def timing_lines(timings: tuple[Timing, ...]) -> list[str]:
    """The stages as lines for a person."""
    seconds, cpu = sum(timing.seconds for timing in timings), sum(timing.cpu for timing in timings)
    rows = [(timing.stage, timing.seconds, timing.cpu) for timing in timings]
    return [
        f"{stage:<14}{wall:>9.2f} s{used:>9.2f} s CPU" for stage, wall, used in (*rows, ("all", seconds, cpu))
    ]


def with_timings(report: Report, stages: Stages) -> Report:
    """The report, with where the time went up to now, and what read the files."""
    from crimes.languages.engine.native import reader_name

    return replace(report, timings=stages.timings(), tool=replace(report.tool, reader=reader_name()))

"""Processor time that work on a repository's content may take: what takes more is stopped, and the rest goes on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_REPEAT_SECONDS = 0.5  # an exception that is lost in a destructor is raised again


class Exceeded(BaseException):
    """The work took its allowance. No `except Exception` on the way may take it for something else."""


@contextmanager
def allowance(seconds: float) -> Iterator[None]:
    """Raises Exceeded in the block once it has taken so much processor time.

    Within an allowance another one counts by itself: what it takes is not charged to the outer one. In a thread other than
    the first there is no limit: signals do not reach it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _stop)
    left, _ = signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _REPEAT_SECONDS)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except Exceeded:  # at the last moment: the work is done
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_VIRTUAL, left, _REPEAT_SECONDS)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Exceeded

"""Progress on stderr, for a person at a terminal only."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_CLEAR = "\r\x1b[K"
_UPDATE_SECONDS = 0.1  # seconds between two updates


@contextmanager
def progress(quiet: bool = False) -> Iterator[Callable[[str, int, int], None] | None]:
    """A function that shows `stage done/total` on one line, wiped at the end; None when nobody watches."""
    if (
        quiet
        or sys.stderr is None
        or not sys.stderr.isatty()
        or os.environ.get("CI")
        or os.environ.get("TERM") == "dumb"
    ):
        yield None
        return
    last_stage, last_time = "", 0.0

    def tick(stage: str, done: int, total: int) -> None:
        nonlocal last_stage, last_time
        now = time.monotonic()
        if stage == last_stage and now - last_time < _UPDATE_SECONDS:
            return
        last_stage, last_time = stage, now
        numbers = f" {done:,}/{total:,}" if total else ""
        sys.stderr.write(f"{_CLEAR}{stage}{numbers}")
        sys.stderr.flush()

    try:
        yield tick
    finally:
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()

"""Whether a grammar comes to an end with a source: some loop for ever on some broken text, which no test can wait for."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from crimes.languages import by_id
from crimes.languages.engine.facts import reader_of
from crimes.system.workers import map_in_workers


def parsing(names: Sequence[str], source: bytes) -> set[str]:
    """The languages of these that do. Tried in a process of its own, which is allowed a second of processor time."""

    def parse(name: str) -> bytes:
        signal.setitimer(signal.ITIMER_PROF, 1)
        reader_of(by_id[name])[0].parse(source)
        return b"parsed"

    for name in names:
        reader_of(by_id[name])  # made here, once, not in every process
    made = map_in_workers(names, parse, 1, lambda item: 1, len(names))
    return {names[at] for at, result in made if result == b"parsed"}

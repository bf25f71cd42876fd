"""What one scan has of the scans before it."""

from __future__ import annotations

from dataclasses import dataclass, field

from crimes.cache.database import Cache, FactsKey
from crimes.cache.recorder import Recorder
from crimes.cache.watch import Seen


@dataclass
class Kept:
    """The cache, what the last scan saw of each file, and the notes for the next one."""

    cache: Cache
    recorder: Recorder
    taken: int  # when the last scan began
    files: dict[bytes, Seen | None]
    in_use: set[FactsKey] = field(default_factory=set)  # the facts this scan goes by

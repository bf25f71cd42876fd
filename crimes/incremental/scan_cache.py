"""What one scan has of the scans before it."""

from __future__ import annotations

from msgspec import Struct, field

from crimes.incremental.code_version import code_version
from crimes.incremental.recorder import Recorder
from crimes.incremental.snapshot import Snapshot
from crimes.incremental.store import Cache, FactsKey


class ScanCache(Struct):
    """The cache, what the last scan saw, and the notes for the next one. To a context it is its memory."""

    cache: Cache
    recorder: Recorder
    last: Snapshot | None = None
    # The facts this scan goes by, where they are kept.
    contents: dict[str, FactsKey] = field(default_factory=dict)
    # Files that look as they did in the last scan, where all were looked at.
    unchanged: frozenset[str] | None = None
    _marks: dict[str, bytes] = field(default_factory=dict)  # of the contents, once all are read

    def content(self, path: str) -> bytes:
        """A mark of what a file's facts were made of, with its digest first; empty when it is not known."""
        if path not in self._marks:
            key = self.contents.get(path)
            self._marks[path] = b"" if key is None else key[0] + key[1].encode()
        return self._marks[path]

    def recall(self, name: str) -> bytes | None:
        """What was kept under a name by the same code."""
        made_by, value = code_version(), self.cache.state(f"known {name}")
        return value[len(made_by) :] if value and value.startswith(made_by) else None

    def keep(self, name: str, value: bytes) -> None:
        """Keep it with the next write."""
        self.cache.keep(f"known {name}", code_version() + value)

    def in_use(self) -> set[FactsKey]:
        """The facts that are the last to go."""
        return set(self.contents.values())

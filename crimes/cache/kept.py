"""What one scan has of the scans before it."""

from __future__ import annotations

from msgspec import Struct, field

from crimes.cache.database import Cache, FactsKey
from crimes.cache.engine import whole_engine
from crimes.cache.recorder import Recorder
from crimes.cache.watch import Seen


class Kept(Struct):
    """The cache, what the last scan saw of each file, and the notes for the next one. To a context it is its memory."""

    cache: Cache
    recorder: Recorder
    taken: int  # when the last scan began
    files: dict[bytes, Seen | None]
    contents: dict[str, FactsKey] = field(
        default_factory=dict
    )  # the facts this scan goes by, where they are kept

    def content(self, path: str) -> bytes:
        """A mark of what a file's facts were made of, with its digest first; empty when it is not known."""
        key = self.contents.get(path)
        return b"" if key is None else key[0] + key[1].encode()

    def recall(self, name: str) -> bytes | None:
        """What was kept under a name by the same code."""
        made_by, value = whole_engine(), self.cache.state(f"known {name}")
        return value[len(made_by) :] if value and value.startswith(made_by) else None

    def keep(self, name: str, value: bytes) -> None:
        """Keep it with the next write."""
        self.cache.keep(f"known {name}", whole_engine() + value)

    def in_use(self) -> set[FactsKey]:
        """The facts that are the last to go."""
        return set(self.contents.values())

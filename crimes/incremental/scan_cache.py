"""What one scan knows of the scans before it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field

from crimes.incremental.code_version import code_version
from crimes.incremental.recorder import Recorder
from crimes.incremental.snapshot import Snapshot
from crimes.incremental.store import Cache, FactsKey


class ScanCache(Struct):
    """The cache, the snapshot of the last scan, and the recorder for the next. A context uses it as MemoStore."""

    cache: Cache
    recorder: Recorder
    last: Snapshot | None = None
    # By path: the key of the facts this scan uses, where they are cached.
    contents: dict[str, FactsKey] = field(default_factory=dict)
    # Files with the stamps of the last scan; None when not all were compared.
    unchanged: frozenset[str] | None = None
    enabled: bool = True
    _content_keys: dict[str, bytes] = field(default_factory=dict)

    def content_key(self, path: str) -> bytes:
        """A key of what a file's facts were read from, starting with its digest; empty when unknown."""
        if path not in self._content_keys:
            key = self.contents.get(path)
            self._content_keys[path] = b"" if key is None else key[0] + key[1].encode()
        return self._content_keys[path]

    def load(self, name: str) -> bytes | None:
        """The value that the same code saved under a name."""
        version, value = code_version(), self.cache.state(f"known {name}")
        return value[len(version) :] if value and value.startswith(version) else None

    def save(self, name: str, value: bytes) -> None:
        """Save a value with the next write."""
        self.cache.keep(f"known {name}", code_version() + value)

    def in_use(self) -> set[FactsKey]:
        """The facts of the present tree, which are evicted last."""
        return set(self.contents.values())

    def save_facts(self, path: str, key: FactsKey, encoded: bytes) -> None:
        """Save a file's facts with the next write."""
        self.cache.keep_facts(key, encoded)
        self.contents[path] = key


class _NullRecorder(Recorder):
    """Records nothing."""

    def __init__(self) -> None:
        self.files = {}

    def recording_reader(self, read: Callable[[str], bytes]) -> Callable[[str], bytes]:
        return read

    def invalidate(self) -> None:
        """There is no snapshot to give up."""


def no_cache() -> ScanCache:
    """A cache that knows nothing and keeps nothing, for a scan without one."""
    cache = Cache(Path(os.devnull), lambda text: None)
    cache.close()
    return ScanCache(cache, _NullRecorder(), enabled=False)

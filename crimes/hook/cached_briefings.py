"""Briefings out of the cache, read-only, whatever happened to the tree since: who asks tells how old they are."""

from __future__ import annotations

import json
import os
import sqlite3
from types import SimpleNamespace
from typing import Any, NamedTuple
from zlib import crc32

from crimes import __version__
from crimes.incremental.buckets import bucket_of, entry_of
from crimes.system.user_dirs import database_name

_PATIENCE = 0.2  # seconds
_SEAL = 4  # bytes of a checksum before each value


class CachedBriefing(NamedTuple):
    """A briefing as plain objects, and when the scan it is from began, in nanoseconds."""

    briefing: Any
    taken: int


def root_of(path: str) -> str:
    """The folder of the repository a file is in, found as the commands find it; empty without one."""
    folder = os.path.dirname(path)
    while True:
        if os.path.lexists(os.path.join(folder, ".git")) or os.path.isfile(
            os.path.join(folder, "crimes.toml")
        ):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above


def known(root: str, paths: list[str]) -> dict[str, CachedBriefing]:
    """What the last scan of the repository said of each of these files, as far as it did."""
    place = database_name(root)
    if not os.path.isfile(place):
        return {}
    written = place.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    connection = sqlite3.connect(f"file:{written}?mode=ro", uri=True, timeout=_PATIENCE)
    try:
        key, taken = _state(connection, "latest").decode().split()
        found = {}
        for path in paths:
            name = os.fsencode(path)
            data = entry_of(name, _state(connection, f"briefings {key} {bucket_of(name)}"))
            briefing = json.loads(data, object_hook=_plain) if data else None
            if briefing is not None and briefing.tool.version == __version__:
                found[path] = CachedBriefing(briefing, int(taken))
        return found
    finally:
        connection.close()


def _plain(entry: dict[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(**entry)


def _state(connection: sqlite3.Connection, key: str) -> bytes:
    (value,) = connection.execute("SELECT value FROM state WHERE key = ?", (key,)).fetchone()
    if crc32(memoryview(value)[_SEAL:]) != int.from_bytes(value[:_SEAL], "big"):
        raise ValueError("a value is not what was written")
    return bytes(value[_SEAL:])

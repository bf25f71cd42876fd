"""Briefings from the cache, read-only, even if the tree has changed since: callers state their age."""

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

_TIMEOUT_SECONDS = 0.2
_CHECKSUM_BYTES = 4  # before each value


class CachedBriefing(NamedTuple):
    """A briefing as plain objects, and when its scan began."""

    briefing: Any
    scan_ns: int


def root_of(path: str) -> str:
    """The root of the repository that a file is in, by the same rule as the commands; empty without one."""
    folder = os.path.dirname(path)
    while True:
        if os.path.lexists(os.path.join(folder, ".git")) or os.path.isfile(
            os.path.join(folder, "crimes.toml")
        ):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent


def has_scan(root: str) -> bool:
    """Whether anything is kept of the repository."""
    return os.path.isfile(database_name(root))


def load_briefings(root: str, paths: list[str]) -> dict[str, CachedBriefing]:
    """The briefings of the last scan of the repository, which there is; files it has none for are missing."""
    database = database_name(root)
    escaped = database.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    connection = sqlite3.connect(f"file:{escaped}?mode=ro", uri=True, timeout=_TIMEOUT_SECONDS)
    try:
        key, scan_ns = _state(connection, "latest").decode().split()
        briefings = {}
        for path in paths:
            name = os.fsencode(path)
            data = entry_of(name, _state(connection, f"briefings {key} {bucket_of(name)}"))
            briefing = json.loads(data, object_hook=_namespace) if data else None
            if briefing is not None and briefing.tool.version == __version__:
                briefings[path] = CachedBriefing(briefing, int(scan_ns))
        return briefings
    finally:
        connection.close()


def _namespace(entry: dict[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(**entry)


def _state(connection: sqlite3.Connection, key: str) -> bytes:
    (value,) = connection.execute("SELECT value FROM state WHERE key = ?", (key,)).fetchone()
    if crc32(memoryview(value)[_CHECKSUM_BYTES:]) != int.from_bytes(value[:_CHECKSUM_BYTES], "big"):
        raise ValueError("a value is corrupt")
    return bytes(value[_CHECKSUM_BYTES:])

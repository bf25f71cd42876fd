"""The briefings of all files, spread over so many values that each is quick to read.

No path and no JSON holds a NUL, so NULs separate the entries. Standard library only: the hook reads this.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

COUNT = 256


def bucket_of(path: bytes) -> int:
    return crc32(path) % COUNT


def in_buckets(entries: Mapping[bytes, bytes]) -> list[bytes]:
    """The entries by path, each in its bucket."""
    buckets: list[list[bytes]] = [[] for _ in range(COUNT)]
    for path, data in entries.items():
        buckets[bucket_of(path)] += (b"\0\0", path, b"\0", data)
    return [b"".join(parts) for parts in buckets]


def entry_of(path: bytes, bucket: bytes) -> bytes | None:
    """The entry of a file in its bucket, None without one."""
    key = b"\0\0%b\0" % path
    at = bucket.find(key)
    if at < 0:
        return None
    end = bucket.find(b"\0\0", at + len(key))
    return bucket[at + len(key) : end if end >= 0 else None]


def entries_of(bucket: bytes) -> dict[bytes, bytes]:
    """All entries of a bucket, by path."""
    parts = (part.partition(b"\0") for part in bucket.split(b"\0\0")[1:])
    return {path: data for path, _, data in parts}


def with_entries(bucket: bytes, entries: Mapping[bytes, bytes]) -> bytes:
    """The bucket with these entries replaced or added; an empty one is removed."""
    for path, data in entries.items():
        key = b"\0\0%b\0" % path
        at = bucket.find(key)
        if at >= 0:
            end = bucket.find(b"\0\0", at + len(key))
            bucket = bucket[:at] + (bucket[end:] if end >= 0 else b"")
        if data:
            bucket += key + data
    return bucket

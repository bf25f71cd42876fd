"""Where in a long value the part of each file is: a list that is searched as it is, without being decoded.

No path holds a NUL, so a path between NULs is found wherever it stands. Standard library only: the hook reads this.
"""

from __future__ import annotations

from zlib import crc32


def place_written(path: bytes, start: int, data: bytes) -> bytes:
    """One entry of the list."""
    return b"\0\0%b\0%d %d %d" % (path, start, len(data), crc32(data))


def place_of(path: bytes, places: bytes) -> tuple[int, int, int] | None:
    """Where the part of a file begins, its length and its checksum."""
    key = b"\0\0%b\0" % path
    at = places.find(key)
    if at < 0:
        return None
    begin = at + len(key)
    end = places.find(b"\0", begin)
    start, length, checksum = places[begin : end if end >= 0 else None].split()
    return int(start), int(length), int(checksum)

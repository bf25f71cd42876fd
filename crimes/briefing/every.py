"""The briefings of all files of a scan, encoded, so that `context` can answer without one."""

from __future__ import annotations

import msgspec

from crimes.briefing.gather import Gatherer
from crimes.scan import Scan

_encode = msgspec.msgpack.Encoder().encode


def every_briefing(scan: Scan) -> dict[str, bytes]:
    """By path, for every file that was read. A name that is not UTF-8 cannot be written, and is left out."""
    gatherer = Gatherer(scan)
    found = {}
    for path in scan.context.repo.files:
        try:
            found[path] = _encode(gatherer.brief(path))
        except UnicodeEncodeError:
            continue
    return found

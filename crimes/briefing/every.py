"""The briefings of all files of a scan, encoded, so that `context` can answer without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from crimes.briefing.record import Briefing

if TYPE_CHECKING:
    from crimes.scan import Scan

_encode = msgspec.json.Encoder().encode  # JSON: the hook reads it with the standard library
decode = msgspec.json.Decoder(Briefing).decode


def every_briefing(scan: Scan) -> dict[str, bytes]:
    """By path, for every file that was read. A name that is not UTF-8 cannot be written, and is left out."""
    from crimes.briefing.gather import Gatherer

    gatherer = Gatherer(scan)
    found = {}
    for path in scan.context.repo.files:
        try:
            found[path] = _encode(gatherer.brief(path))
        except UnicodeEncodeError:
            continue
    return found

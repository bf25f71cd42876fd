"""The briefings of all files of a scan, encoded, so that `context` can answer without one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from crimes.workflows.briefing.record import Briefing

if TYPE_CHECKING:
    from crimes.engine.scan import Scan
    from crimes.workflows.briefing.build import Gatherer

_encode = msgspec.json.Encoder().encode  # JSON: the hook reads it with the standard library
decode = msgspec.json.Decoder(Briefing).decode


def every_briefing(scan: Scan) -> dict[str, bytes]:
    """By path, for every file that was read."""
    from crimes.workflows.briefing.build import Gatherer

    return encoded(Gatherer(scan), scan.context.repo.files)


def encoded(gatherer: Gatherer, paths: Iterable[str]) -> dict[str, bytes]:
    """The briefings of these files. A name that is not UTF-8 cannot be written, and is left out."""
    found = {}
    for path in paths:
        try:
            found[path] = _encode(gatherer.brief(path))
        except UnicodeEncodeError:
            continue
    return found

"""Briefings as JSON: one as it is, several in a list."""

from __future__ import annotations

from collections.abc import Sequence

from crimes.model.codec import encode
from crimes.workflows.briefing.record import SCHEMA_VERSION, Briefing, Briefings


def in_json(briefings: Sequence[Briefing]) -> bytes:
    """What `crimes context --format json` prints."""
    if len(briefings) == 1:
        return encode(briefings[0])
    return encode(Briefings(SCHEMA_VERSION, tuple(briefings)))

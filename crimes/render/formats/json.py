"""The report as JSON: the versioned types of crimes.model.report, complete and deterministic."""

from __future__ import annotations

from crimes.model.codec import encode
from crimes.model.report import Report


def render(report: Report) -> bytes:
    """All of the report."""
    return encode(report)

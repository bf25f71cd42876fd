"""The report as a page of markdown."""

from __future__ import annotations

from crimes.model.report import Report
from crimes.render.page import rows


def render(report: Report) -> bytes:
    """Every finding, and what was looked at."""
    return ("\n".join(rows(report)) + "\n").encode()

"""The report as a page of markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crimes.model.report import Report
from crimes.render.page import rows

if TYPE_CHECKING:
    from crimes.workflows.change_summary import ChangeSummary


def render(report: Report, change: ChangeSummary | None = None) -> bytes:
    """Every finding, and what was looked at; of a change its verdict, what it breaks and its new findings."""
    return ("\n".join(rows(report, change)) + "\n").encode()

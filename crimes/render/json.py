"""The report as JSON: the versioned types of crimes.model.report, complete and deterministic."""

from __future__ import annotations

import msgspec

from crimes.model.codec import encode
from crimes.model.report import Report


def render(report: Report, *, top: int | None) -> bytes:
    """The report; `top` shortens the list of findings, and nothing else."""
    if top is not None:
        report = msgspec.structs.replace(report, findings=report.findings[:top])
    return encode(report)

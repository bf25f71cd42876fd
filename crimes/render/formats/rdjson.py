"""The report in the Reviewdog Diagnostic Format."""

from __future__ import annotations

from typing import Any

from crimes.model.codec import encode
from crimes.model.report import Crime, HistoryCoverage, RelatedOut, Report
from crimes.model.sanitize import safe
from crimes.model.severity import Severity
from crimes.render.checkout import NOWHERE, Checkout, first_line
from crimes.render.summary import trust_notices
from crimes.render.text import risk_profile

_SEVERITY = {Severity.HIGH: "ERROR", Severity.MEDIUM: "WARNING", Severity.LOW: "INFO"}
_MAX_LINE_NUMBER = 2**31 - 1  # the format's numbers have 32 bits


def render(report: Report, checkout: Checkout = NOWHERE) -> bytes:
    """One diagnostic per finding."""
    diagnostics = [_diagnostic(crime, checkout, report.history) for crime in report.code_findings]
    return encode({"source": {"name": report.tool.name}, "diagnostics": diagnostics})


def notices(report: Report) -> list[str]:
    """How far to trust the scan: the format has no place for it."""
    return trust_notices(report)


def _diagnostic(crime: Crime, checkout: Checkout, history: HistoryCoverage) -> dict[str, Any]:
    diagnostic: dict[str, Any] = {
        "message": f"{safe(crime.message) or crime.type}\n\n{safe(risk_profile(crime, history))}",
        "location": _location(checkout.path(crime.file), first_line(crime)),
        "severity": _SEVERITY[crime.severity],
        "code": {"value": crime.type},
    }
    if crime.related:
        diagnostic["relatedLocations"] = [_related(place, checkout) for place in crime.related]
    return diagnostic


def _related(place: RelatedOut, checkout: Checkout) -> dict[str, Any]:
    where = _location(checkout.path(place.file), max(place.lines.start, 1))
    return {"message": safe(place.note), "location": where}


def _location(path: str, line: int) -> dict[str, Any]:
    return {"path": path, "range": {"start": {"line": min(line, _MAX_LINE_NUMBER)}}}

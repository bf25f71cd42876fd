"""The report for GitLab's Code Quality widget: its flavour of the Code Climate format."""

from __future__ import annotations

import hashlib
from collections import Counter

from crimes.model.codec import encode
from crimes.model.report import Report
from crimes.model.sanitize import safe
from crimes.model.severity import Severity
from crimes.render.checkout import NOWHERE, Checkout, first_line
from crimes.render.summary import trust_notices
from crimes.render.text import risk_profile

_SEVERITY = {Severity.HIGH: "critical", Severity.MEDIUM: "major", Severity.LOW: "minor"}


def render(report: Report, checkout: Checkout = NOWHERE) -> bytes:
    """One entry per finding. GitLab drops entries with a repeated fingerprint, so each gets its own."""
    seen: Counter[str] = Counter()
    entries = []
    for crime in report.code_findings:
        fingerprint = _fingerprint(crime.fingerprint, checkout.prefix)
        seen[fingerprint] += 1
        entries.append(
            {
                "description": safe(crime.message) or crime.type,
                "content": {"body": safe(risk_profile(crime, report.history))},
                "check_name": crime.type,
                "fingerprint": fingerprint + (f"-{seen[fingerprint]}" if seen[fingerprint] > 1 else ""),
                "severity": _SEVERITY[crime.severity],
                "location": {"path": checkout.path(crime.file), "lines": {"begin": first_line(crime)}},
            }
        )
    return encode(entries)


def notices(report: Report) -> list[str]:
    """How far to trust the scan: the format has no place for it."""
    return trust_notices(report)


def _fingerprint(fingerprint: str, prefix: str) -> str:
    """The fingerprint with the prefix hashed in: folders scanned apart may hold files of the same name."""
    if not prefix:
        return fingerprint
    return hashlib.sha256(f"{prefix}\0{fingerprint}".encode("utf-8", "surrogateescape")).hexdigest()[:32]

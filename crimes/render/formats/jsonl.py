"""The report as JSON lines: what was looked at first, then each finding, each hidden and each ignored one, then each ranked file."""

from __future__ import annotations

from typing import Any

import msgspec

from crimes.model.codec import encode_line
from crimes.model.report import Report


def render(report: Report) -> bytes:
    """`record` says what a line is: scan, finding, hidden, ignored or file. All else is as in the JSON report."""
    scan = msgspec.to_builtins(msgspec.structs.replace(report, findings=(), hidden=(), ignored=()))
    del (
        scan["findings"],
        scan["hidden"],
        scan["ignored"],
        scan["edit_risk"]["files"],
        scan["edit_risk"]["unranked"],
    )
    lines = [_line("scan", scan)]
    lines += (_line("finding", crime) for crime in report.findings)
    lines += (_line("hidden", crime) for crime in report.hidden)
    lines += (_line("ignored", crime) for crime in report.ignored)
    lines += (_line("file", file) for file in (*report.edit_risk.files, *report.edit_risk.unranked))
    return b"".join(lines)


def _line(record: str, value: Any) -> bytes:
    return encode_line({"record": record, **msgspec.to_builtins(value)})

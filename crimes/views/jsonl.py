"""The report as JSON lines: what was looked at first, then each finding, then each hidden one."""

from __future__ import annotations

from typing import Any

import msgspec

from crimes.report import Report
from crimes.report_json import encode_line


def render(report: Report) -> bytes:
    """`record` says what a line is: scan, finding or hidden. All else is as in the JSON report."""
    scan = msgspec.to_builtins(msgspec.structs.replace(report, findings=(), hidden=()))
    del scan["findings"], scan["hidden"]
    lines = [_line("scan", scan)]
    lines += (_line("finding", crime) for crime in report.findings)
    lines += (_line("hidden", crime) for crime in report.hidden)
    return b"".join(lines)


def _line(record: str, value: Any) -> bytes:
    return encode_line({"record": record, **msgspec.to_builtins(value)})

"""How much a default scan reports, and what it puts first: python benchmarks/precision/volume.py REPOSITORY..."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from crimes.cli.formats import readable
from crimes.config import Config
from crimes.model import Severity
from crimes.report import Report
from crimes.scan import scan

FIRST = 10


def main(*repositories: str) -> None:
    reports = {Path(name).name: scan(Path(name).resolve(), Config()).report for name in repositories}
    print(
        f"{'repository':28} {'source':>6} {'found':>6} {'per ten':>7} {'shown':>7} {'high':>6}  most of them"
    )
    for name, report in reports.items():
        print(row(name, report))
    for name, report in reports.items():
        print(f"\n== {name}")
        for crime in report.findings[:FIRST]:
            place = f"{crime.file}:{crime.lines.start} {crime.symbol}"
            print(f"{crime.severity:6} {crime.scores.agent_risk:.2f} {crime.type:20} {place}")


def row(name: str, report: Report) -> str:
    """Findings for every ten source files, there and shown; the share of files with a high; the commonest types."""
    sources = report.files.by_role.get("source", 0)
    found = len(report.findings)
    shown = min(found, readable(report, terminal=False))  # of `crimes scan` in a pipe or a log
    high = len({crime.file for crime in report.findings if crime.severity is Severity.HIGH})
    types = Counter(crime.type for crime in report.findings).most_common(3)
    return (
        f"{name:28} {sources:6} {found:6} {10 * found / sources:7.1f} {10 * shown / sources:7.1f} {high / sources:6.1%}  "
        + ", ".join(f"{kind} {count}" for kind, count in types)
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

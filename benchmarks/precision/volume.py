"""How much a default scan reports, and what it puts first: python benchmarks/precision/volume.py REPOSITORY..."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from crimes.cli.formats import readable
from crimes.config import Config
from crimes.model import Severity
from crimes.report import Crime, Report
from crimes.scan import scan

FIRST = 10


def main(*repositories: str) -> None:
    reports = {Path(name).name: scan(Path(name).resolve(), Config()).report for name in repositories}
    print(f"{'':35} {'there are':>21} {'shown':>14}")
    print(
        f"{'repository':28} {'source':>6} {'found':>6} {'per ten':>7} {'high':>6} {'per ten':>7} {'high':>6}  most of them"
    )
    for name, report in reports.items():
        print(row(name, report))
    for name, report in reports.items():
        print(f"\n== {name}")
        for crime in report.findings[:FIRST]:
            place = f"{crime.file}:{crime.lines.start} {crime.symbol}"
            print(f"{crime.severity:6} {crime.scores.agent_risk:.2f} {crime.type:20} {place}")


def row(name: str, report: Report) -> str:
    """Findings for ten source files and the share of files with a high, of all and of the list shown in a pipe; types."""
    sources = report.files.by_role.get("source", 0)
    shown = report.findings[: readable(report, terminal=False)]
    types = Counter(crime.type for crime in report.findings).most_common(3)
    return (
        f"{name:28} {sources:6} {len(report.findings):6} {volume(report.findings, sources)} {volume(shown, sources)}  "
        + ", ".join(f"{kind} {count}" for kind, count in types)
    )


def volume(findings: Sequence[Crime], sources: int) -> str:
    high = len({crime.file for crime in findings if crime.severity is Severity.HIGH})
    return f"{10 * len(findings) / sources:7.1f} {high / sources:6.1%}"


if __name__ == "__main__":
    main(*sys.argv[1:])

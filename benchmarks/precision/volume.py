"""How much a default scan reports, and what it puts first: python benchmarks/precision/volume.py REPOSITORY..."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from crimes.cli.delivery import readable_count
from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.model.report import Crime, Report
from crimes.model.severity import Severity

MAX_FINDINGS_LISTED = 10


def main(*repositories: str) -> None:
    reports = {Path(name).name: scan(Path(name).resolve(), Config()).report for name in repositories}
    print(f"{'':42} {'there are':>28} {'shown':>21}")
    print(
        f"{'repository':28} {'source':>6} {'tests':>6} {'found':>6} {'per ten':>7} {'high':>6} {'of all':>6} "
        f"{'per ten':>7} {'high':>6} {'of all':>6}  most of them"
    )
    for name, report in reports.items():
        print(row(name, report))
    for name, report in reports.items():
        print(f"\n== {name}")
        for crime in report.code_findings[:MAX_FINDINGS_LISTED]:
            location = f"{crime.file}:{crime.lines.start} {crime.symbol}"
            print(f"{crime.severity:6} {crime.scores.agent_risk:.2f} {crime.type:20} {location}")


def row(name: str, report: Report) -> str:
    """A line with the volume of all findings, the volume of those shown in a pipe, and the most frequent types."""
    sources, tests = (report.files.by_role.get(role, 0) for role in ("source", "test"))
    shown = report.code_findings[: readable_count(report, terminal=False)]
    types = Counter(crime.type for crime in report.code_findings).most_common(3)
    return (
        f"{name:28} {sources:6} {tests:6} {len(report.code_findings):6} "
        f"{volume(report.code_findings, sources, tests)} {volume(shown, sources, tests)}  "
        + ", ".join(f"{kind} {count}" for kind, count in types)
    )


def volume(findings: Sequence[Crime], sources: int, tests: int) -> str:
    """Findings per ten source files; files with a high finding per source file, and per file of source or test."""
    high = len({crime.file for crime in findings if crime.severity is Severity.HIGH})
    return f"{10 * len(findings) / sources:7.1f} {high / sources:6.1%} {high / (sources + tests):6.1%}"


if __name__ == "__main__":
    main(*sys.argv[1:])

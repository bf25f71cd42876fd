"""Findings whose answer changes by evidence that their detector deferred, on real repositories.

python benchmarks/precision/second_pass.py CHECKOUT...

Each checkout is scanned with the detectors that have deferred evidence, also those that are off by default. A finding under 0.50 gets the second pass: "raised" are those it
brought to 0.50 or more, which are reported because of it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from crimes.detection.registry import builtin

RAISED, ASKED = "before a second pass", "second pass"  # in the trace of a confidence
MAX_NAMED = 4


def deferring() -> list[str]:
    """The detectors that have evidence for the second pass."""
    return [id_ for id_, detector in builtin().items() if detector.deferred]


def scanned(root: Path) -> dict[str, Any]:
    """The report on a checkout, with the findings that are hidden."""
    command = [sys.executable, "-m", "crimes", "scan", "--select", ",".join(deferring()), "--format", "json"]
    done = subprocess.run([*command, "--root", str(root)], capture_output=True, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def table(reports: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    """By detector: how many findings were in doubt, and how many of these are reported because of the second pass."""
    asked: Counter[str] = Counter()
    raised: dict[str, Counter[str]] = defaultdict(Counter)
    for name, report in reports.items():
        for finding in (*report["findings"], *report["hidden"]):
            asked[finding["type"]] += ASKED in finding["confidence_trace"]
        for finding in report["findings"]:
            raised[finding["type"]][name] += RAISED in finding["confidence_trace"]
    yield "| detector | in doubt | raised | in |"
    yield "|---|---:|---:|---|"
    for type_ in sorted(deferring()):
        most = [(name, number) for name, number in raised[type_].most_common() if number]
        named = ", ".join(f"{name} {number}" for name, number in most[:MAX_NAMED])
        more = f", and {len(most) - MAX_NAMED} more" if most[MAX_NAMED:] else ""
        yield f"| `{type_}` | {asked[type_]} | {raised[type_].total()} | {named}{more} |"


if __name__ == "__main__":
    checkouts = [Path(argument).resolve() for argument in sys.argv[1:]]
    if not checkouts:
        raise SystemExit(__doc__)
    print("\n".join(table({root.name: scanned(root) for root in checkouts})))

"""Findings of one detector drawn at random from repositories, with the code they point at, to be read and labelled.

python benchmarks/precision/draw.py DETECTOR N SEED REPOSITORY...
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from crimes.config.schema import Config, DetectorConfig
from crimes.detection.registry import catalogue
from crimes.engine.scan import scan

LINES_AROUND = 3
MAX_LINES_SHOWN = 24
MAX_FINDINGS_PER_REPOSITORY = 4  # one that reports many must not be the whole sample


def main(detector: str, count: str, seed: str, *repositories: str) -> None:
    only = Config(detectors={id_: DetectorConfig(enabled=id_ == detector) for id_ in catalogue()})
    sample = []
    for name in repositories:
        root = Path(name).resolve()
        head = subprocess.run(
            ["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        findings = scan(root, only).report.findings
        print(f"{len(findings):5} in {root.name} at {head[:12]}")
        chosen = random.Random(seed).sample(findings, min(MAX_FINDINGS_PER_REPOSITORY, len(findings)))
        sample += [(root, head, finding) for finding in chosen]
    random.Random(seed).shuffle(sample)
    for root, head, finding in sample[: int(count)]:
        print(f"\n===== {root.name} {head[:12]} {finding.fingerprint}")
        print(
            f"{finding.severity} {finding.scores.confidence} {finding.file}:{finding.lines.start} {finding.symbol}"
        )
        print(finding.message)
        lines = (root / finding.file).read_text("utf-8", "replace").split("\n")
        start = max(finding.lines.start - 1 - LINES_AROUND, 0)
        end = min(finding.lines.end + LINES_AROUND, start + MAX_LINES_SHOWN)
        for number, line in enumerate(lines[start:end], start + 1):
            print(f"{number:6} {line[:140]}")


if __name__ == "__main__":
    main(*sys.argv[1:])

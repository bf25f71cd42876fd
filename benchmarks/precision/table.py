"""What readers said of each detector's findings, from the labels: python benchmarks/precision/table.py"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.precision.labels import Label, Precision, load_labels, precision_of, summary
from crimes.detection.registry import builtin

COLUMNS = (
    *("sample", "findings", "repositories", "verdicts", "acting", "knowing", "noise", "false", "useful"),
    *("severity right", "two readings agree", "default"),
)


def main() -> None:
    print(f"| {' | '.join(COLUMNS)} |\n|---|{'---:|' * (len(COLUMNS) - 2)}---|")
    blind: list[Label] = []
    for id_, detector in builtin().items():
        blind += [label for label in load_labels(id_) if label.severity_verdict and not label.gone]
        precision = precision_of(id_)
        if precision is None:
            print(f"| {id_} | 0 |{' |' * (len(COLUMNS) - 3)} {'on' if detector.default else 'off'} |")
            continue
        _row(id_, precision, "on" if detector.default else "off")
    if blind:
        _row("**all read blind**", summary("", blind), "")
        first = defaultdict(list)
        for label in blind:
            if label.first:
                first[label.repository].append(label)
        _row(
            "**first ten of each repository**",
            summary("", [row for rows in first.values() for row in rows]),
            "",
        )
        for repository, labels in sorted(first.items()):
            _row(f"{repository}, first ten", summary("", labels), "")


def _row(name: str, precision: Precision, state: str) -> None:
    cells = (
        *(name, precision.findings, precision.repositories, precision.read),
        *(precision.acting, precision.knowing, precision.noise, precision.false, f"{precision.good:.0%}"),
        f"{precision.severities_right / precision.severities:.0%}" if precision.severities else "",
        f"{precision.agreed} of {precision.read_twice}" if precision.read_twice else "",
        state,
    )
    print(f"| {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()

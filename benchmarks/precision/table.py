"""Precision per detector, from the labels: python benchmarks/precision/table.py"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.precision.labels import precision_of
from crimes.detection.registry import builtin


def main() -> None:
    print(
        f"{'detector':26} {'read':>5} {'repos':>5} {'acting':>6} {'knowing':>7} {'noise':>5} {'false':>5} {'good':>5}  ships"
    )
    for id_, detector in builtin().items():
        precision = precision_of(id_)
        ships = "on" if detector.default else "off"
        if precision is None:
            print(f"{id_:26} {'-':>5} {'':37}  {ships}")
            continue
        warning = "" if precision.ships_on or not detector.default else "  (below the line)"
        print(
            f"{id_:26} {precision.read:5} {precision.repositories:5} {precision.acting:6} {precision.knowing:7} {precision.noise:5} "
            f"{precision.false:5} {precision.good:5.0%}  {ships}{warning}"
        )


if __name__ == "__main__":
    main()

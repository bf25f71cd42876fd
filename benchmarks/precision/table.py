"""Precision per detector, from the labels: python benchmarks/precision/table.py"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.precision.labels import figure
from crimes.detection.registry import builtin


def main() -> None:
    print(
        f"{'detector':26} {'read':>5} {'repos':>5} {'acting':>6} {'knowing':>7} {'noise':>5} {'false':>5} {'good':>5}  ships"
    )
    for id_, detector in builtin().items():
        known = figure(id_)
        ships = "on" if detector.default else "off"
        if known is None:
            print(f"{id_:26} {'-':>5} {'':37}  {ships}")
            continue
        doubt = "" if known.ships_on or not detector.default else "  (below the line)"
        print(
            f"{id_:26} {known.read:5} {known.repositories:5} {known.acting:6} {known.knowing:7} {known.noise:5} "
            f"{known.false:5} {known.good:5.0%}  {ships}{doubt}"
        )


if __name__ == "__main__":
    main()

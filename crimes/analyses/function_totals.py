"""What the functions of each file come to: few files have to be looked at more closely."""

from __future__ import annotations

from msgspec import Struct

from crimes.detection.per_file import per_file
from crimes.model.facts import FileFacts


class Totals(Struct, frozen=True, array_like=True):
    """Sums and maxima over the functions of a file, those among its tests left out. A file without functions has none."""

    cognitive: int = 0  # complexity of all
    hardest: int = -1  # complexity of one
    logic: int = 0  # lines of all, without literals
    longest: int = 0  # lines of one, without literals


def totals_of(facts: FileFacts) -> Totals | None:
    if not facts.functions:
        return None
    own = [one for one in facts.functions if not one.in_test]
    cognitive = [one.cognitive_own for one in own]
    lines = [one.logic_lines - one.literal_lines for one in own]
    return Totals(sum(cognitive), max(cognitive), sum(lines), max(lines)) if own else Totals()


TOTALS = per_file("totals", Totals, totals_of)

"""Totals over the functions of each file, so that few files have to be looked at more closely."""

from __future__ import annotations

from msgspec import Struct

from crimes.detection.per_file import per_file
from crimes.model.facts import FileFacts


class Totals(Struct, frozen=True, array_like=True):
    """Sums and maxima over the functions of a file, without its tests. A file without functions has none."""

    cognitive: int = 0  # complexity of all
    hardest: int = -1  # complexity of one
    logic: int = 0  # lines of all, without literals
    longest: int = 0  # lines of one, without literals
    most_tangled: int = 0  # complexity of one after the discounts


def totals_of(facts: FileFacts) -> Totals | None:
    if not facts.functions:
        return None
    functions = [function for function in facts.functions if not function.in_test]
    cognitive = [function.cognitive_own for function in functions]
    lines = [function.logic_lines - function.literal_lines for function in functions]
    if not functions:
        return Totals()
    return Totals(
        cognitive=sum(cognitive),
        hardest=max(cognitive),
        logic=sum(lines),
        longest=max(lines),
        most_tangled=max(function.tangle.cost if function.tangle else 0 for function in functions),
    )


TOTALS = per_file("totals", Totals, totals_of)

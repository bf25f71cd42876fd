"""Pairs of long functions that look alike, as candidates for a closer look: found by the shapes of three lines in a row."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

from crimes.detection.per_file import per_file
from crimes.languages.engine.shapes import columns
from crimes.model.facts import FileFacts, Role

MAX_SHINGLE_FUNCTIONS = 20  # what stands in more of them is how the language is written, no sign of a copy
MIN_SHARED_SHINGLES = 3
MIN_SHARED_PERCENT = 20  # of the shorter function
MANY_SHARED_SHINGLES = 12  # as many make a block that stands in two long functions
MAX_PAIRS = 3000


class Shingles(Struct, frozen=True, array_like=True, gc=False):
    """The hashes of every three lines in a row of one function, each once, in eight bytes."""

    function: int
    hashes: bytes


class FunctionRef(NamedTuple):
    """A function of a file, by its index in the facts."""

    path: str
    function: int


def shingles_of(facts: FileFacts) -> tuple[Shingles, ...] | None:
    """The shingles of each long function."""
    rows = []
    for shape in facts.shapes:
        shapes, _, _ = columns(shape.lines)
        hashes = set(map(hash, zip(shapes, shapes[1:], shapes[2:], strict=False)))  # of numbers: stable
        rows.append(Shingles(shape.function, array("q", sorted(hashes)).tobytes()))
    return tuple(rows) or None


SHINGLES = per_file("shingles", tuple[Shingles, ...], shingles_of, frozenset({Role.SOURCE}))


def similar_pairs(shingles: Mapping[str, tuple[Shingles, ...]]) -> Iterator[tuple[FunctionRef, FunctionRef]]:
    """Pairs of functions that share many shingles, the most alike first."""
    functions: list[FunctionRef] = []
    sizes: list[int] = []
    owners: dict[int, list[int]] = {}
    for path, rows in shingles.items():
        for row in rows:
            number = len(functions)
            functions.append(FunctionRef(path, row.function))
            hashes = array("q", row.hashes)
            sizes.append(len(hashes))
            for digest in hashes:
                owners.setdefault(digest, []).append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in owners.values():
        if 1 < len(numbers) <= MAX_SHINGLE_FUNCTIONS:
            shared.update(combinations(numbers, 2))
    ranked = []
    for (first, second), count in shared.items():
        percent = 100 * count // min(sizes[first], sizes[second])
        if count >= MIN_SHARED_SHINGLES and (percent >= MIN_SHARED_PERCENT or count >= MANY_SHARED_SHINGLES):
            ranked.append((-percent, -count, functions[first], functions[second]))
    for _, _, left, right in sorted(ranked)[:MAX_PAIRS]:
        yield left, right

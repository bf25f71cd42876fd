"""Blast radius of every file of a synthetic repository of 100,000 files and a million imports.

    python benchmarks/graph.py [FILES] [IMPORTS]

Three shapes: importing anything above, importing what is near and above, and no order at all (one cycle).
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from crimes.analyses.import_graph import build
from crimes.analyses.reachability import condense, count_reaching
from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.model.facts import EdgeKind, FileFacts, Role
from crimes.model.repository import Edge, File, Repo

PickImport = Callable[[random.Random, int], tuple[int, int]]


def anywhere_above(rng: random.Random, files: int) -> tuple[int, int]:
    low, high = sorted(rng.sample(range(files), 2))
    return high, low


def nearby_above(rng: random.Random, files: int) -> tuple[int, int]:
    low = rng.randrange(files - 1)
    return min(files - 1, low + rng.randint(1, 200)), low


def anywhere(rng: random.Random, files: int) -> tuple[int, int]:
    source, target = rng.sample(range(files), 2)
    return source, target


def measure(pick: PickImport, files: int, imports: int) -> None:
    rng = random.Random(20)
    pairs = {pick(rng, files) for _ in range(imports)}
    into: list[list[int]] = [[] for _ in range(files)]
    for source, target in sorted(pairs):
        into[target].append(source)
    start = time.process_time()
    condensed = condense(into)
    condensed_at = time.process_time()
    counts = count_reaching(condensed, [True] * files)
    counted_at = time.process_time()
    context = Context(repository(files, pairs), Config())
    build_start = time.process_time()
    graph = build(context)
    built_at = time.process_time()
    assert sum(graph.possible.values()) == sum(counts)
    print(
        f"{pick.__name__:15} {len(pairs):9,} edges {len(condensed.groups):7,} groups"
        f"  condense {condensed_at - start:5.2f} s  count {counted_at - condensed_at:5.2f} s"
        f"  whole analysis (sure and possible) {built_at - build_start:5.2f} s"
        f"  mean importers {sum(counts) / files:,.0f}"
        f"  peak so far {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB"
    )


def repository(files: int, pairs: set[tuple[int, int]]) -> Repo:
    names = [f"f{number:06}.py" for number in range(files)]
    facts = FileFacts(language="python", lines=1, logic_lines=1, generated="")
    edges = (
        Edge(names[source], names[target], EdgeKind.RUNTIME, line=1, names=())
        for source, target in sorted(pairs)
    )
    return Repo(
        root=Path(),
        files={name: File(name, Role.SOURCE, facts) for name in names},
        paths=frozenset(names),
        edges=tuple(edges),
        external=(),
        read=lambda path: b"",
    )


if __name__ == "__main__":
    for shape in (anywhere_above, nearby_above, anywhere):
        measure(shape, *(int(number) for number in (sys.argv[1:] or ("100000", "1000000"))))

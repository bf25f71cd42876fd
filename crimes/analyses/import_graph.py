"""Who imports whom: direct importers, blast radius of every file at once, cycles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crimes.context import Analysis, Context
from crimes.model import Edge

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True)
class ImportGraph:
    """Edges by both ends, and how many files reach each file over at least one edge, itself excluded."""

    importers: Mapping[str, tuple[Edge, ...]]  # by target, sorted by source; `via` edges included
    imports: Mapping[str, tuple[Edge, ...]]  # by source, sorted by target
    sure: Mapping[str, int]  # transitive importers over edges that certainly execute
    possible: Mapping[str, int]  # with deferred, type-only and dynamic edges
    cycles: tuple[tuple[str, ...], ...]  # strongly connected sets of files over sure edges, two or more, sorted
    resolved_share: float  # internal / (internal + unresolved); 1.0 without imports

    def direct(self, path: str) -> tuple[str, ...]:
        """Files that import this one themselves, re-exports followed, sorted."""
        raise NotImplementedError

    def closest_importers(self, path: str, limit: int) -> tuple[str, ...]:
        """Files that reach this one, nearest first, then by name."""
        raise NotImplementedError

    def connected(self, a: str, b: str) -> bool:
        """Whether an import path leads from a to b or from b to a, over any kind of edge."""
        raise NotImplementedError

    def graph(self) -> nx.MultiDiGraph[str]:
        """The same graph for networkx algorithms; edges carry kind, line, names and via."""
        raise NotImplementedError


def build(context: Context) -> ImportGraph:
    raise NotImplementedError


IMPORT_GRAPH = Analysis("import_graph", build)

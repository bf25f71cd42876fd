"""Who imports whom: direct importers, blast radius of every file at once, cycles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct

from crimes.analyses.reachability import Condensed, condense, count_reaching
from crimes.detection.context import Analysis, Context
from crimes.model.facts import SURE_KINDS
from crimes.model.repository import Edge

if TYPE_CHECKING:
    import networkx as nx


class ImportGraph(Struct, frozen=True):
    """Edges by both ends, and how many files reach each file over at least one edge, itself excluded.

    Every file of the repository is a key of the four mappings, and so is every other file that is imported.
    """

    importers: Mapping[str, tuple[Edge, ...]]  # by target, sorted by source; `via` edges included
    imports: Mapping[str, tuple[Edge, ...]]  # by source, sorted by target
    sure: Mapping[str, int]  # transitive importers over edges that certainly execute
    possible: Mapping[str, int]  # with deferred, type-only and dynamic edges
    cycles: tuple[
        tuple[str, ...], ...
    ]  # sets of two or more files strongly connected over sure edges, sorted
    resolved_share: float  # internal / (internal + unresolved); 1.0 without imports
    condensed: Condensed  # of the possible edges; its nodes are the keys of `possible`, numbered

    def direct(self, path: str) -> tuple[str, ...]:
        """Files that import this one directly or through a re-export, sorted."""
        sources = dict.fromkeys(edge.source for edge in self.importers.get(path, ()))
        return tuple(source for source in sources if source != path)

    def closest_importers(self, path: str, limit: int) -> tuple[str, ...]:
        """Files that reach this one, nearest first, then by name."""
        reached = {path: None}
        ring = [path]
        while ring and len(reached) <= limit:
            ring = sorted({source for near in ring for source in self.direct(near)} - reached.keys())
            reached.update(dict.fromkeys(ring))
        return tuple(islice(reached, 1, limit + 1))

    def connected(self, a: str, b: str) -> bool:
        """Whether an import path leads from a to b or from b to a, over any kind of edge."""
        if a not in self.possible or b not in self.possible:
            return False
        # Whatever reaches a file also reaches what it imports, so the count only grows along a path: one of
        # the two directions is impossible, and no file with a smaller count than the start lies on a path.
        start, end = sorted((a, b), key=self.possible.__getitem__)
        seen, ahead = {end}, [end]
        while ahead and start not in seen:
            for source in self.direct(ahead.pop()):
                if source not in seen and self.possible[source] >= self.possible[start]:
                    seen.add(source)
                    ahead.append(source)
        return start in seen

    def reached_by(self, paths: Collection[str]) -> dict[str, int]:
        """By file: how many of `paths` reach it over possible edges, itself excluded."""
        names, wanted = list(self.possible), set(paths)
        return dict(zip(names, count_reaching(self.condensed, [n in wanted for n in names]), strict=True))

    def graph(self) -> nx.MultiDiGraph[str]:
        """The same graph for networkx algorithms; edges carry kind, line, names and via."""
        import networkx as nx

        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        graph.add_nodes_from(self.imports)
        for edges in self.imports.values():
            for edge in edges:
                graph.add_edge(
                    edge.source, edge.target, kind=edge.kind, line=edge.line, names=edge.names, via=edge.via
                )
        return graph


def build(context: Context) -> ImportGraph:
    repo = context.repo
    names = sorted({*repo.files, *(edge.target for edge in repo.edges)})
    importers = _group_edges(names, repo.edges, "target", "source")
    possible = _importer_numbers(names, importers, sure=False)
    sure = _importer_numbers(names, importers, sure=True)
    condensed, condensed_sure = condense(possible), condense(sure)
    everyone = [True] * len(names)
    cycles = (sorted(names[n] for n in members) for members in condensed_sure.groups if len(members) > 1)
    internal = sum(not edge.via for edge in repo.edges)
    unresolved = sum(not item.external and not item.guarded for item in repo.external)
    return ImportGraph(
        importers=importers,
        imports=_group_edges(names, repo.edges, "source", "target"),
        sure=dict(zip(names, count_reaching(condensed_sure, everyone), strict=True)),
        possible=dict(zip(names, count_reaching(condensed, everyone), strict=True)),
        cycles=tuple(sorted(tuple(cycle) for cycle in cycles)),
        resolved_share=internal / (internal + unresolved) if internal + unresolved else 1.0,
        condensed=condensed,
    )


def _group_edges(
    names: Iterable[str], edges: Iterable[Edge], end: str, other_end: str
) -> dict[str, tuple[Edge, ...]]:
    grouped: dict[str, list[Edge]] = {name: [] for name in names}
    name_of, other_of = attrgetter(end), attrgetter(other_end)
    order = attrgetter(other_end, "line", "kind", "via", "names")
    for edge in edges:
        grouped[name_of(edge)].append(edge)
    for group in grouped.values():
        others = list(map(other_of, group))
        if others != sorted(set(others)):  # most come in order, one for each other file
            group.sort(key=order)
    return {name: tuple(group) for name, group in grouped.items()}


def _importer_numbers(
    names: Iterable[str], importers: Mapping[str, tuple[Edge, ...]], *, sure: bool
) -> list[list[int]]:
    """By file: the numbers of its importers. An edge `via` a file repeats two plain ones, and is left out."""
    number = {name: n for n, name in enumerate(names)}
    return [
        list(
            dict.fromkeys(
                number[edge.source]
                for edge in importers[name]
                if not edge.via and edge.source != name and (not sure or edge.kind in SURE_KINDS)
            )
        )
        for name in number
    ]


IMPORT_GRAPH = Analysis("import_graph", build)

"""How folders import each other: few enough to draw, in layers, with the cycles between them.

Only the files that are given count. The smallest folders without folders below them become part of the folder they are in, until there are at most
`MAX_FOLDERS`. A folder is in a layer above those it imports, except where a cycle has to be cut: there as few imports as possible go up.
"""

from __future__ import annotations

import heapq
import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    import networkx as nx

MAX_FOLDERS = 60
TOP = "."  # the folder of files at the root
_SWEEPS = 4  # over the layers, to put folders near those they have to do with


class FolderImports(NamedTuple):
    """One file imports another; not `at_load`: only later, in a function or for types."""

    source: str
    target: str
    at_load: bool


class Folder(Struct, frozen=True):
    """A folder of the graph, with those that became part of it."""

    path: str
    files: int
    lines: int
    folded: int  # folders that became part of it
    layer: int  # 0 is imported by no layer above
    place: int  # within its layer, from the left
    importers: int  # folders of the graph that import it
    cycle: int  # number of the cycle it is in, from 1; 0 for none


class FolderEdge(Struct, frozen=True):
    """Files of one folder import files of another."""

    source: int  # places in `folders`
    target: int
    imports: int  # pairs of files
    at_load: int  # of these, imports that run when the importing file is loaded
    in_cycle: bool  # part of a cycle of folders over imports at load


class FolderGraph(Struct, frozen=True):
    """Folders with imports between them, most importers first."""

    folders: tuple[Folder, ...]
    edges: tuple[FolderEdge, ...]
    alone: int = 0  # folders that import no other and are imported by none


def build_folder_graph(lines: Mapping[str, int], imports: Iterable[FolderImports]) -> FolderGraph:
    """The graph of the folders of these files, given with their lines of code."""
    import networkx as nx

    home = _folded_homes(lines)
    all_imports: Counter[tuple[str, str]] = Counter()
    at_load: Counter[tuple[str, str]] = Counter()
    for item in imports:
        if item.source in home and item.target in home and home[item.source] != home[item.target]:
            pair = home[item.source], home[item.target]
            all_imports[pair] += 1
            at_load[pair] += item.at_load
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted({end for pair in all_imports for end in pair}))
    graph.add_edges_from(sorted(pair for pair in all_imports if at_load[pair]))
    cycles = sorted(sorted(group) for group in nx.strongly_connected_components(graph) if len(group) > 1)
    cycle_of = {name: number for number, group in enumerate(cycles, 1) for name in group}
    graph.add_edges_from(sorted(all_imports))  # layers follow imports of every kind
    layers = _layers(graph, all_imports)
    importers = dict(graph.in_degree())
    files = Counter(home.values())
    size: Counter[str] = Counter()
    for path, folder in home.items():
        size[folder] += lines[path]
    inside: dict[str, set[str]] = {}
    for path, folder in home.items():
        inside.setdefault(folder, set()).add(_folder_of(path))
    names = sorted(graph, key=lambda name: (-importers[name], name))
    at = {name: number for number, name in enumerate(names)}
    folders = tuple(
        Folder(
            path=name,
            files=files[name],
            lines=size[name],
            folded=len(inside[name] - {name}),
            layer=layers[name][0],
            place=layers[name][1],
            importers=importers[name],
            cycle=cycle_of.get(name, 0),
        )
        for name in names
    )
    edges = tuple(
        FolderEdge(
            source=at[source],
            target=at[target],
            imports=number,
            at_load=at_load[source, target],
            in_cycle=bool(at_load[source, target]) and cycle_of.get(source, -1) == cycle_of.get(target, 0),
        )
        for (source, target), number in sorted(all_imports.items())
    )
    return FolderGraph(folders, edges, len({*home.values()} - {*names}))


def _folder_of(path: str) -> str:
    return posixpath.dirname(path) or TOP


def _folded_homes(lines: Mapping[str, int]) -> dict[str, str]:
    """By file: the folder of the graph it counts for."""
    size: Counter[str] = Counter()
    for path, number in lines.items():
        size[_folder_of(path)] += number
    children: dict[str, set[str]] = {}
    for folder in list(size):
        while folder != TOP and folder not in children.get(_folder_of(folder), ()):
            children.setdefault(_folder_of(folder), set()).add(folder)
            folder = _folder_of(folder)
    into: dict[str, str] = {}
    leaves = [(size[folder], folder) for folder in size if folder != TOP and not children.get(folder)]
    heapq.heapify(leaves)
    shown = {*size}
    while len(shown) > MAX_FOLDERS and leaves:
        number, folder = heapq.heappop(leaves)
        above = _folder_of(folder)
        into[folder] = above
        shown = (shown - {folder}) | {above} if folder in shown else shown
        size[above] += number
        children[above].discard(folder)
        if above != TOP and not children[above]:
            heapq.heappush(leaves, (size[above], above))
    homes = {}
    for path in lines:
        folder = _folder_of(path)
        while folder in into:
            folder = into[folder]
        homes[path] = folder
    return homes


def _layers(graph: nx.DiGraph[str], weight: Mapping[tuple[str, str], int]) -> dict[str, tuple[int, int]]:
    """By folder: its layer, and its place in the layer among those it has to do with."""
    import networkx as nx

    rank = {name: number for number, name in enumerate(_order(graph, weight))}
    downwards: nx.DiGraph[str] = nx.DiGraph(edge for edge in graph.edges if rank[edge[0]] < rank[edge[1]])
    downwards.add_nodes_from(graph)
    layers = [sorted(generation) for generation in nx.topological_generations(downwards)]
    place = {name: number / max(len(layer), 1) for layer in layers for number, name in enumerate(layer)}
    for _ in range(_SWEEPS):
        for layer in layers:
            near = {
                name: [place[other] for other in (*graph.predecessors(name), *graph.successors(name))]
                for name in layer
            }
            layer.sort(key=lambda name: (sum(near[name]) / len(near[name]) if near[name] else 0.0, name))
            place.update({name: number / len(layer) for number, name in enumerate(layer)})
    return {name: (row, number) for row, layer in enumerate(layers) for number, name in enumerate(layer)}


def _order(graph: nx.DiGraph[str], weight: Mapping[tuple[str, str], int]) -> list[str]:
    """The folders in an order that few imports go against: greedily, sources first, sinks last, else who gives most and takes least."""
    first: list[str] = []
    last: list[str] = []
    left = set(graph)

    def out(name: str) -> int:
        return sum(weight[name, other] for other in graph.successors(name) if other in left)

    def into(name: str) -> int:
        return sum(weight[other, name] for other in graph.predecessors(name) if other in left)

    while left:
        if sinks := sorted(name for name in left if not out(name)):
            last += reversed(sinks)
            left.difference_update(sinks)
        else:
            chosen = min(left, key=lambda name: (into(name) > 0, into(name) - out(name), name))
            first.append(chosen)
            left.discard(chosen)
    return [*first, *reversed(last)]

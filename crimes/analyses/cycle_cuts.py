"""Cycles of a small directed graph, and the fewest edges that break them all. A graph is the set of ends of each node."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from crimes.analyses.reachability import condense

Ends = Mapping[str, Collection[str]]
Arrow = tuple[str, str]


def cycles_in(ends: Ends) -> list[list[str]]:
    """Sets of two or more nodes that all reach each other, sorted."""
    names = sorted(ends)
    number = {name: n for n, name in enumerate(names)}
    into: list[list[int]] = [[] for _ in names]
    for source in names:
        for end in ends[source]:
            if end in number:
                into[number[end]].append(number[source])
    groups = (sorted(names[n] for n in group) for group in condense(into).groups)
    return sorted(group for group in groups if len(group) > 1)


def without(ends: Ends, arrows: Collection[Arrow]) -> dict[str, set[str]]:
    """The graph without these edges."""
    gone = set(arrows)
    return {source: {end for end in sorted(ends[source]) if (source, end) not in gone} for source in ends}


def shortest_way(ends: Ends, start: str, goal: str) -> list[str]:
    """The nodes of a shortest way of at least one edge from start to goal, both included; empty if there is none."""
    came_from: dict[str, str] = {}
    frontier = [start]
    while frontier:
        following: list[str] = []
        for node in frontier:
            for end in sorted(ends.get(node, ())):
                if end == goal:
                    way = [node]
                    while way[-1] != start:
                        way.append(came_from[way[-1]])
                    return [*way[::-1], goal]
                if end not in came_from and end != start:
                    came_from[end] = node
                    following.append(end)
        frontier = following
    return []


def shortest_cycle(ends: Ends) -> list[str]:
    """The nodes of a shortest cycle, the one that sorts first at the front; empty if there is none."""
    best: list[str] = []
    for members in cycles_in(ends):
        for start in members:
            way = shortest_way(ends, start, start)[:-1]
            if way and (not best or len(way) < len(best)):
                best = way
            if len(best) == 2:
                return best
    return best


def arrows_of(cycle: Collection[str]) -> list[Arrow]:
    """The edges of a cycle given by its nodes."""
    nodes = list(cycle)
    return list(zip(nodes, nodes[1:] + nodes[:1], strict=True))


def has_long_cycle(ends: Ends) -> bool:
    """Whether there is a cycle of three or more nodes.

    Nodes that all reach each other have one unless their edges are a tree in which each runs both ways.
    """
    for members in cycles_in(ends):
        known = set(members)
        arrows = {(source, end) for source in members for end in ends[source] if end in known}
        both_ways = all((end, source) in arrows for source, end in arrows)
        if not both_ways or len(arrows) > 2 * (len(members) - 1):
            return True
    return False


def independent_cycles(ends: Ends, limit: int) -> int:
    """How many cycles without a common edge there are at least, counted up to the limit: each needs a cut of its own."""
    number = 0
    while number < limit and (cycle := shortest_cycle(ends)):
        ends = without(ends, arrows_of(cycle))
        number += 1
    return number


def fewest_cuts(ends: Ends, cost: Callable[[Arrow], tuple[object, ...]], max_cuts: int) -> list[Arrow]:
    """The fewest edges without which no cycle is left, the cheapest such set; empty if it takes more than `max_cuts`."""
    at_least = independent_cycles(ends, max_cuts + 1)
    for size in range(max(at_least, 1), max_cuts + 1):
        if cuts := _cuts(ends, size):
            return min(
                (sorted(cut, key=cost) for cut in cuts), key=lambda cut: [cost(arrow) for arrow in cut]
            )
    return []


def _cuts(ends: Ends, size: int) -> set[frozenset[Arrow]]:
    """All sets of at most `size` edges that break every cycle: each holds an edge of whichever cycle is found."""
    cycle = shortest_cycle(ends)
    if not cycle:
        return {frozenset()}
    if size == 0:
        return set()
    return {cut | {arrow} for arrow in arrows_of(cycle) for cut in _cuts(without(ends, {arrow}), size - 1)}

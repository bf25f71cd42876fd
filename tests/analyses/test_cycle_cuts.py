"""The edges that break the cycles of a graph."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from crimes.analyses.cycle_cuts import (
    cycles_in,
    fewest_cuts,
    has_long_cycle,
    independent_cycles,
    shortest_cycle,
    shortest_way,
    without,
)

Graph = dict[str, set[str]]


def graph(text: str) -> Graph:
    """`ab bc` has an edge from a to b and one from b to c."""
    arrows = text.split()
    return {node: {arrow[1] for arrow in arrows if arrow[0] == node} for node in sorted(set(text) - {" "})}


def random_graph(seed: int) -> Graph:
    chance = random.Random(seed)
    nodes = "abcdef"
    return {node: {end for end in nodes if end != node and chance.random() < 0.25} for node in nodes}


def test_shortest_cycle_is_found_behind_a_longer_one() -> None:
    assert shortest_cycle(graph("ab bc ca cd dc")) == ["c", "d"]
    assert shortest_cycle(graph("ab bc")) == []


def test_shortest_way_needs_an_edge_back_to_its_start() -> None:
    assert shortest_way(graph("ab bc ca"), "a", "a") == ["a", "b", "c", "a"]
    assert shortest_way(graph("ab"), "a", "a") == []


@pytest.mark.parametrize(
    ("text", "is_long"),
    [("ab ba", False), ("ab ba bc cb", False), ("ab bc ca", True), ("ab ba bc cb ac ca", True)],
)
def test_a_long_cycle_has_three_nodes(text: str, is_long: bool) -> None:
    assert has_long_cycle(graph(text)) is is_long


@pytest.mark.parametrize("seed", range(60))
def test_fewest_cuts_break_every_cycle_and_no_smaller_set_does(seed: int) -> None:
    ends = random_graph(seed)
    cuts = fewest_cuts(ends, lambda arrow: arrow, 3)
    arrows = sorted((source, end) for source in ends for end in ends[source])
    sizes = [
        size
        for size in range(4)
        if any(not cycles_in(without(ends, chosen)) for chosen in combinations(arrows, size))
    ]
    if sizes:
        assert len(cuts) == sizes[0]
        assert not cycles_in(without(ends, cuts))
        assert independent_cycles(ends, 9) <= len(cuts)
    else:
        assert cuts == []


def test_the_cheapest_of_equal_cuts_is_taken() -> None:
    price = {("a", "b"): 3, ("b", "c"): 1, ("c", "a"): 2}
    assert fewest_cuts(graph("ab bc ca"), lambda arrow: (price[arrow],), 3) == [("b", "c")]

"""The import graph: counts against networkx, and the answers a detector asks for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.analyses import reachability
from crimes.analyses.import_graph import IMPORT_GRAPH, ImportGraph
from crimes.model.facts import SURE_KINDS, EdgeKind
from crimes.model.repository import Edge
from tests.kit.built_repo import context, edge, file, outside

NAMES = "abcdefghijkl"
arrows = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(list(EdgeKind))), max_size=30
)


def graph_of(names: Iterable[str], edges: Iterable[Edge]) -> ImportGraph:
    return context((file(name) for name in names), edges)[IMPORT_GRAPH]


def networkx_graph(edges: Iterable[Edge]) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(NAMES)
    graph.add_edges_from((edge.source, edge.target) for edge in edges if not edge.via)
    return graph


@given(arrows)
def test_counts_and_cycles_agree_with_networkx(arrows: list[tuple[str, str, EdgeKind]]) -> None:
    edges = [edge(*arrow) for arrow in arrows]
    graph = graph_of(NAMES, edges)
    all_of, sure = networkx_graph(edges), networkx_graph(edge for edge in edges if edge.kind in SURE_KINDS)
    assert graph.possible == {name: len(nx.ancestors(all_of, name)) for name in NAMES}
    assert graph.sure == {name: len(nx.ancestors(sure, name)) for name in NAMES}
    strong = (tuple(sorted(names)) for names in nx.strongly_connected_components(sure))
    assert graph.cycles == tuple(sorted(names for names in strong if len(names) > 1))


@given(arrows, st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(0, 5))
def test_questions_about_one_file_agree_with_networkx(
    arrows: list[tuple[str, str, EdgeKind]], a: str, b: str, limit: int
) -> None:
    edges = [edge(*arrow) for arrow in arrows]
    graph, other = graph_of(NAMES, edges), networkx_graph(edges)
    assert graph.connected(a, b) == (nx.has_path(other, a, b) or nx.has_path(other, b, a))
    assert graph.direct(a) == tuple(sorted(set(other.predecessors(a)) - {a}))
    steps = nx.single_source_shortest_path_length(other.reverse(), a)
    nearest = sorted((distance, name) for name, distance in steps.items() if name != a)
    assert graph.closest_importers(a, limit) == tuple(name for _, name in nearest[:limit])


@given(arrows, st.sets(st.sampled_from(NAMES)))
def test_count_of_selected_files_that_reach_each_file_agrees_with_networkx(
    arrows: list[tuple[str, str, EdgeKind]], some: set[str]
) -> None:
    edges = [edge(*arrow) for arrow in arrows]
    other = networkx_graph(edges)
    assert graph_of(NAMES, edges).reached_by(some) == {
        name: len(nx.ancestors(other, name) & some) for name in NAMES
    }


@given(arrows=arrows, width=st.integers(1, 14))
def test_block_width_does_not_change_the_counts(arrows: list[tuple[str, str, EdgeKind]], width: int) -> None:
    into = [sorted({NAMES.index(s) for s, t, _ in arrows if t == name and s != t}) for name in NAMES]
    condensed, everyone = reachability.condense(into), [True] * len(NAMES)
    whole = reachability.count_reaching(condensed, everyone)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reachability, "_MIN_BLOCK_COLUMNS", width)
        patch.setattr(reachability, "_MAX_BLOCK_BITS", 0)
        assert reachability.count_reaching(condensed, everyone) == whole


def test_components_are_ordered_after_everything_that_reaches_them() -> None:
    condensed = reachability.condense([[1], [0, 2], [], [0], [3]])
    assert sorted(map(sorted, condensed.groups)) == [[0, 1], [2], [3], [4]]
    assert all(source < number for number, before in enumerate(condensed.before) for source in before)


def test_import_chain_longer_than_the_stack_is_counted() -> None:
    long = 50_000
    counts = reachability.count_reaching(
        reachability.condense([[n + 1] for n in range(long)] + [[]]), [True] * (long + 1)
    )
    assert counts == list(range(long, -1, -1))


def test_file_in_a_cycle_counts_the_others_but_not_itself() -> None:
    graph = graph_of("abc", [edge("a", "b"), edge("b", "a"), edge("a", "a"), edge("c", "a")])
    assert graph.possible == {"a": 2, "b": 2, "c": 0}
    assert graph.cycles == (("a", "b"),)


def test_a_followed_reexport_is_direct_and_changes_no_count() -> None:
    edges = [
        edge("user", "barrel"),
        edge("barrel", "core", EdgeKind.REEXPORT),
        edge("user", "core", via="barrel"),
    ]
    graph = graph_of(("user", "barrel", "core"), edges)
    assert graph.direct("core") == ("barrel", "user")
    assert [item.via for item in graph.importers["core"]] == ["", "barrel"]
    assert graph.possible == {"user": 0, "barrel": 1, "core": 2}
    assert graph.closest_importers("core", 9) == ("barrel", "user")


def test_deferred_type_only_and_dynamic_imports_are_possible_not_sure() -> None:
    kinds = (EdgeKind.DEFERRED, EdgeKind.TYPE_ONLY, EdgeKind.DYNAMIC, EdgeKind.RUNTIME, EdgeKind.REEXPORT)
    graph = graph_of("abcdex", [edge(name, "x", kind) for name, kind in zip("abcde", kinds, strict=True)])
    assert (graph.sure["x"], graph.possible["x"]) == (2, 5)


def test_cycle_with_a_deferred_import_is_not_reported() -> None:
    assert graph_of("ab", [edge("a", "b"), edge("b", "a", EdgeKind.DEFERRED)]).cycles == ()


def test_a_file_that_was_not_read_has_importers_too() -> None:
    graph = graph_of("a", [edge("a", "data.json")])
    assert graph.possible == {"a": 0, "data.json": 1}
    assert graph.direct("data.json") == ("a",)


def test_an_unknown_file_has_no_importers() -> None:
    graph = graph_of("a", [])
    assert graph.direct("zz") == graph.closest_importers("zz", 3) == ()
    assert not graph.connected("a", "zz")


def test_edges_are_sorted_regardless_of_input_order() -> None:
    edges = [edge(source, target) for source in "cab" for target in "xzy"]
    graph = graph_of("abcxyz", edges)
    assert [item.source for item in graph.importers["x"]] == ["a", "b", "c"]
    assert [item.target for item in graph.imports["b"]] == ["x", "y", "z"]
    assert graph == graph_of("abcxyz", reversed(edges))


def test_share_of_resolved_imports_is_counted() -> None:
    edges = [edge("a", "b"), edge("a", "c"), edge("a", "d", via="b")]
    left = [outside("a", "os", external=True), outside("a", "gone", external=False)]
    assert context(map(file, "abcd"), edges, left)[IMPORT_GRAPH].resolved_share == 2 / 3
    assert graph_of("a", []).resolved_share == 1.0


def test_graph_converts_to_networkx() -> None:
    graph = graph_of("abc", [edge("a", "b"), edge("a", "b", EdgeKind.DEFERRED)]).graph()
    assert sorted(graph.nodes) == ["a", "b", "c"]
    assert [data["kind"] for _, _, data in graph.edges(data=True)] == [EdgeKind.DEFERRED, EdgeKind.RUNTIME]


def test_networkx_is_not_needed_for_the_counts() -> None:
    code = "import sys, crimes.analyses.import_graph; sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

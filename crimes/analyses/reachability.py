"""How many nodes of a graph reach each node: cycles are condensed and bit sets passed along, for all nodes at once.

Nodes are 0, 1, 2 ...; `into[node]` lists the nodes with an edge into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

# One bit per group and column of a block: at most 64 MB up to 520,000 groups.
_MAX_BLOCK_BITS = 2**29
_MIN_BLOCK_COLUMNS = 1024


class Condensed(Struct, frozen=True):
    """A graph with each strongly connected set of nodes as one group; edges lead to later groups only."""

    groups: tuple[tuple[int, ...], ...]
    before: tuple[tuple[int, ...], ...]  # by group: the groups with an edge into it


def condense(into: Sequence[Sequence[int]]) -> Condensed:
    """The groups of a graph; a group comes after all groups that reach it."""
    groups = tuple(_groups(into))
    group_of = [0] * len(into)
    for number, members in enumerate(groups):
        for node in members:
            group_of[node] = number
    before = (
        {group_of[source] for node in members for source in into[node]} - {number}
        for number, members in enumerate(groups)
    )
    return Condensed(groups, tuple(tuple(sorted(numbers)) for numbers in before))


def count_reaching(condensed: Condensed, counted: Sequence[bool]) -> list[int]:
    """By node: how many counted nodes reach it over at least one edge, itself excluded."""
    columns = [[node for node in members if counted[node]] for members in condensed.groups]
    reaching = [0] * len(columns)
    for first, sets in _blocks([len(nodes) for nodes in columns]):
        for number in range(first, len(sets)):
            bits = sets[number]
            for source in condensed.before[number]:
                bits |= sets[source]
            sets[number] = bits
            reaching[number] += bits.bit_count()
    counts = [0] * len(counted)
    for members, total in zip(condensed.groups, reaching, strict=True):
        for node in members:
            counts[node] = total - counted[node]
    return counts


def _blocks(sizes: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Blocks of columns: the first group with columns in the block, and a bit set of its own columns for each group.

    Sets of all columns at once would take memory quadratic in the number of nodes.
    """
    width = max(_MIN_BLOCK_COLUMNS, _MAX_BLOCK_BITS // max(1, len(sizes)))
    sets, used, first = [0] * len(sizes), 0, 0
    for number, size in enumerate(sizes):
        while size:
            if not used:
                first = number
            taken = min(size, width - used)
            sets[number] = ((1 << taken) - 1) << used
            size -= taken
            used += taken
            if used == width:
                yield first, sets
                sets, used = [0] * len(sizes), 0
    if used:
        yield first, sets


def _groups(into: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Strongly connected sets in Tarjan's order: a set comes after all sets that reach it.

    Without recursion: a chain of imports may be longer than Python's stack.
    """
    visit = [0] * len(into)  # when a node was first seen, from 1
    low = [0] * len(into)  # the earliest node known to be in one set with it
    done = [False] * len(into)
    waiting: list[int] = []
    seen = 0
    for root in range(len(into)):
        if visit[root]:
            continue
        path, sources = [root], [iter(into[root])]
        while path:
            node = path[-1]
            if not visit[node]:
                seen += 1
                visit[node] = low[node] = seen
                waiting.append(node)
            for source in sources[-1]:
                if not visit[source]:
                    path.append(source)
                    sources.append(iter(into[source]))
                    break
                if not done[source]:
                    low[node] = min(low[node], low[source])
            else:
                path.pop()
                sources.pop()
                if path:
                    low[path[-1]] = min(low[path[-1]], low[node])
                if low[node] == visit[node]:
                    start = len(waiting) - 1
                    while waiting[start] != node:
                        start -= 1
                    for member in waiting[start:]:
                        done[member] = True
                    yield tuple(waiting[start:])
                    del waiting[start:]

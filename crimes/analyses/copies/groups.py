"""Groups of copies that agree token by token, up to consistent renaming; and the regions that such groups make up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

from crimes.analyses.clones import CloneClass, Copy
from crimes.analyses.code_tokens import DECISION_KEYWORDS, TOKEN, code_lines, same_names
from crimes.detection.context import Pass
from crimes.model.lazy_regex import regex

MAX_REPRESENTATIVES = 8
MAX_HEAD_LINES = 60
MAX_GAP_LINES = 12  # between two blocks that belong to one copied region
_BRACKET = regex(r"[()]")
_PRIMITIVES = frozenset(["boolean", "byte", "char", "short", "int", "long", "float", "double"])

_IDIOMS = frozenset(
    {
        "equals",
        "Equals",
        "hashCode",
        "GetHashCode",
        "compareTo",
        "CompareTo",
        "__eq__",
        "toString",
        "ToString",
    }
)


class Limits(NamedTuple):
    """What a block needs to be looked at."""

    min_lines: int
    min_tokens: int
    min_decisions: int
    min_same_names: int


class CloneGroup(Struct, frozen=True):
    """Copies that are the same up to consistent renaming; `same` is the percentage of names that are equal."""

    copies: tuple[Copy, ...]
    lines: int
    tokens: int
    same: int
    verbatim: bool  # the same token by token, literals included

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted({copy.path for copy in self.copies}))


class Region(Struct, frozen=True):
    """A copied region: groups that overlap or follow one another in several places, as whole ranges."""

    copies: tuple[Copy, ...]  # those of the largest group first, each as far as the region goes there
    groups: tuple[CloneGroup, ...]  # largest first
    lines: int  # of code that the first two places share with others: the fewer of the two
    verbatim_lines: int  # of those, in blocks that are the same token by token

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted({copy.path for copy in self.copies}))

    @property
    def functions(self) -> frozenset[tuple[str, int]]:
        return frozenset((copy.path, copy.function) for copy in self.copies)


class SourceLines:
    """The lines of files without comments, each file read once."""

    def __init__(self, scan: Pass) -> None:
        self._scan = scan
        self._lines: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        """All lines of a file, comments left out."""
        if path not in self._lines:
            facts = self._scan.repo.files[path].facts
            self._lines[path] = code_lines(facts, self._scan.repo.read(path))
        return self._lines[path]

    def tokens(self, copy: Copy) -> list[str]:
        """The tokens of a copy."""
        return TOKEN.findall("\n".join(self.of(copy.path)[copy.start - 1 : copy.end]))


def verified_groups(
    scan: Pass, clone: CloneClass, source: SourceLines, limits: Limits
) -> Iterator[CloneGroup]:
    """The copies of a clone class, in groups that agree token by token and are large enough."""
    groups: list[tuple[list[str], list[Copy], list[int], list[bool]]] = []
    for copy in clone.copies:
        tokens = source.tokens(copy)
        per_primitive = scan.repo.files[copy.path].traits.one_per_primitive
        for first, copies, shares, exact in groups[:MAX_REPRESENTATIVES]:
            same = same_names(first, tokens)
            if same >= limits.min_same_names and not (per_primitive and differ_in_primitive(first, tokens)):
                copies.append(copy)
                shares.append(same)
                exact.append(_is_verbatim(first, tokens, (_name(scan, copies[0]), _name(scan, copy))))
                break
        else:
            groups.append((tokens, [copy], [], []))
    for first, copies, shares, exact in groups:
        if not shares or len(first) < limits.min_tokens:
            continue
        decisions = sum(token in DECISION_KEYWORDS for token in first)
        body = _body_lines(scan, copies[0], clone.lines, source)
        function = scan.repo.files[copies[0].path].facts.functions[copies[0].function]
        if 5 * function.literal_lines > 4 * function.logic_lines or function.name in _IDIOMS:
            continue
        if decisions >= limits.min_decisions and body >= limits.min_lines:
            yield CloneGroup(tuple(copies), clone.lines, len(first), min(shares), any(exact))


def _name(scan: Pass, copy: Copy) -> str:
    return scan.repo.files[copy.path].facts.functions[copy.function].name


def _is_verbatim(first: list[str], second: list[str], names: tuple[str, str]) -> bool:
    """Whether two runs are the same, apart from the names of the functions they are in."""
    return all(a == b or (a, b) == names for a, b in zip(first, second, strict=True))


def differ_in_primitive(first: list[str], second: list[str]) -> bool:
    """Whether two runs work on different primitive types, or on arrays of which at least one is primitive."""
    return any(
        a != b and ({a, b} <= _PRIMITIVES or (after == "[" and not _PRIMITIVES.isdisjoint((a, b))))
        for a, b, after in zip(first, second, [*first[1:], ""], strict=True)
    )


def _body_lines(scan: Pass, copy: Copy, lines: int, source: SourceLines) -> int:
    """How many of a run's lines of code follow the parameter list."""
    function = scan.repo.files[copy.path].facts.functions[copy.function]
    head = "\n".join(source.of(copy.path)[function.start - 1 : function.end][:MAX_HEAD_LINES])
    name = re.search(rf"\b{re.escape(function.name)}\b[^(\n]{{0,300}}+\(", head)
    depth, head_end = 1, len(head)
    for bracket in _BRACKET.finditer(head, name.end()) if name else ():
        depth += 1 if bracket[0] == "(" else -1
        if not depth:
            head_end = bracket.end()
            break
    last = function.start + head.count("\n", 0, head_end) if name else 0
    return lines - max(last - copy.start + 1, 0)


def regions_of(groups: Sequence[CloneGroup], source: SourceLines) -> list[Region]:
    """The regions that groups make up, the largest first."""
    by_function: dict[tuple[str, int], list[int]] = {}
    for number, group in enumerate(groups):
        for function in sorted({(copy.path, copy.function) for copy in group.copies}):
            by_function.setdefault(function, []).append(number)
    neighbours = {pair for numbers in by_function.values() for pair in combinations(numbers, 2)}
    joined = [(a, b) for a, b in sorted(neighbours) if _continues(groups[a], groups[b])]
    regions = [
        _region([groups[number] for number in part], source) for part in components(len(groups), joined)
    ]
    return sorted(
        regions,
        key=lambda region: (
            -region.lines * len(region.copies),
            region.copies[0].path,
            region.copies[0].start,
        ),
    )


def components(size: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The numbers below `size` in parts that the pairs connect."""
    parent = list(range(size))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    for first, second in pairs:
        parent[max(root(first), root(second))] = min(root(first), root(second))
    parts: dict[int, list[int]] = {}
    for number in range(size):
        parts.setdefault(root(number), []).append(number)
    return list(parts.values())


def _continues(first: CloneGroup, second: CloneGroup) -> bool:
    """Whether two groups follow one another in at least two places, or are about the same lines in one."""
    twins: dict[tuple[str, int], list[int]] = {}
    for other, twin in enumerate(second.copies):
        twins.setdefault((twin.path, twin.function), []).append(other)
    near = [
        (number, other)
        for number, copy in enumerate(first.copies)
        for other in twins.get((copy.path, copy.function), ())
        if _is_near(copy, second.copies[other])
    ]
    if any(_is_overlap(first.copies[number], second.copies[other]) for number, other in near):
        return True
    return len({number for number, _ in near}) > 1 and len({other for _, other in near}) > 1


def _is_overlap(first: Copy, second: Copy) -> bool:
    """Whether two places share a third of the shorter one."""
    shared = min(first.end, second.end) - max(first.start, second.start) + 1
    return 3 * shared >= min(first.end - first.start, second.end - second.start) + 1


def _is_near(first: Copy, second: Copy) -> bool:
    return (first.path, first.function) == (second.path, second.function) and max(
        first.start, second.start
    ) - min(first.end, second.end) <= MAX_GAP_LINES


def _region(groups: list[CloneGroup], source: SourceLines) -> Region:
    groups = sorted(
        groups,
        key=lambda group: (-group.lines, -len(group.copies), group.copies[0].path, group.copies[0].start),
    )
    copies = list(groups[0].copies)
    # Where each copy is in a function of its own, what else these functions share is more of the same copies.
    is_apart = len({_function(copy) for copy in copies}) == len(copies)
    for group in groups[1:]:
        for copy in group.copies:
            near = [
                number
                for number, place in enumerate(copies)
                if _is_near(place, copy) or (is_apart and _function(place) == _function(copy))
            ]
            if not near:
                copies.append(copy)
                continue
            wide = _span(copies[near[0]], copy)
            others = copies[: near[0]] + copies[near[0] + 1 :]
            if not any(
                wide.path == other.path and wide.start <= other.end and other.start <= wide.end
                for other in others
            ):
                copies[near[0]] = wide
    exact = [group for group in groups if group.verbatim]
    shared = min(shared_lines(copy, groups, source) for copy in copies[:2])
    verbatim = min(shared_lines(copy, exact, source) for copy in copies[:2])
    return Region(tuple(copies), tuple(groups), shared, verbatim)


def _function(copy: Copy) -> tuple[str, int]:
    return copy.path, copy.function


def _span(first: Copy, second: Copy) -> Copy:
    return Copy(first.path, first.function, min(first.start, second.start), max(first.end, second.end))


def shared_lines(place: Copy, groups: Sequence[CloneGroup], source: SourceLines) -> int:
    """How many lines of code of a place belong to groups."""
    text = source.of(place.path)
    numbers = {
        line
        for group in groups
        for copy in group.copies
        if copy.path == place.path and place.start <= copy.start and copy.end <= place.end
        for line in range(copy.start, copy.end + 1)
    }
    return sum(bool(text[line - 1].strip()) for line in numbers)

"""Runs of lines that differ in names and literals only, in two or more places: found by their shapes, once per scan.

Windows of twelve lines are looked up by their hash; windows that repeat at the same distance are one longer run. Every step is
linear in the number of lines, however many files look alike.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from msgspec import Struct

from crimes.detection.context import Analysis, Context
from crimes.detection.per_file import per_file
from crimes.languages.engine.shapes import columns
from crimes.model.facts import FileFacts, Role
from crimes.model.repository import File

WINDOW_LINES = 12
MIN_WINDOW_SHAPES = 7  # different ones in a window: fewer make a table, not logic
MIN_TOKENS = 90
_NO_LIMIT = 1 << 30
_POSITION_BITS = 32  # of a place that hold the position in a function
_POSITION_MASK = (1 << _POSITION_BITS) - 1


class Copy(Struct, frozen=True):
    """One place of a clone class."""

    path: str
    function: int
    start: int
    end: int


class CloneClass(Struct, frozen=True):
    """Places whose lines have the same shapes, in order of path and line."""

    copies: tuple[Copy, ...]
    lines: int  # of code, in each
    tokens: int  # approximately, in each


class Clones(Struct, frozen=True):
    """Every clone class of the source files, largest first; none lies wholly inside another."""

    classes: tuple[CloneClass, ...]

    def of(self, path: str) -> tuple[CloneClass, ...]:
        """The classes with a copy in a file."""
        return tuple(clone for clone in self.classes if any(copy.path == path for copy in clone.copies))


class Windows(Struct, frozen=True, array_like=True, gc=False):
    """The windows of one file: the hash of each in eight bytes, and the place where it begins in eight more."""

    hashes: bytes
    places: bytes


def windows_of(facts: FileFacts) -> Windows | None:
    """The windows that count; inside one function, equal windows that overlap count once."""
    hashes, places = array("q"), array("q")
    for number, shape in enumerate(facts.shapes):
        shapes, _, _ = columns(shape.lines)
        last: dict[int, int] = {}
        for start in range(len(shapes) - WINDOW_LINES + 1):
            window = shapes[start : start + WINDOW_LINES]
            if len(set(window)) < MIN_WINDOW_SHAPES:
                continue
            digest = hash(window)  # of numbers: the same in every process
            if start - last.get(digest, -WINDOW_LINES) >= WINDOW_LINES:
                last[digest] = start
                hashes.append(digest)
                places.append(number << _POSITION_BITS | start)
    return Windows(hashes.tobytes(), places.tobytes()) if hashes else None


WINDOWS = per_file("windows", Windows, windows_of, frozenset({Role.SOURCE}))


def build(context: Context) -> Clones:
    return find_clones(context.repo.files, context[WINDOWS])


def find_clones(files: Mapping[str, File], windows: Mapping[str, Windows]) -> Clones:
    """Clones among the functions of source files."""
    source = {
        path: windows[path] for path, file in files.items() if file.role is Role.SOURCE and path in windows
    }

    @cache
    def lines_of(function: _Function) -> _Lines:
        return _lines(files, function)

    runs = _runs(_repeated_windows(source))
    classes = [_clone_class(lines_of, places, length) for places, length in runs]
    largest_first = sorted(
        (clone for clone in classes if clone.tokens >= MIN_TOKENS),
        key=lambda clone: (-clone.lines * len(clone.copies), clone.copies[0].path, clone.copies[0].start),
    )
    return Clones(tuple(_outermost(largest_first)))


_Function = tuple[str, int]  # path, and which of its shapes
_Place = tuple[_Function, int]  # and a position in it


def _repeated_windows(windows: Mapping[str, Windows]) -> Iterator[list[_Place]]:
    """The places of each window that occurs twice or more."""
    hashes = {path: array("q", own.hashes) for path, own in windows.items()}
    seen: set[int] = set()
    repeated: set[int] = set()
    for digests in hashes.values():
        distinct = set(digests)
        repeated |= distinct & seen
        if len(distinct) < len(digests):
            repeated.update(digest for digest, count in Counter(digests).items() if count > 1)
        seen |= distinct
    places: dict[int, list[_Place]] = {}
    for path, digests in hashes.items():
        if repeated.isdisjoint(digests):
            continue
        for digest, place in zip(digests, array("q", windows[path].places), strict=True):
            if digest in repeated:
                function = (path, place >> _POSITION_BITS)
                places.setdefault(digest, []).append((function, place & _POSITION_MASK))
    return iter(places.values())


def _runs(repeated: Iterator[list[_Place]]) -> Iterator[tuple[list[_Place], int]]:
    """Windows whose places advance together, as one run: the places it starts at, and its length in lines.

    Of two copies in one function, the first ends before the second begins.
    """
    together: dict[tuple[_Place, ...], list[int]] = {}
    for places in repeated:
        origin = places[0][1]
        together.setdefault(tuple((where, at - origin) for where, at in places), []).append(origin)
    for relative, origins in together.items():
        pairs = pairwise(relative)
        apart = min((b[1] - a[1] for a, b in pairs if a[0] == b[0]), default=_NO_LIMIT)
        first = before = -1
        for origin in [*sorted(origins), -1]:
            if first >= 0 and origin != before + 1:
                length = min(before - first + WINDOW_LINES, apart)
                yield [(where, first + at) for where, at in relative], length
                first = origin
            elif first < 0:
                first = origin
            before = origin


class _Lines(NamedTuple):
    """The code lines of one function."""

    function: int
    lengths: bytes
    lines: tuple[int, ...]


def _lines(files: Mapping[str, File], function: _Function) -> _Lines:
    path, number = function
    facts = files[path].facts
    shape = facts.shapes[number]
    _, lengths, steps = columns(shape.lines)
    start = facts.functions[shape.function].start
    return _Lines(shape.function, lengths, tuple(accumulate(steps, initial=start))[1:])


def _clone_class(lines_of: Callable[[_Function], _Lines], places: list[_Place], length: int) -> CloneClass:
    copies = []
    for where, at in places:
        function, _, lines = lines_of(where)
        copies.append(Copy(where[0], function, lines[at], lines[at + length - 1]))
    where, at = places[0]
    tokens = sum(lines_of(where).lengths[at : at + length])
    return CloneClass(tuple(sorted(copies, key=lambda copy: (copy.path, copy.start))), length, tokens)


def _outermost(classes: list[CloneClass]) -> Iterator[CloneClass]:
    """Without classes that repeat what a larger one says of the same lines."""
    covered: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for clone in classes:
        repeated = sum(
            any(first <= (copy.start + copy.end) // 2 <= last for first, last in covered.get(_key(copy), ()))
            for copy in clone.copies
        )
        if repeated >= len(clone.copies) - 1:
            continue
        for copy in clone.copies:
            covered.setdefault(_key(copy), []).append((copy.start, copy.end))
        yield clone


def _key(copy: Copy) -> tuple[str, int]:
    return copy.path, copy.function


CLONES = Analysis("clones", build)

"""Runs of lines that are alike up to names and literals, in two or more places: found by their shapes, once per scan.

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

WINDOW = 12  # lines
FEWEST_SHAPES = 7  # different ones in a window: a table of look-alike lines is no logic
FEWEST_TOKENS = 90
_ENDLESS = 1 << 30
_BITS = 32  # of a place that say the position in a function
_LOW = (1 << _BITS) - 1


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
    tokens: int  # about as many, in each


class Clones(Struct, frozen=True):
    """Every clone class of the source files, largest first; none lies wholly inside another."""

    classes: tuple[CloneClass, ...]

    def of(self, path: str) -> tuple[CloneClass, ...]:
        """The classes with a copy in a file."""
        return tuple(one for one in self.classes if any(copy.path == path for copy in one.copies))


class Windows(Struct, frozen=True, array_like=True, gc=False):
    """The windows of one file: the hash of each as eight bytes, and as many that say where it begins."""

    hashes: bytes
    places: bytes


def windows_of(facts: FileFacts) -> Windows | None:
    """The windows that count, without overlaps of the same inside one function."""
    hashes, places = array("q"), array("q")
    for number, shape in enumerate(facts.shapes):
        shapes, _, _ = columns(shape.lines)
        last: dict[int, int] = {}
        for at in range(len(shapes) - WINDOW + 1):
            window = shapes[at : at + WINDOW]
            if len(set(window)) < FEWEST_SHAPES:
                continue
            mark = hash(window)  # of numbers: the same in every process
            if at - last.get(mark, -WINDOW) >= WINDOW:
                last[mark] = at
                hashes.append(mark)
                places.append(number << _BITS | at)
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

    runs = _runs(_repeated(source))
    classes = [_as_class(lines_of, places, length) for places, length in runs]
    known = sorted(
        (one for one in classes if one.tokens >= FEWEST_TOKENS),
        key=lambda one: (-one.lines * len(one.copies), one.copies[0].path, one.copies[0].start),
    )
    return Clones(tuple(_outermost(known)))


_Function = tuple[str, int]  # path, and which of its shapes
_Place = tuple[_Function, int]  # and a position in it


def _repeated(windows: Mapping[str, Windows]) -> Iterator[list[_Place]]:
    """Places of each window that is seen twice or more."""
    hashes = {path: array("q", one.hashes) for path, one in windows.items()}
    seen: set[int] = set()
    again: set[int] = set()
    for marks in hashes.values():
        own = set(marks)
        again |= own & seen
        if len(own) < len(marks):
            again.update(mark for mark, count in Counter(marks).items() if count > 1)
        seen |= own
    found: dict[int, list[_Place]] = {}
    for path, marks in hashes.items():
        if again.isdisjoint(marks):
            continue
        for mark, place in zip(marks, array("q", windows[path].places), strict=True):
            if mark in again:
                found.setdefault(mark, []).append(((path, place >> _BITS), place & _LOW))
    return iter(found.values())


def _runs(repeated: Iterator[list[_Place]]) -> Iterator[tuple[list[_Place], int]]:
    """Windows whose places move on together, as one run: the places it starts at, and its length in lines.

    Two copies in one function end before the second begins.
    """
    together: dict[tuple[_Place, ...], list[int]] = {}
    for places in repeated:
        origin = places[0][1]
        together.setdefault(tuple((where, at - origin) for where, at in places), []).append(origin)
    for relative, origins in together.items():
        pairs = pairwise(relative)
        apart = min((b[1] - a[1] for a, b in pairs if a[0] == b[0]), default=_ENDLESS)
        first = before = -1
        for origin in [*sorted(origins), -1]:
            if first >= 0 and origin != before + 1:
                yield [(where, first + at) for where, at in relative], min(before - first + WINDOW, apart)
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


def _as_class(lines_of: Callable[[_Function], _Lines], places: list[_Place], length: int) -> CloneClass:
    copies = []
    for where, at in places:
        function, _, lines = lines_of(where)
        copies.append(Copy(where[0], function, lines[at], lines[at + length - 1]))
    where, at = places[0]
    tokens = sum(lines_of(where).lengths[at : at + length])
    return CloneClass(tuple(sorted(copies, key=lambda copy: (copy.path, copy.start))), length, tokens)


def _outermost(classes: list[CloneClass]) -> Iterator[CloneClass]:
    """Without those that say again of the same lines what a larger one has said."""
    covered: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for one in classes:
        told = sum(
            any(first <= (copy.start + copy.end) // 2 <= last for first, last in covered.get(_key(copy), ()))
            for copy in one.copies
        )
        if told >= len(one.copies) - 1:
            continue
        for copy in one.copies:
            covered.setdefault(_key(copy), []).append((copy.start, copy.end))
        yield one


def _key(copy: Copy) -> tuple[str, int]:
    return copy.path, copy.function


CLONES = Analysis("clones", build)

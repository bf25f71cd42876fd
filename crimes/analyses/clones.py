"""Runs of lines that are alike up to names and literals, in two or more places: found by their shapes, once per scan.

Windows of twelve lines are looked up by their hash; windows that repeat at the same distance are one longer run. Every step is
linear in the number of lines, however many files look alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise

from crimes.context import Analysis, Context
from crimes.languages.shapes import columns
from crimes.model import File, Role

WINDOW = 12  # lines
FEWEST_SHAPES = 7  # different ones in a window: a table of look-alike lines is no logic
FEWEST_TOKENS = 90
_ENDLESS = 1 << 30


@dataclass(frozen=True)
class Copy:
    """One place of a clone class."""

    path: str
    function: int
    start: int
    end: int


@dataclass(frozen=True)
class CloneClass:
    """Places whose lines have the same shapes, in order of path and line."""

    copies: tuple[Copy, ...]
    lines: int  # of code, in each
    tokens: int  # about as many, in each


@dataclass(frozen=True)
class Clones:
    """Every clone class of the source files, largest first; none lies wholly inside another."""

    classes: tuple[CloneClass, ...]

    def of(self, path: str) -> tuple[CloneClass, ...]:
        """The classes with a copy in a file."""
        return tuple(one for one in self.classes if any(copy.path == path for copy in one.copies))


@dataclass(frozen=True)
class _Sequence:
    """The code lines of one function."""

    path: str
    function: int
    shapes: tuple[int, ...]
    lengths: bytes
    lines: tuple[int, ...]


def build(context: Context) -> Clones:
    return find_clones(context.repo.files)


def find_clones(files: Mapping[str, File]) -> Clones:
    """Clones among the functions of source files."""
    sequences = list(_sequences(files))
    runs = _runs(_repeated(sequences))
    classes = [_as_class(sequences, places, length) for places, length in runs]
    known = sorted(
        (one for one in classes if one.tokens >= FEWEST_TOKENS),
        key=lambda one: (-one.lines * len(one.copies), one.copies[0].path, one.copies[0].start),
    )
    return Clones(tuple(_outermost(known)))


def _sequences(files: Mapping[str, File]) -> Iterator[_Sequence]:
    for path, file in files.items():
        if file.role is not Role.SOURCE:
            continue
        for shape in file.facts.shapes:
            line = file.facts.functions[shape.function].start
            shapes, lengths, steps = columns(shape.lines)
            lines = tuple(accumulate(steps, initial=line))[1:]
            yield _Sequence(path, shape.function, shapes, lengths, lines)


_Place = tuple[int, int]  # sequence, position


def _repeated(sequences: list[_Sequence]) -> Iterator[list[_Place]]:
    """Places of each window that is seen twice or more, without overlaps inside one function."""
    seen: dict[int, list[_Place]] = {}
    for index, sequence in enumerate(sequences):
        shapes = sequence.shapes
        for at in range(len(shapes) - WINDOW + 1):
            window = shapes[at : at + WINDOW]
            if len(set(window)) < FEWEST_SHAPES:
                continue
            places = seen.setdefault(hash(window), [])
            if not places or places[-1][0] != index or at - places[-1][1] >= WINDOW:
                places.append((index, at))
    return (places for places in seen.values() if len(places) > 1)


def _runs(repeated: Iterator[list[_Place]]) -> Iterator[tuple[list[_Place], int]]:
    """Windows whose places move on together, as one run: the places it starts at, and its length in lines.

    Two copies in one function end before the second begins.
    """
    together: dict[tuple[_Place, ...], list[int]] = {}
    for places in repeated:
        origin = places[0][1]
        together.setdefault(tuple((index, at - origin) for index, at in places), []).append(origin)
    for relative, origins in together.items():
        pairs = pairwise(relative)
        apart = min((b[1] - a[1] for a, b in pairs if a[0] == b[0]), default=_ENDLESS)
        first = before = -1
        for origin in [*sorted(origins), -1]:
            if first >= 0 and origin != before + 1:
                yield [(index, first + at) for index, at in relative], min(before - first + WINDOW, apart)
                first = origin
            elif first < 0:
                first = origin
            before = origin


def _as_class(sequences: list[_Sequence], places: list[_Place], length: int) -> CloneClass:
    copies = []
    for index, at in places:
        sequence = sequences[index]
        copies.append(
            Copy(sequence.path, sequence.function, sequence.lines[at], sequence.lines[at + length - 1])
        )
    index, at = places[0]
    tokens = sum(sequences[index].lengths[at : at + length])
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

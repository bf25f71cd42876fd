r"""Matches names in coverage data to files of the repository: by the longest ending that only one file has.

Data come from other machines and other folders: `/home/ci/shop/src/a.py`, `C:\shop\src\a.ts`, `com/acme/A.java`,
`example.org/shop/pkg/a.go`. Names are only compared with the list of files; none is opened.

1. A name below the root, or relative to the data's folder or one above it, is that file if it exists.
2. Otherwise the files with the longest common ending are candidates: those near the data's folder first.
3. Of several, the winner is the one whose prefixes most other names of the same data share.

An ending of one component is weak: it counts only if it is the whole name, or if the file is in the root of the
repository and the name has the most frequent prefix.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile

from msgspec import Struct

_FOREIGN = frozenset({"node_modules", "site-packages", "dist-packages"})
_MAX_CANDIDATES = 1_000  # an ending that more files share says nothing
_AFTER_ALL = "\U0010ffff"

Parts = tuple[str, ...]
Prefixes = tuple[Parts, str]  # what precedes the common ending: in the name, and in the path of the file


class PathMatches(Struct, frozen=True):
    """Files by their names in the data, and the names that match no file, or several."""

    files: dict[str, str]
    unmatched: tuple[str, ...]
    ambiguous: tuple[str, ...]


class _Reading(Struct, frozen=True):
    """One way to read a name, and the files it may mean."""

    parts: Parts
    depth: int  # components of the common ending
    candidates: tuple[str, ...]

    @property
    def weak(self) -> bool:
        return self.depth == 1 and len(self.parts) > 1

    def prefixes(self, path: str) -> Prefixes:
        ending = "/".join(self.parts[-self.depth :])
        return self.parts[: -self.depth], path.removesuffix(ending)


class PathMatcher:
    """The files of a repository, sorted by their components in reverse: common endings are adjacent."""

    def __init__(self, paths: Iterable[str], root: str) -> None:
        self._paths = frozenset(paths)
        self._root = _parts(root)
        self._ordered = sorted((_reversed_path(path.split("/")), path) for path in self._paths)
        self._keys = [key for key, _ in self._ordered]

    def match(self, names: Iterable[str], roots: tuple[str, ...], folder: str) -> PathMatches:
        """`roots` are folders the names may be relative to, `folder` is that of the data in the repository."""
        files: dict[str, str] = {}
        unmatched: list[str] = []
        ambiguous: list[str] = []
        inexact: dict[str, list[_Reading]] = {}
        for name in names:
            readings = _readings(name, roots)
            exact = {path for parts in readings if (path := self._exact(parts, folder))}
            if len(exact) == 1:
                files[name] = exact.pop()
            elif exact:
                ambiguous.append(name)
            else:
                inexact[name] = self._longest(readings, folder)
        votes = Counter(prefixes for found in inexact.values() for prefixes in _unambiguous_prefixes(found))
        most = max(votes.values(), default=0)
        for name, found in inexact.items():
            score = {path: votes[reading.prefixes(path)] for reading in found for path in reading.candidates}
            needed = most if any(reading.weak for reading in found) else max(score.values(), default=0)
            best = [path for path, count in score.items() if count == needed and (count or len(score) == 1)]
            if len(best) == 1:
                files[name] = best[0]
            else:
                (ambiguous if len(score) > 1 else unmatched).append(name)
        return PathMatches(files, tuple(unmatched), tuple(ambiguous))

    def _exact(self, parts: Parts, folder: str) -> str:
        depth = len(self._root)
        if parts[:depth] == self._root and (path := "/".join(parts[depth:])) in self._paths:
            return path
        relative = (f"{above}/{'/'.join(parts)}".removeprefix("/") for above in _folder_and_parents(folder))
        return next((path for path in relative if path in self._paths), "")

    def _longest(self, readings: list[Parts], folder: str) -> list[_Reading]:
        """The readings with the longest ending that files of the repository share."""
        found = [reading for parts in readings if (reading := self._ending_like(parts, folder)).candidates]
        deepest = max((reading.depth for reading in found), default=0)
        return [reading for reading in found if reading.depth == deepest]

    def _ending_like(self, parts: Parts, folder: str) -> _Reading:
        key = _reversed_path(parts)
        at = bisect_left(self._keys, key)
        depth = max(
            (_common_components(key, other) for other in self._keys[max(at - 1, 0) : at + 1]), default=0
        )
        if not depth:
            return _Reading(parts, 0, ())
        ending = _reversed_path(parts[-depth:])
        first, last = bisect_left(self._keys, ending), bisect_left(self._keys, ending + _AFTER_ALL)
        foreign = _FOREIGN.intersection(parts)
        paths = [
            path
            for _, path in self._ordered[first : min(last, first + _MAX_CANDIDATES)]
            if foreign <= set(path.split("/")) and (depth > 1 or len(parts) == 1 or path == parts[-1])
        ]
        near = (
            [path for path in paths if path.startswith(f"{above}/")]
            for above in _folder_and_parents(folder)
            if above
        )
        return _Reading(parts, depth, tuple(next(filter(None, near), paths)))


def _unambiguous_prefixes(readings: list[_Reading]) -> Iterator[Prefixes]:
    """The prefixes of a name that can mean only one file and has more components than the common ending.

    A name that is an ending itself has no prefix to compare.
    """
    if len(readings) == 1 and len(readings[0].candidates) == 1 and readings[0].depth < len(readings[0].parts):
        yield readings[0].prefixes(readings[0].candidates[0])


def _readings(name: str, roots: tuple[str, ...]) -> list[Parts]:
    """The components of a name; of a relative name, once for each folder it may be relative to."""
    absolute = name.startswith(("/", "\\")) or name[1:2] == ":"
    paths = [name] if absolute or not roots else [f"{root}/{name}" for root in roots]
    return [parts for parts in dict.fromkeys(_parts(path) for path in paths) if parts]


def _parts(text: str) -> Parts:
    """Components without dots; `..` removes the one before it, if there is one."""
    parts: list[str] = []
    for part in text.replace("\\", "/").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return tuple(parts)


def _folder_and_parents(folder: str) -> Iterator[str]:
    """A folder and those above it, the root as an empty string."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def _reversed_path(parts: Iterable[str]) -> str:
    return "".join(f"{part}/" for part in reversed(tuple(parts)))


def _common_components(first: str, second: str) -> int:
    """Leading components that two reversed paths share."""
    pairs = zip(first.split("/")[:-1], second.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

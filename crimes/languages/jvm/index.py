"""What each package holds, and which of several files of one name a file means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from crimes.languages.jvm.layout import is_test_path, root_of, split
from crimes.model.facts import FileFacts


class Index:
    """Top-level names by package. Where several files define one name, the nearest is meant."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        self._names: dict[str, dict[str, list[str]]] = {}
        self._roots: dict[str, tuple[str, ...]] = {}
        self._tests: dict[str, bool] = {}
        self._nearest: dict[tuple[tuple[str, ...], bool, tuple[str, ...]], tuple[str, ...]] = {}
        for path, known in sorted(facts.items()):
            self._roots[path] = tuple(root_of(path, known.packages).split("/"))
            self._tests[path] = is_test_path(path)
            # A file with several package clauses may define its names in any of them.
            for package in packages_of(known):
                names = self._names.setdefault(package, {})
                for name in sorted({*_defined(known), *_names_by_file(path, known)}):
                    names.setdefault(name, []).append(path)

    def has_package(self, package: str) -> bool:
        return package in self._names

    def names_in(self, package: str) -> Mapping[str, list[str]]:
        """The names a package holds; none for one that is not of this repository."""
        return self._names.get(package, {})

    def find(self, path: str, package: str, name: str) -> tuple[str, ...]:
        """The file that means `name` of `package` for the file `path`; several where they are equally near."""
        found = self._names.get(package, {}).get(name)
        if not found:
            return ()
        return tuple(found) if len(found) == 1 else self._choose(path, tuple(found))

    def locate(self, path: str, dotted: str, inside: str = "") -> tuple[str, ...]:
        """The file of a name with its package, or of a member of one: the longest package counts.

        `inside` is a package it is known to stand in, for names relative to that.
        """
        parts = [*inside.split("."), *dotted.split(".")] if inside else dotted.split(".")
        least = inside.count(".") + 1 if inside else 0
        for end in range(len(parts) - 1, least - 1, -1):
            found = self.find(path, ".".join(parts[:end]), parts[end])
            if found:
                return found
        return ()

    def _choose(self, path: str, found: tuple[str, ...]) -> tuple[str, ...]:
        asked = (self._roots[path], self._tests[path], found)
        if asked not in self._nearest:
            ranked = [(self._rank(path, candidate), candidate) for candidate in found]
            best = min(rank for rank, _ in ranked)
            if _is_common(self._roots[path]):  # what is only expected here is written for each platform
                best = max(
                    rank for rank, candidate in ranked if self._in_module(path, candidate) or rank == best
                )
            self._nearest[asked] = tuple(candidate for rank, candidate in ranked if rank <= best)
        return self._nearest[asked]

    def _in_module(self, path: str, candidate: str) -> bool:
        """Whether two files lie in source sets of one module, and production code in both or tests."""
        here, there = split("/".join(self._roots[path])), split("/".join(self._roots[candidate]))
        return bool(here[1] and there[1]) and here[0] == there[0] and not self._tests[candidate]

    def _rank(self, path: str, candidate: str) -> tuple[bool, int, bool]:
        """Production code does not see tests; then folders to walk; then what all platforms share."""
        here, there = self._roots[path], self._roots[candidate]
        shared = next(
            (at for at, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), -1
        )
        if shared < 0:
            shared = min(len(here), len(there))
        steps = len(here) + len(there) - 2 * shared
        return self._tests[candidate] and not self._tests[path], steps, not _is_common(there)


def _defined(facts: FileFacts) -> Iterator[str]:
    """Where the grammar lost its way, methods seem to stand outside of their class: only types are believed."""
    return (name for name in facts.definitions if not facts.errors or name[:1].isupper())


def _names_by_file(path: str, facts: FileFacts) -> Iterator[str]:
    """Names that come of the file's own: what Java calls the functions of a Kotlin file (`strings.kt` is `StringsKt`).

    A file the grammar could not read to its end most likely holds the type it is named after.
    """
    stem, _, ending = path.rpartition("/")[2].partition(".")
    if ending == "kt" and any(not name[:1].isupper() for name in facts.definitions):
        yield f"{stem[:1].upper()}{stem[1:]}Kt"
    if facts.errors:
        yield stem


def _is_common(root: Iterable[str]) -> bool:
    return any(folder.startswith("common") for folder in root)


def packages_of(facts: FileFacts) -> tuple[str, ...]:
    """The packages a file states, the innermost first: what they hold is in sight without an import."""
    return tuple(sorted(facts.packages, key=len, reverse=True)) or ("",)

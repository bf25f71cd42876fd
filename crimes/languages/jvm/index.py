"""The names each package defines, and which of several files with one name is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from crimes.languages.jvm.layout import is_test_path, source_root, split_source_set
from crimes.model.facts import FileFacts


class Index:
    """Top-level names by package. If several files define a name, the nearest is meant."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        self._names: dict[str, dict[str, list[str]]] = {}
        self._roots: dict[str, tuple[str, ...]] = {}
        self._tests: dict[str, bool] = {}
        self._nearest: dict[tuple[tuple[str, ...], bool, tuple[str, ...]], tuple[str, ...]] = {}
        for path, file_facts in sorted(facts.items()):
            self._roots[path] = tuple(source_root(path, file_facts.packages).split("/"))
            self._tests[path] = is_test_path(path)
            # A file with several package clauses may define its names in any of them.
            for package in packages_of(file_facts):
                names = self._names.setdefault(package, {})
                for name in sorted({*_definitions(file_facts), *_names_from_path(path, file_facts)}):
                    names.setdefault(name, []).append(path)

    def has_package(self, package: str) -> bool:
        return package in self._names

    def names_in(self, package: str) -> Mapping[str, list[str]]:
        """The names a package defines, with their files; none if it is not of this repository."""
        return self._names.get(package, {})

    def find(self, path: str, package: str, name: str) -> tuple[str, ...]:
        """The file that `name` of `package` means in the file `path`; several if they are equally near."""
        files = self._names.get(package, {}).get(name)
        if not files:
            return ()
        return tuple(files) if len(files) == 1 else self._choose(path, tuple(files))

    def locate(self, path: str, dotted: str, inside: str = "") -> tuple[str, ...]:
        """The file of a qualified name, or of the type it is a member of: the longest package that fits counts.

        `inside` is a package that the name is relative to.
        """
        parts = [*inside.split("."), *dotted.split(".")] if inside else dotted.split(".")
        shortest = inside.count(".") + 1 if inside else 0
        for end in range(len(parts) - 1, shortest - 1, -1):
            if files := self.find(path, ".".join(parts[:end]), parts[end]):
                return files
        return ()

    def _choose(self, path: str, candidates: tuple[str, ...]) -> tuple[str, ...]:
        key = (self._roots[path], self._tests[path], candidates)
        if key not in self._nearest:
            ranked = [(self._rank(path, candidate), candidate) for candidate in candidates]
            best = min(rank for rank, _ in ranked)
            if _is_common(self._roots[path]):  # an `expect` declaration has one `actual` per platform
                best = max(
                    rank for rank, candidate in ranked if self._in_module(path, candidate) or rank == best
                )
            self._nearest[key] = tuple(candidate for rank, candidate in ranked if rank <= best)
        return self._nearest[key]

    def _in_module(self, path: str, candidate: str) -> bool:
        """Whether the candidate is production code in a source set of the same module."""
        here = split_source_set("/".join(self._roots[path]))
        there = split_source_set("/".join(self._roots[candidate]))
        return bool(here[1] and there[1]) and here[0] == there[0] and not self._tests[candidate]

    def _rank(self, path: str, candidate: str) -> tuple[bool, int, bool]:
        """Lower is nearer: tests last for production code, then by folders between them, then code that all platforms share."""
        here, there = self._roots[path], self._roots[candidate]
        differences = (at for at, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1])
        shared = next(differences, min(len(here), len(there)))
        steps = len(here) + len(there) - 2 * shared
        return self._tests[candidate] and not self._tests[path], steps, not _is_common(there)


def _definitions(facts: FileFacts) -> Iterator[str]:
    """Top-level names; after a syntax error only types, since methods may seem to be outside of their class."""
    return (name for name in facts.definitions if not facts.errors or name[:1].isupper())


def _names_from_path(path: str, facts: FileFacts) -> Iterator[str]:
    """Names derived from the path: Java's class for the functions of a Kotlin file (`strings.kt` is `StringsKt`).

    A file with syntax errors most likely defines the type it is named after.
    """
    stem, _, ending = path.rpartition("/")[2].partition(".")
    if ending == "kt" and any(not name[:1].isupper() for name in facts.definitions):
        yield f"{stem[:1].upper()}{stem[1:]}Kt"
    if facts.errors:
        yield stem


def _is_common(root: Iterable[str]) -> bool:
    return any(folder.startswith("common") for folder in root)


def packages_of(facts: FileFacts) -> tuple[str, ...]:
    """The packages a file declares, innermost first: their names are visible without an import."""
    return tuple(sorted(facts.packages, key=len, reverse=True)) or ("",)

"""Which tests a file has: those that import it, or only bear its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from crimes.analyses.import_graph import IMPORT_GRAPH, ImportGraph
from crimes.detection.context import Analysis, Context
from crimes.detection.per_file import per_file
from crimes.languages import by_id
from crimes.model.facts import FileFacts, Role
from crimes.model.repository import File

_TEST_FOLDERS = ("__tests__", "spec", "test", "tests")
_MAX_OMITTED_FOLDERS = 3
_UNIQUE_NAME_DISTANCE = _MAX_OMITTED_FOLDERS + 2


class Tests(Struct, frozen=True):
    """Tests of one file. `importing` wins over `by_name`; `transitive` counts all that reach it."""

    importing: tuple[str, ...]  # never the file itself
    by_name: tuple[str, ...]
    transitive: int
    own: bool = False  # the file holds its own tests


class TestMap(Struct, frozen=True):
    """Tests by the file they reach."""

    of: Mapping[str, Tests]
    test_files: tuple[str, ...]
    testable: frozenset[str]  # code that is not a test: a document cannot be tested, so it has no gap

    def gap(self, path: str) -> int:
        """The spec's test_gap in hundredths: 0, 50 or 100."""
        if path not in self.testable or self.direct(path):
            return 0
        return 50 if self.of[path].by_name else 100

    def direct(self, path: str) -> tuple[str, ...]:
        """The files whose tests use a file directly: itself where it holds its own tests, and test files that import it."""
        tests = self.of.get(path)
        if tests is None:
            return ()
        return (path, *tests.importing) if tests.own else tests.importing


def build(context: Context) -> TestMap:
    return map_tests(
        context.repo.files,
        context[IMPORT_GRAPH],
        lambda file: by_id[file.language].test_candidates(file.path),
        lambda file: by_id[file.language].inline_tests,
    )


def map_tests(
    files: Mapping[str, File],
    graph: ImportGraph,
    candidates: Callable[[File], Sequence[str]],
    inline: Callable[[File], bool] = lambda file: False,
) -> TestMap:
    """Tests of every file. `candidates` gives the names a test of a file would have: none for a document.

    `inline` says whether a file may hold its own tests; such a file is no test file, but has no gap.

    Every file in the test role counts, fixtures and helpers too: what they import, some test relies on.
    """
    tests = {path for path, file in files.items() if file.role is Role.TEST}
    wanted = {path: candidates(file) for path, file in files.items() if path not in tests}
    named = _tests_by_name(wanted, tests)
    transitive = graph.reached_by(tests)
    of = {
        path: Tests(
            importing=tuple(source for source in graph.direct(path) if source in tests and source != path),
            by_name=named.get(path, ()),
            transitive=transitive[path],
            own=path not in tests and inline(files[path]) and has_tests(files[path].facts),
        )
        for path in files
    }
    return TestMap(of, tuple(sorted(tests)), frozenset(path for path, names in wanted.items() if names))


def has_tests(facts: FileFacts) -> bool:
    return any(function.is_test for function in facts.functions)


HAS_TESTS = per_file("holds tests", bool, has_tests)


def _tests_by_name(wanted: Mapping[str, Sequence[str]], tests: set[str]) -> dict[str, tuple[str, ...]]:
    """By file: the tests named after it that are nearer to no other file, or can mean no other."""
    by_last_name: dict[str, list[str]] = {}
    for test in sorted(tests):
        by_last_name.setdefault(_last_name(test), []).append(test)
    rivals = Counter(name for names in wanted.values() for name in names)
    claims: dict[str, dict[str, int]] = {}
    folders = cache(lambda folder: tuple(_test_folders(folder)))  # most files share theirs with others
    for path, names in wanted.items():
        for name in names:
            last = _last_name(name)
            if last not in by_last_name:
                continue
            for folder, distance in folders(path.rpartition("/")[0]):
                test = f"{folder}/{last}".removeprefix("/")
                if test in tests and f"/{test}".endswith(f"/{name}"):
                    claims.setdefault(test, {}).setdefault(path, distance)
            if rivals[name] == 1:
                bearers = [test for test in by_last_name[last] if f"/{test}".endswith(f"/{name}")]
                if len(bearers) == 1:
                    claims.setdefault(bearers[0], {}).setdefault(path, _UNIQUE_NAME_DISTANCE)
    tests_of: dict[str, list[str]] = {path: [] for path in wanted}
    for test, claimants in sorted(claims.items()):
        nearest = min(claimants.values())
        for path in (path for path, distance in claimants.items() if distance == nearest):
            tests_of[path].append(test)
    return {path: tuple(named) for path, named in tests_of.items()}


def _test_folders(folder: str) -> Iterator[tuple[str, int]]:
    """Folders where a test of a file in `folder` may be, with their distance, nearest first.

    They are the folder itself, and test folders in it or above it that mirror the path to it. The mirrored path may
    omit the source folder (`src/a/x` and `test/a/x`), and up to three folders if some remain (`src/pkg/a/x` and
    `tests/a/x`).
    """
    yield folder, 0
    parts = folder.split("/") if folder else []
    for omitted in range(_MAX_OMITTED_FOLDERS + 1):
        for depth in range(len(parts) - omitted, -1, -1):
            repeated = parts[depth + omitted :]
            if repeated or omitted <= 1:
                for name in _TEST_FOLDERS:
                    yield "/".join([*parts[:depth], name, *repeated]), 1 + omitted


def _last_name(path: str) -> str:
    return path.rpartition("/")[2]


TEST_MAP = Analysis("test_map", build)

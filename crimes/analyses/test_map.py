"""Which tests reach a file: by importing it, or only by their name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from crimes.analyses.import_graph import IMPORT_GRAPH, ImportGraph
from crimes.context import Analysis, Context
from crimes.languages import by_id
from crimes.model import File, Role

_TEST_FOLDERS = frozenset({"__tests__", "test", "tests"})


@dataclass(frozen=True)
class Tests:
    """Tests of one file. `importing` wins over `by_name`; `transitive` counts all that reach it."""

    importing: tuple[str, ...]
    by_name: tuple[str, ...]
    transitive: int


@dataclass(frozen=True)
class TestMap:
    """Tests by the file they reach."""

    of: Mapping[str, Tests]
    test_files: tuple[str, ...]
    testable: frozenset[str]  # code that is no test itself: a document cannot be tested, so it has no gap

    def gap(self, path: str) -> int:
        """The spec's test_gap in hundredths: 0, 50 or 100."""
        if path not in self.testable or self.of[path].importing:
            return 0
        return 50 if self.of[path].by_name else 100


def build(context: Context) -> TestMap:
    return map_tests(
        context.repo.files,
        context[IMPORT_GRAPH],
        lambda file: by_id[file.language].test_candidates(file.path),
    )


def map_tests(
    files: Mapping[str, File], graph: ImportGraph, candidates: Callable[[File], Sequence[str]]
) -> TestMap:
    """Tests of every file. `candidates` gives the names a test of a file would have: none for a document.

    Every file in a test's role counts, fixtures and helpers too: what they import, some test relies on.
    """
    tests = {path for path, file in files.items() if file.role is Role.TEST}
    wanted = {path: candidates(file) for path, file in files.items() if path not in tests}
    named = _named(wanted, tests)
    transitive = graph.reached_by(tests)
    of = {
        path: Tests(
            importing=tuple(source for source in graph.direct(path) if source in tests),
            by_name=named.get(path, ()),
            transitive=transitive[path],
        )
        for path in files
    }
    return TestMap(of, tuple(sorted(tests)), frozenset(path for path, names in wanted.items() if names))


def _named(wanted: Mapping[str, Sequence[str]], tests: set[str]) -> dict[str, tuple[str, ...]]:
    """By file: the tests that bear its name and stand near, or that can mean no other file."""
    by_last_name: dict[str, list[str]] = {}
    for test in sorted(tests):
        by_last_name.setdefault(test.rpartition("/")[2], []).append(test)
    rivals = Counter(name for names in wanted.values() for name in names)
    found = {}
    for path, names in wanted.items():
        matches: set[str] = set()
        for name in names:
            bearers = [
                test
                for test in by_last_name.get(name.rpartition("/")[2], ())
                if f"/{test}".endswith(f"/{name}")
            ]
            unmistakable = len(bearers) == 1 and rivals[name] == 1
            matches.update(test for test in bearers if unmistakable or _near(path, test))
        found[path] = tuple(sorted(matches))
    return found


def _near(path: str, test: str) -> bool:
    """The same folder, or a test folder at or above it that repeats the path to it.

    The repetition may leave out the folder of all sources (`src/a/x` and `test/a/x`), and more where folders
    are left to repeat (`src/pkg/a/x` and `tests/a/x`).
    """
    home, stand = path.split("/")[:-1], test.split("/")[:-1]
    if home == stand:
        return True
    for depth, folder in enumerate(stand):
        if folder in _TEST_FOLDERS and stand[:depth] == home[:depth]:
            rest, repeated = home[depth:], stand[depth + 1 :]
            dropped = len(rest) - len(repeated)
            if dropped >= 0 and rest[dropped:] == repeated and (repeated or dropped <= 1):
                return True
    return False


TEST_MAP = Analysis("test_map", build)

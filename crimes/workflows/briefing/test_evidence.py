"""What speaks of tests besides imports and names: it is shown beside test_gap, and does not move it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from posixpath import basename, dirname, normpath, splitext

from crimes.analyses.import_graph import ImportGraph
from crimes.analyses.test_map import Tests
from crimes.detection.context import Context
from crimes.detection.per_file import per_file
from crimes.model.facts import EdgeKind, FileFacts, Role
from crimes.model.repository import File
from crimes.workflows.briefing.record import Companion, TestEvidence

_MAX_TESTS = 3
_MIN_SHARED_COMMITS = 2
_MOCK_CALLS = frozenset({"mock", "patch", "doMock", "unstable_mockModule"})
# Calls by which tests of several languages start a program of their own repository.
_STARTING_CALLS = frozenset(
    {"cargo_bin", "CliRunner", "CommandTester", "ApplicationTester", "GradleRunner", "run_bin"}
)
_PACKAGE_FILES = frozenset({"__init__.py"})


def _mocked_names(facts: FileFacts) -> list[str]:
    """The modules or dotted names that a test replaces."""
    return sorted({text.value for text in facts.texts if _last_word(text.call) in _MOCK_CALLS})


def _starts_program(facts: FileFacts) -> bool:
    return any(_last_word(call.target) in _STARTING_CALLS for call in facts.calls)


_TESTS_ONLY = frozenset({Role.TEST})
MOCKED_NAMES = per_file("mocked names", list[str], _mocked_names, _TESTS_ONLY)
STARTS_PROGRAM = per_file("starts the program", bool, _starts_program, _TESTS_ONLY)


class EvidenceOfTests:
    """Answers for the files of one scan."""

    def __init__(self, context: Context, graph: ImportGraph | None) -> None:
        self._context, self._graph, self._files = context, graph, context.repo.files

    def of(
        self, path: str, tests: Tests, reached: int, companions: Sequence[Companion]
    ) -> tuple[TestEvidence, ...]:
        """What is known of one file; nothing of a test, or of what no language reads."""
        file = self._files.get(path)
        if file is None or file.role not in (Role.SOURCE, Role.SCRIPT):
            return ()
        kinds = (
            *self._no_tests(path, tests.importing),
            *self._changing(tests, companions),
            *(() if tests.importing else self._same_package(path, file, tests)),
            *(() if tests.importing else self._through_api(path)),
            *(() if tests.importing or reached else self._starting(path, file.language)),
        )
        return tuple(kinds)

    def _no_tests(self, path: str, importing: Sequence[str]) -> Iterator[TestEvidence]:
        """Tests that import the file and do not test it."""
        edges = self._graph.importers.get(path, ()) if self._graph else ()
        kinds: dict[str, set[EdgeKind]] = {}
        for edge in edges:
            kinds.setdefault(edge.source, set()).add(edge.kind)
        mocked = [
            test
            for test in importing
            if _mocks(test, path, kinds.get(test, set()), self._mocked.get(test, ()))
        ]
        types = [test for test in importing if kinds.get(test) == {EdgeKind.TYPE_ONLY} and test not in mocked]
        yield from _evidence("mocked", mocked, len(mocked))
        yield from _evidence("types_only", types, len(types))

    def _changing(self, tests: Tests, companions: Sequence[Companion]) -> Iterator[TestEvidence]:
        """The test that changes with the file most often and does not import it."""
        for other in companions:
            role = self._files[other.file].role if other.file in self._files else None
            if (
                role is Role.TEST
                and other.commits >= _MIN_SHARED_COMMITS
                and other.file not in tests.importing
            ):
                yield TestEvidence("changes_with_it", (other.file,), 1, other.commits, other.of)
                return

    def _same_package(self, path: str, file: File, tests: Tests) -> Iterator[TestEvidence]:
        """Tests of the same package in a language where they see all of it."""
        if file.traits.package_tests:
            named = set(tests.by_name)
            yield from _evidence(
                "same_package",
                [test for test in self._package_tests.get(dirname(path), ()) if test not in named],
            )

    def _through_api(self, path: str) -> Iterator[TestEvidence]:
        """Tests that import a file which passes on names of this one."""
        edges = self._graph.importers.get(path, ()) if self._graph else ()
        for edge in edges:
            if edge.kind is EdgeKind.REEXPORT or basename(edge.source) in _PACKAGE_FILES:
                users = self._graph.direct(edge.source) if self._graph else ()
                tests = [user for user in users if self._is_test(user)]
                if tests:
                    yield from _evidence("public_api", tests, via=edge.source)
                    return

    def _starting(self, path: str, language: str) -> Iterator[TestEvidence]:
        """Tests of the same language that start a program."""
        starting = self._context[STARTS_PROGRAM]
        top = path.partition("/")[0]
        same = [test for test in starting if self._files[test].language == language]
        near = [test for test in same if test.partition("/")[0] == top]
        yield from _evidence("starts_program", sorted(near or same))

    def _is_test(self, path: str) -> bool:
        return path in self._files and self._files[path].role is Role.TEST

    @cached_property
    def _mocked(self) -> Mapping[str, list[str]]:
        return self._context[MOCKED_NAMES]

    @cached_property
    def _package_tests(self) -> dict[str, list[str]]:
        """By folder: its tests that see all of its package."""
        tests: dict[str, list[str]] = {}
        for path, file in self._files.items():
            if file.traits.package_tests and file.role is Role.TEST:
                tests.setdefault(dirname(path), []).append(path)
        return tests


def _evidence(
    kind: str, tests: Sequence[str], max_tests: int = _MAX_TESTS, via: str = ""
) -> Iterator[TestEvidence]:
    if tests:
        yield TestEvidence(kind, tuple(tests[:max_tests]), len(tests), via=via)


def _mocks(test: str, path: str, kinds: Collection[EdgeKind], names: Sequence[str]) -> bool:
    """Whether a test replaces the file: the whole module, or names of it that it reaches by text only."""
    module = splitext(path)[0].removesuffix("/index")
    for name in names:
        if name.startswith("."):
            target = splitext(normpath(f"{dirname(test)}/{name}"))[0].removesuffix("/index")
            if target == module or normpath(f"{dirname(test)}/{name}") == module:
                return True
        elif set(kinds) == {EdgeKind.DYNAMIC} and "." in name:
            parts = name.split(".")
            if any(module.endswith("/".join(parts[:size])) for size in range(len(parts), 0, -1)):
                return True
    return False


def _last_word(target: str) -> str:
    return target.replace("::", ".").rpartition(".")[2].removesuffix("()")

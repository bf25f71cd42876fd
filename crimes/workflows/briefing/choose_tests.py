"""Which tests are likely to execute a file: those its command runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from posixpath import basename, dirname, splitext
from typing import NamedTuple

from crimes.analyses.import_graph import ImportGraph
from crimes.analyses.test_map import TestMap, Tests
from crimes.model.facts import EdgeKind, Role
from crimes.model.repository import Edge, Repo
from crimes.model.wording import count
from crimes.workflows.briefing.command import folders_upward, stem
from crimes.workflows.briefing.record import Companion
from crimes.workflows.briefing.test_cases import NO_CASES, TestCases

_MAX_USERS = 2  # files that use it, whose tests may stand for its own
_MAX_USER_IMPORTS = 5
_NO_USE = frozenset({EdgeKind.TYPE_ONLY, EdgeKind.REEXPORT})
_MIN_COMMITS_TOGETHER = 3
_MAX_REACHED_FILES = 3_000  # followed from a test
_PACKAGE_FILES = frozenset(
    {
        "package.json",
        "Cargo.toml",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "pyproject.toml",
        "setup.py",
        "composer.json",
    }
)
_NO_TESTS = Tests((), (), 0)


class ChosenTests(NamedTuple):
    """Tests to run, the most telling first; without any, why none was chosen, unless no test reaches the file at all."""

    tests: tuple[str, ...]
    note: str = ""


class TestChooser:
    """Chooses the tests of each file of a scan."""

    __test__ = False  # the name is no test case

    def __init__(
        self,
        repo: Repo,
        graph: ImportGraph | None,
        test_map: TestMap | None,
        cases: Mapping[str, TestCases],
    ) -> None:
        self._repo, self._graph, self._test_map, self._cases = repo, graph, test_map, cases
        self._reach: dict[str, frozenset[str]] = {}
        self._packages: dict[str, str | None] = {}

    def choose(self, path: str, companions: Sequence[Companion], transitive: int) -> ChosenTests:
        """Tests that import the file or have its name; else those of its few users, or that change with it and reach it.

        The tests of a test file are the file itself, unless it has none and others import it.
        """
        if self.is_own_test(path):
            return ChosenTests((path,))
        rank = {companion.file: number for number, companion in enumerate(companions)}
        tests = (*self._importing(path, rank), *self.named_only(path))
        return ChosenTests(tests) if tests else self.indirect(path, companions, transitive)

    def is_own_test(self, path: str) -> bool:
        """Whether a file is a test with cases: to test it is to run it."""
        file = self._repo.files.get(path)
        return file is not None and file.role is Role.TEST and self._has_cases(path)

    def indirect(self, path: str, companions: Sequence[Companion], transitive: int) -> ChosenTests:
        """Tests of a file that no test imports or has the name of."""
        tied = [item.file for item in companions if _changes_with(item)]
        changing = [test for test in tied if self._has_cases(test) and path in self._reached_from(test)]
        tests = tuple(dict.fromkeys((*changing, *self._tests_of_users(path))))
        if tests:
            return ChosenTests(tests)
        return ChosenTests((), self._why_none(path, transitive))

    def direct(self, path: str) -> tuple[str, ...]:
        """Tests that import the file or have its name, in no order of history."""
        return (*self._importing(path, {}), *self.named_only(path))

    def named_only(self, path: str) -> tuple[str, ...]:
        """Tests with the file's name that do not import it, without those that mean another file."""
        direct = self._tests(path)
        named = [test for test in direct.by_name if test not in direct.importing and self._has_cases(test)]
        return tuple(test for test in named if not self._means_another(test, path))

    def _importing(self, path: str, rank: Mapping[str, int]) -> list[str]:
        """Its own tests, then those that import it for more than its types: those with its name first, then those of its package."""
        direct = self._tests(path)
        unused = self._without_use(path) | self._passed_through(path)
        tests = [test for test in direct.importing if test not in unused and self._runs_others(test)]
        tests += [path] if direct.own else []
        package = self._package_of(path)
        return sorted(
            tests,
            key=lambda test: (
                test != path,
                test not in direct.by_name,
                self._package_of(test) != package,
                rank.get(test, len(rank)),
                test,
            ),
        )

    def _without_use(self, path: str) -> set[str]:
        """Files that name this one for its types alone, or only in a string: to replace it, or to compare a message."""
        edges = self._graph.importers.get(path, ()) if self._graph else ()
        using = {edge.source for edge in edges if not self._is_erased(edge)}
        return {edge.source for edge in edges} - using

    def _is_erased(self, edge: Edge) -> bool:
        if edge.kind is EdgeKind.DYNAMIC:
            imports = self._repo.files[edge.source].facts.imports
            return all(item.line != edge.line for item in imports)
        return edge.kind is EdgeKind.TYPE_ONLY

    def _passed_through(self, path: str) -> set[str]:
        """Files that import only what this one has from elsewhere, where it has functions of its own."""
        if self._graph is None or not self._cases.get(path, NO_CASES).functions:
            return set()
        facts = self._repo.files[path].facts
        taken = {bound.alias or bound.name for item in facts.imports for bound in item.names}
        taken -= {*facts.definitions}
        passing = set()
        for source in self._graph.direct(path):
            edges = self._graph.imports.get(source, ())
            names = {name for edge in edges if edge.target == path for name in edge.names}
            passed = {name for edge in edges if edge.via == path for name in edge.names}
            if names and names <= passed | taken:
                passing.add(source)
        return passing

    def _means_another(self, test: str, path: str) -> bool:
        """Whether a test imports another file of that name, or is in a folder named after one beside this one; or whether it
        imports files of the repository and never reaches this one."""
        targets = [edge.target for edge in self._graph.imports.get(test, ())] if self._graph else []
        if any(test in self._tests(target).by_name for target in targets if target != path):
            return True
        if self._stems_in(dirname(path)) & ({*test.split("/")[:-1]} - {*path.split("/"), stem(path)}):
            return True
        return bool(targets) and path not in self._reached_from(test)

    def _stems_in(self, folder: str) -> set[str]:
        """Names of the source files in a folder, without their endings."""
        return self._stems.get(folder, set())

    @cached_property
    def _stems(self) -> Mapping[str, set[str]]:
        """By folder: names of its source files, without their endings."""
        stems: defaultdict[str, set[str]] = defaultdict(set)
        for path, file in self._repo.files.items():
            if file.role is Role.SOURCE:
                stems[dirname(path)].add(stem(path))
        return stems

    def _tests_of_users(self, path: str) -> tuple[str, ...]:
        """Tests of the files that use this one, when those are few: tests named after a user, or all where it has few.

        A file that only passes its names on is no user; one that loads many files is none whose tests say much of each.
        """
        graph = self._graph
        edges = graph.importers.get(path, ()) if graph else ()
        using = {edge.source for edge in edges if edge.kind not in _NO_USE and edge.source != path}
        users = {user for user in using if self._repo.files[user].role is Role.SOURCE}
        if len(users) > _MAX_USERS:
            return ()
        tests: dict[str, None] = {}
        for user in sorted(users):
            own = self._importing(user, {})
            named = [test for test in own if test in self._tests(user).by_name or _is_beside(test, user)]
            loaded = {edge.target for edge in graph.imports.get(user, ())} if graph else set()
            few = len(own) <= _MAX_USERS and len(loaded) <= _MAX_USER_IMPORTS
            tests.update(dict.fromkeys(named or (own if few else ())))
        return tuple(tests)

    def _why_none(self, path: str, transitive: int) -> str:
        """Why no test was chosen; empty where there is none to choose."""
        direct = self._tests(path)
        if direct.importing:
            return "no file that imports it has test cases that use it"
        if direct.by_name:
            return f"`{direct.by_name[0]}` has its name, but does not reach it"
        if transitive:
            reach = count(transitive, "test file reaches", "test files reach")
            return f"{reach} it only through other files"
        return ""

    def _tests(self, path: str) -> Tests:
        return self._test_map.of.get(path, _NO_TESTS) if self._test_map else _NO_TESTS

    def _has_cases(self, test: str) -> bool:
        cases = self._cases.get(test, NO_CASES)
        return cases.cases or (cases.one_line and self._repo.files[test].role is Role.TEST)

    def _runs_others(self, test: str) -> bool:
        return self._has_cases(test) and not self._cases.get(test, NO_CASES).calls_only_itself

    def _package_of(self, path: str) -> str | None:
        folder = path.rpartition("/")[0]
        if folder not in self._packages:
            self._packages[folder] = self._find_package(path)
        return self._packages[folder]

    def _find_package(self, path: str) -> str | None:
        """The nearest folder above a file that has a manifest; gems name theirs as they like."""
        return next((folder for folder in folders_upward(path) if folder in self._package_folders), None)

    @cached_property
    def _package_folders(self) -> frozenset[str]:
        return frozenset(
            dirname(path)
            for path in self._repo.paths
            if splitext(path)[1] == ".gemspec" or basename(path) in _PACKAGE_FILES
        )

    def _reached_from(self, test: str) -> frozenset[str]:
        """Files that a test reaches over imports, the nearest ones if they are many."""
        if test not in self._reach:
            self._reach[test] = self._follow(test)
        return self._reach[test]

    def _follow(self, test: str) -> frozenset[str]:
        reached = {test: None}
        ring: Iterable[str] = (test,)
        while ring and len(reached) < _MAX_REACHED_FILES and self._graph:
            targets = dict.fromkeys(
                edge.target
                for source in ring
                for edge in self._graph.imports.get(source, ())
                if edge.kind is not EdgeKind.TYPE_ONLY and edge.target not in reached
            )
            reached.update(targets)
            ring = targets
        return frozenset(reached)


def _is_beside(test: str, path: str) -> bool:
    """Whether a test is the file itself, or stands beside it under its name: `index.test.ts` says nothing elsewhere."""
    beside = dirname(test) == dirname(path) and basename(test).startswith(f"{stem(path)}.")
    return test == path or beside


def _changes_with(companion: Companion) -> bool:
    """Whether a file changed with the one at hand often enough to belong to it."""
    commits, of = companion.commits, companion.of
    return commits >= _MIN_COMMITS_TOGETHER or (commits > 1 and 3 * commits >= of)

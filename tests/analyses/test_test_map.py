"""Which tests reach a file, and the test gap that follows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from crimes.analyses.import_graph import IMPORT_GRAPH
from crimes.analyses.test_map import TEST_MAP, map_tests
from crimes.analyses.test_map import TestMap as Mapped  # pytest would collect the name
from crimes.model.facts import EdgeKind, Role
from crimes.model.repository import Edge, File
from tests.kit.built_repo import context, edge, file
from tests.kit.paths import TESTS

VECTORS = json.loads((TESTS / "vectors" / "scoring.json").read_text())["test_gap"]


def names_of_tests(file: File) -> tuple[str, ...]:
    stem, _, end = file.path.rpartition("/")[2].rpartition(".")
    if end == "md":
        return ()
    return (f"test_{stem}.py",) if end == "py" else (f"{stem}.test.ts", f"__tests__/{stem}.ts")


def map_of(sources: Iterable[str], tests: Iterable[str], edges: Iterable[Edge] = ()) -> Mapped:
    files = [*map(file, sources), *(file(path, Role.TEST) for path in tests)]
    made = context(files, edges)
    return map_tests(made.repo.files, made[IMPORT_GRAPH], names_of_tests)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_gap_matches_the_vector(vector: dict[str, Any]) -> None:
    given = vector["input"]
    tests, edges = ["elsewhere/test_other.py"], []
    if given.get("imported_by_test"):
        edges.append(edge("elsewhere/test_other.py", "src/a.ts"))
    if given.get("sibling"):
        tests.append("src/a.test.ts")
    if given.get("tests_dir_basename"):
        tests.append("src/__tests__/a.ts")
    path = "elsewhere/test_other.py" if given.get("is_test") else "src/a.ts"
    assert map_of(["src/a.ts"], tests, edges).gap(path) == vector["expected"] * 100


@pytest.mark.parametrize(
    ("source", "test", "found"),
    [
        ("src/a.ts", "src/a.test.ts", True),
        ("src/a.ts", "src/__tests__/a.ts", True),
        ("src/a.ts", "src/__tests__/a.test.ts", True),
        ("src/a.ts", "src/deep/a.test.ts", False),
        ("src/x/a.ts", "src/__tests__/x/a.test.ts", True),
        ("src/x/a.ts", "src/__tests__/y/a.test.ts", False),
        ("a.py", "tests/test_a.py", True),
        ("pkg/a.py", "tests/test_a.py", True),
        ("src/pkg/a.py", "tests/test_a.py", False),
        ("pkg/sub/a.py", "tests/sub/test_a.py", True),
        ("pkg/sub/a.py", "tests/pkg/sub/test_a.py", True),
        ("src/pkg/sub/a.py", "tests/sub/test_a.py", True),
        ("pkg/sub/a.py", "tests/pkg/test_a.py", False),
        ("pkg/sub/a.py", "tests/unit/sub/test_a.py", False),
        ("packages/x/src/a.ts", "packages/x/test/a.test.ts", True),
        ("packages/x/src/a.ts", "packages/y/test/a.test.ts", False),
        ("src/main/pkg/a.py", "src/test/pkg/test_a.py", True),
        ("src/main/pkg/a.py", "src/test/test_a.py", False),
    ],
)
def test_test_name_matches_a_file_nearby(source: str, test: str, found: bool) -> None:
    # a second test of the same name keeps the first from being the only one that can be meant
    far = "far/away/" + test.rpartition("/")[2] if "__tests__/a.ts" not in test else "far/__tests__/a.ts"
    tests = map_of([source], [test, far])
    assert tests.of[source].by_name == ((test,) if found else ())
    assert tests.gap(source) == (50 if found else 100)


def test_test_name_matches_at_any_distance_when_only_one_file_has_it() -> None:
    assert map_of(["src/pkg/a.py"], ["tests/unit/test_a.py"]).gap("src/pkg/a.py") == 50
    two = map_of(["src/pkg/a.py", "src/other/a.py"], ["tests/unit/test_a.py"])
    assert (two.gap("src/pkg/a.py"), two.gap("src/other/a.py")) == (100, 100)


def test_test_name_matches_the_nearest_file() -> None:
    near, far = "pkg/db/mysql/schema.py", "pkg/contrib/gis/db/mysql/schema.py"
    tests = map_of([near, far], ["tests/mysql/test_schema.py"])
    assert (tests.gap(near), tests.gap(far)) == (50, 100)
    beside = map_of(["a/src/x.ts", "a/src/deep/x.ts"], ["a/src/deep/x.test.ts", "a/test/x.test.ts"])
    assert beside.of["a/src/x.ts"].by_name == ("a/test/x.test.ts",)
    assert beside.of["a/src/deep/x.ts"].by_name == ("a/src/deep/x.test.ts",)


def test_only_tests_match_by_name() -> None:
    assert map_of(["a.py", "test_a.py"], []).gap("a.py") == 100


def test_a_part_of_a_name_is_no_match() -> None:
    assert map_of(["a.py"], ["my_test_a.py"]).gap("a.py") == 100
    assert map_of(["src/a.ts"], ["src/not__tests__/a.ts"]).gap("src/a.ts") == 100


@pytest.mark.parametrize("kind", list(EdgeKind))
def test_an_import_of_any_kind_closes_the_gap(kind: EdgeKind) -> None:
    tests = map_of(["a.py"], ["test_x.py"], [edge("test_x.py", "a.py", kind)])
    assert tests.of["a.py"].importing == ("test_x.py",)
    assert tests.gap("a.py") == 0


def test_an_import_through_a_reexport_closes_the_gap() -> None:
    edges = [
        edge("test_x.py", "pkg/__init__.py"),
        edge("pkg/__init__.py", "pkg/core.py", EdgeKind.REEXPORT),
        edge("pkg/__init__.py", "pkg/other.py"),
        edge("test_x.py", "pkg/core.py", via="pkg/__init__.py"),
    ]
    tests = map_of(["pkg/__init__.py", "pkg/core.py", "pkg/other.py"], ["test_x.py"], edges)
    assert [tests.gap(path) for path in ("pkg/__init__.py", "pkg/core.py", "pkg/other.py")] == [0, 0, 100]


def test_transitive_reach_is_counted_but_does_not_close_the_gap() -> None:
    edges = [edge("test_x.py", "a.py"), edge("test_y.py", "a.py"), edge("a.py", "b.py"), edge("c.py", "b.py")]
    tests = map_of(["a.py", "b.py", "c.py"], ["test_x.py", "test_y.py"], edges)
    assert {path: tests.of[path].transitive for path in ("a.py", "b.py", "c.py")} == {
        "a.py": 2,
        "b.py": 2,
        "c.py": 0,
    }
    assert tests.gap("b.py") == 100


def test_documents_tests_and_unknown_files_have_no_gap() -> None:
    tests = map_of(["README.md", "a.py"], ["test_b.py"])
    assert [tests.gap(path) for path in ("README.md", "test_b.py", "package.json", "a.py")] == [0, 0, 0, 100]
    assert tests.test_files == ("test_b.py",)


def test_test_names_follow_the_conventions_of_the_language() -> None:
    files = [
        file("pkg/a.py"),
        file("pkg/test_a.py", Role.TEST),
        file("web/b.ts", language="typescript"),
        file("web/b.spec.ts", Role.TEST, "typescript"),
        file("README.md", Role.DOCS, "markdown"),
    ]
    tests = context(files)[TEST_MAP]
    assert tests.of["pkg/a.py"].by_name == ("pkg/test_a.py",)
    assert tests.of["web/b.ts"].by_name == ("web/b.spec.ts",)
    assert tests.testable == {"pkg/a.py", "web/b.ts"}

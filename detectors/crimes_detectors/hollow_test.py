"""A test that can't fail: nothing in it checks anything.

It looks for assertions, expected exceptions, mock and snapshot checks in the test, in functions inside it, and in
helpers of this repository up to two calls deep.

## Why it matters

It counts as a test, so the code under it looks safe to edit; but it stays green whatever the edit breaks.

## What to do

Assert the outcome the test's name promises. If the point is that nothing is raised, say so in its name or a comment.

## What it accepts

- Assertion helpers, also inherited or imported ones, by name (`assert…`, `expect…`, `check…`, `verify…`, `should…`).
- `raises`, `warns`, `fail`, mock assertions, snapshots, benchmark and regression fixtures, type tests, Cypress commands.
- Skipped, expected-to-fail and property-based tests.
- Smoke tests that say so: a name, comment or docstring that speaks of no error, no crash or not raising.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from crimes.api import (
    ANY,
    IMPORT_GRAPH,
    TEST_MAP,
    Category,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Function,
    ImportGraph,
    Measure,
    NoOptions,
    Pass,
    Repo,
    Role,
    Severity,
    Signal,
    TestMap,
    at_function,
)

HELPER_DEPTH = 2
_CHECK = re.compile(
    r"(?:^|[._(])_*(?:assert|expect|should|verif|check|ensure|raises|warns|deprecated|fail|snapshot|tomatch|must|"
    r"require[^(]*equal|compare|validate|confirm|wait_?for|wait_?until|eventually|regression|benchmark|pass$|throws|"
    r"rejects|is_?equal|equals?$|deep_?equal|strict_?equal|not_?equal|is_?true|is_?false|matches|plan$|done$|diff|approve|"
    r"findby|getby|finda?ll?by|test_|perform_test|run_?test|do_test|cy$|cy\.)",
    re.IGNORECASE,
)
_TAP = re.compile(r"^(?:t|tap|assert|chai|sinon|should)\.")
_SKIPPED = re.compile(r"skip|xfail|expectedfailure|todo|given|slow|benchmark|fixture", re.IGNORECASE)
_FIXTURES = re.compile(
    r"snapshot|regression|benchmark|approv|golden|verify|assert|expect|checker", re.IGNORECASE
)
_SMOKE = re.compile(
    r"smoke|no_?err|noerr|crash|not?_?raise|doesn.?t|does_?not|should_?not|without_?err|no_?exception|not_?fail|"
    r"bench|perf|stress|fuzz|import|compile|type|deprecat|warn|can_|valid|works?$|ok$|noop|no_op|successful",
    re.IGNORECASE,
)
_SMOKE_WORDS = re.compile(
    r"rais|crash|throw|error|exception|fail|smoke|warn|not |n't|no-op|noop|should|make sure|ensure|regression|does|work",
    re.IGNORECASE,
)


def _inner(file: File, index: int) -> set[int]:
    """A function and the functions inside it."""
    inside = {index}
    for at, function in enumerate(file.facts.functions):
        if function.parent in inside:
            inside.add(at)
    return inside


def _calls(file: File, index: int) -> list[str]:
    inside = _inner(file, index)
    return [call.target for call in file.facts.calls if call.function in inside]


def _asserts(file: File, index: int) -> bool:
    inside = _inner(file, index)
    if any(file.facts.functions[at].asserts for at in inside):
        return True
    return any(_CHECK.search(target) or _TAP.match(target) for target in _calls(file, index))


class Helpers:
    """Functions of the repository that a test may call, by the file they can be seen from."""

    def __init__(self, repo: Repo, graph: ImportGraph) -> None:
        self._repo = repo
        self._graph = graph
        self._by_name: dict[str, dict[str, list[int]]] = {}

    def named(self, file: File, name: str) -> Iterator[tuple[File, int]]:
        """Functions of that name in this file and in the files it imports."""
        seen = [file.path, *(edge.target for edge in self._graph.imports.get(file.path, ()))]
        for path in dict.fromkeys(seen):
            other = self._repo.files.get(path)
            if other is not None:
                for index in self._index(other).get(name, ()):
                    yield other, index

    def _index(self, file: File) -> Mapping[str, list[int]]:
        if file.path not in self._by_name:
            names: dict[str, list[int]] = {}
            for index, function in enumerate(file.facts.functions):
                names.setdefault(function.name, []).append(index)
            self._by_name[file.path] = names
        return self._by_name[file.path]

    def reach_a_check(self, file: File, index: int, depth: int) -> bool:
        """Whether a function checks something, itself or through what it calls."""
        if _asserts(file, index):
            return True
        if depth == 0:
            return False
        return any(
            self.reach_a_check(other, found, depth - 1)
            for target in dict.fromkeys(_calls(file, index))
            for other, found in self.named(file, target.rpartition(".")[2])
            if (other.path, found) != (file.path, index)
        )


def _inherited_call(file: File, index: int, helpers: Helpers) -> bool:
    """A call of an own method that is defined nowhere in sight: a base class outside may check in it."""
    own = ("self.", "this.", "cls.")
    for target in _calls(file, index):
        if (
            target.startswith(own)
            and target.count(".") == 1
            and not any(helpers.named(file, target.partition(".")[2]))
        ):
            return True
    return False


def _says_it_is_a_smoke_test(file: File, function: Function) -> bool:
    if _SMOKE.search(function.name):
        return True
    return any(
        function.start - 1 <= comment.line <= function.end and _SMOKE_WORDS.search(comment.text)
        for comment in file.facts.comments
    )


def _candidates(file: File) -> Iterator[int]:
    for index, function in enumerate(file.facts.functions):
        if not function.is_test or any(_SKIPPED.search(decorator) for decorator in function.decorators):
            continue
        if any(_FIXTURES.search(param.name) for param in function.params):
            continue
        if function.parent >= 0 and file.facts.functions[function.parent].is_test:
            continue
        if not function.is_anonymous and function.parent >= 0:
            continue  # a nested helper that happens to be called test…
        if not function.is_anonymous and function.class_index >= 0:
            owner = file.facts.classes[function.class_index]
            if not re.search("test|case|suite|spec", " ".join((owner.name, *owner.bases)), re.IGNORECASE):
                continue  # a model or view with a method called test
        yield index


def _hollow(file: File, helpers: Helpers) -> Iterator[Function]:
    for index in _candidates(file):
        function = file.facts.functions[index]
        if _says_it_is_a_smoke_test(file, function) or helpers.reach_a_check(file, index, HELPER_DEPTH):
            continue
        if not _inherited_call(file, index, helpers):
            yield function


def _only_test_of(file: File, tests: TestMap, repo: Repo, graph: ImportGraph) -> str:
    """A source file that this test file alone imports, if there is one."""
    for edge in graph.imports.get(file.path, ()):
        target = repo.files.get(edge.target)
        if (
            target is not None
            and target.role is Role.SOURCE
            and tests.of[target.path].importing == (file.path,)
        ):
            return target.path
    return ""


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    graph, tests = scan[IMPORT_GRAPH], scan[TEST_MAP]
    helpers = Helpers(scan.repo, graph)
    for file in scan.repo.files.values():
        if file.role is not Role.TEST or re.search(r"test-d\.|spec-d\.|/dtslint/|typings", file.path):
            continue
        hollow = list(_hollow(file, helpers))
        total = sum(1 for function in file.facts.functions if function.is_test)
        alone = _only_test_of(file, tests, scan.repo, graph) if hollow and len(hollow) == total else ""
        for function in hollow:
            calls = sum(1 for call in file.facts.calls if function.start <= call.line <= function.end)
            what = (
                "is empty"
                if not calls
                else f"makes {calls} call{'s' if calls > 1 else ''} and checks nothing"
            )
            consequence = f" and it is the only test of {alone}" if alone else ""
            yield Finding(
                at_function(file, function),
                Severity.MEDIUM if alone else Severity.LOW,
                f"The test `{function.name}` {what}{consequence}. "
                "It stays green whatever an edit breaks. Assert the outcome its name promises.",
                signals=(
                    Signal("hollow_test", Category.SYNTAX, 80, "no assertion in the test as parsed"),
                    Signal("hollow_test", Category.GRAPH, 65, "none in the helpers it calls, two calls deep"),
                ),
                evidence={
                    "assertions": Measure(0, 1),
                    "calls": Measure(calls),
                    "helper_depth": Measure(HELPER_DEPTH),
                },
            )


DETECTOR = Detector(
    id="hollow_test",
    title="Test that cannot fail",
    category="tests",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    needs=(IMPORT_GRAPH, TEST_MAP),
    detect=detect,
    examples=(
        Example(
            "a Python test that only calls",
            {
                "shop/cart.py": "def total(items):\n    return sum(items)\n",
                "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total_of_two_items():\n    total([1, 2])\n",
            },
            ("tests/test_cart.py:4",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a TypeScript test that only calls",
            {
                "src/cart.ts": "export const total = (items: number[]) => items.length;\n",
                "src/cart.test.ts": 'import { it, expect } from "vitest";\nimport { total } from "./cart";\n\n'
                'it("adds prices", () => {\n  total([1, 2]);\n});\n\n'
                'it("counts", () => {\n  expect(total([1])).toBe(1);\n});\n',
            },
            ("src/cart.test.ts:4",),
            severity=Severity.LOW,
        ),
        Example(
            "silent when a helper two calls away asserts",
            {
                "tests/support.py": "def same(a, b):\n    compare_deep(a, b)\n\n\ndef compare_deep(a, b):\n    assert a == b\n",
                "tests/test_sum.py": "from support import same\n\n\ndef test_sum():\n    same(sum([1]), 1)\n",
            },
        ),
        Example(
            "silent on an expected exception",
            {
                "tests/test_x.py": "import pytest\n\n\ndef test_bad_input():\n    with pytest.raises(ValueError):\n        int('x')\n"
            },
        ),
        Example(
            "silent on a smoke test that says so",
            {"tests/test_x.py": "def test_startup_does_not_crash():\n    start()\n"},
        ),
        Example(
            "silent on a snapshot",
            {"src/a.test.tsx": 'it("renders", () => {\n  render(<App />).toMatchSnapshot();\n});\n'},
        ),
        Example(
            "silent when skipped",
            {"tests/test_x.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_later():\n    pass\n"},
        ),
    ),
)

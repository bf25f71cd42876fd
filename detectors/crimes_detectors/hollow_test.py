"""A test cannot fail for the reason it exists, because nothing in it checks the outcome.

It reports a test with an empty body; a test whose checks are all in a `try` that swallows the failure; and a test that calls a
function of this repository and never looks at the result, neither itself nor in helpers up to two calls deep, where no other
test checks that file. The severity is low: such a test still fails if the call raises an error.

## Why it matters

It counts as a test, so the code looks safe to edit, but it stays green when an edit makes the result wrong.

## What to do

Assert what the call should return or change; if it only has to run without an error, say so in the test's name or a comment.

## Before

```python
from shop.cart import total

def test_total_adds_all_prices():
    total([1, 2])

def test_total_rejects_negative_prices():
    try:
        assert total([-1]) == 0
    except Exception:
        pass
```

## After

```python
import pytest
from shop.cart import total

def test_total_adds_all_prices():
    assert total([1, 2]) == 3

def test_total_rejects_negative_prices():
    with pytest.raises(ValueError):
        total([-1])
```

## What it does not report

- Empty tests of a class that other code in the file names: a sample for a test of a test framework.
- A test that only calls code that other tests check: most of these guard against an error that was raised once.
  `calls_only = true` reports them too.
- Empty tests that take a fixture, or whose class is run by something: setting it up is the test. Also empty tests whose name says
  that they are disabled or only the set-up, and those of a class that inherits a test with this name or has a base class that
  is not visible: the empty test turns the inherited one off.
- Assertion helpers, also inherited or imported ones, by name (`assert…`, `expect…`, `want…`, `check…`, `verify…`, `should…`), and
  methods of the test itself whose definition is not visible.
- Macros with `COMPARE`, `VERIFY`, `ASSERT`, `EXPECT`, `CHECK` or `REQUIRE` in their name, as `QCOMPARE` and `QTRY_VERIFY` of Qt Test.
- A `try` whose handler does not catch a failed check, as `except Exception` does not catch `pytest.fail`.
- `raises`, `warns`, `fail`, mock assertions, snapshots, benchmark and regression fixtures, Cypress commands.
- Type tests: `@ts-expect-error`, or a file that imports `Expect`, `Equal`, `expectTypeOf` and the like.
- Skipped, expected-to-fail and property-based tests, tests that raise by themselves or in a function they pass on, and
  tests whose decorator does the checking.
- A call to a function that can only reject its input: raising is its only result.
- A result that is passed on to other code, which may reject it: to be reported, the test has to end with the call, or with a method
  of what it made.
- Calls to support code for tests (`testing/`, `fixtures/`): only the code under test counts.
- Tests that say what they are for in a comment or docstring, or whose name mentions an error, a permission, an absence
  or threads.
- Files that the grammar cannot read to the end: what is left of a test may look empty.
- Empty tests of a class inside another class that no `@Nested` or the like marks as a group: a test runner is tested with them.
- Files in which most tests are empty, and files in `fixtures` and `testdata`: input for testing a tool.
- Methods that are named like a test but that nothing runs: no annotation, and a class without a base class.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from msgspec import Struct

from crimes.api import (
    ANY,
    IMPORT_GRAPH,
    TEST_MAP,
    Call,
    Category,
    Class,
    Detector,
    Effort,
    Example,
    File,
    FileFacts,
    Finding,
    Function,
    Handler,
    ImportGraph,
    Measure,
    Pass,
    Related,
    Repo,
    Role,
    Severity,
    Signal,
    TestMap,
    at_function,
    option,
    per_file,
    regex,
)

MAX_HELPER_DEPTH = 2
_MAX_DISTINCT_CALLS = 4
_CHECK = regex(
    r"(?:^|[.(#]|(?<!_)_)_*+(?:assert|expect|want|should|verif|check|ensure|raises|warns|deprecated|fail|snapshot|tomatch|must|refute|flunk|wont_|it_behaves|include_examples|"
    r"require[^(]{0,40}equal|compare|validate|confirm|wait_?for|wait_?until|eventually|regression|benchmark|pass$|throws|"
    r"rejects|is_?equal|equals?$|deep_?equal|strict_?equal|not_?equal|is_?true|is_?false|matches|plan$|done$|diff|"
    r"approve|findby|getby|finda?ll?by|test_|test$|(?-i:test[A-Z])|perform_test|status_?code$|await\(\)|intercept|for_?all|===|=!=|run_?test|do_test|cy$|cy\.|"
    r"(?-i:require\.[A-Z])|(?-i:REQUIRE)|(?-i:SUCCEED)|abort_?(?:unless|if)|(?:str|mem)n?cmp$|(?<=#)require$|(?-i:XCT(?:Assert|Fail|Unwrap|Expect))|(?-i:Issue\.record$)|fulfillment$|"
    r"(?-i:Fatal)f?$|(?-i:cmp\.[A-Z])|consistently|no_?err(?:or)?$|panic$|unwrap(?:_err|_none)?$|unreachable$|"
    r"(?:eq|ne|is|is_not|in|not_in|lt|le|gt|ge)_$|(?:scalar_)?one$|"
    r"(?-i:[A-Z0-9_]{0,40}(?:COMPARE|VERIFY|ASSERT|EXPECT|CHECK|REQUIRE))|(?-i:Q(?:FAIL|SKIP|BENCHMARK)))",  # macros
    re.IGNORECASE,
)
# Methods of a test's own object, without those that cannot fail the test.
_TEST_OBJECT = regex(
    r"^(?:t|tap|assert|chai|sinon|should)\."
    r"(?!(?:Parallel|Helper|Logf?|Run|Cleanup|TempDir|Setenv|Chdir|Context|Name|Deadline|Output)$)"
)
_SKIPPED = regex(
    r"skip|xfail|expectedfailure|todo|given|slow|benchmark|fixture|ignore|disabled|\(.{0,100}(?:expected|enabled|timeout)",
    re.IGNORECASE,
)
_CHECKING_FIXTURE = regex(
    r"snapshot|regression|benchmark|approv|golden|verify|assert|expect|checker|error|raises|exception|warning",
    re.IGNORECASE,
)
_SMOKE_NAME = regex(
    r"smoke|crash|stack|infer|panic|avoid|overflow|rais|err|exception|fail|throw|bench|perf|stress|fuzz|import|compile|type|generic|wildcard|deprecat|warn|noop|works?$|working|"
    r"ok$|success|(?:^|_|\b)(?:no|not|non|without|can|cannot|allow\w*|accept\w*|permit\w*|valid|ignor\w*|ok|repr|supports?|doesnt|"
    r"does|never|twice|idempotent|(?:un)?pickl\w*|serializ\w*|threads?|thread_?safe\w*|thread_safety|multithread\w*|parallel|concurren\w*|races?|deadlock|leaks?|"
    r"hangs?|segfault|is_send|is_sync|send_sync)(?:_|\b|$)",
    re.IGNORECASE,
)
_GROUP_DECORATOR = regex(r"\bNested\b|TestFixture|TestClass")
_SET_UP = regex(r"set_?up(?:_method)?|before_?each", re.IGNORECASE)
_DISABLED_NAME = regex(
    r"disabled|skip|todo|placeholder|dummy|not (?:supported|available|run)|set_?up$", re.IGNORECASE
)
# Base classes of test frameworks: they have helpers, no tests to override.
_FRAMEWORK = regex(r"(?:^|[a-z_])(?:TestCase|Minitest|Spec|Suite)$|^(?:TestCase|Test|object)$")
_CAMEL = regex(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_TESTS_PATH = regex(
    r"test-d\.|spec-d\.|/dtslint/|typings|/typing/|/type-?tests?/|types?\.(?:test|spec)\.|(?:^|/)(?:perf|bench\w*)/"
    r"|(?:^|/)(?:_*fixtures?_*|test-?_?data)/"  # input for a tool under test
)
_TYPE_TEST_NAME = regex(r"\btypes?\b|\btyp(?:edefs?|ings?|esafe\w*)\b", re.IGNORECASE)
_COMPILE_COMMENT = regex(r"\bcompil|source.?compatib", re.IGNORECASE)
_TYPE_CHECKS = regex(
    r"^(?:Expect\w*|Equals?|AssertEqual\w*|IsExact|IsEqual|TypeEqual\w*|expectType\w*|assertType\w*)$"
)
_SUPPORT_PATH = regex(
    r"(?:^|/|_)(?:testing|test_?utils?|test_?helpers?|test_?support|fixtures?|testsuite|conftest)(?:/|\.|_)"
    r"|test_?(?:utils?|helpers?|support)/|\w(?<!la)(?<!pro)(?<!con)test/",
    re.I,
)
_PLAIN_DECORATOR = regex(
    r"(?:^|\.)(?:mark|patch|override_settings|parametrize|parameterized|expand|tag|static|async|asyncio|Override$|"
    r"(?:Parameterized|Repeated)?Test\b|MainActor|available\b|objc|\w+Source\b|DisplayName|Tags?\b|Order\b|SuppressWarnings|Suppress$|SmallTest|"
    r"MediumTest|LargeTest|Throws|Fact|Theory|InlineData|TestCase|TestMethod|Trait|Category|Description)|(?:^|::)test\b|^(?:allow|cfg|cfg_attr|inline)\("
)
_TEST_CLASS = regex("test|case|suite|spec", re.IGNORECASE)
# Checks that record a failure and go on: no handler catches them.
_RECORDING_CHECK = regex(r"XCT(?:Assert|Fail|Expect)|#expect$|Issue\.record$")
_DECLARING_BODY = regex(r"\{\s*+[A-Za-z_][\w:<>]*+\s++[A-Za-z_]\w*+\s*+[;({=]")
_RECORDING_FRAMEWORK = "NUnit.Framework"  # a failed check stays in the result of the test, whoever catches it
_DOES_NOTHING = ("pass",)
# Checks whose failure is no `Exception`: only a handler for everything catches them.
_PAST_EXCEPTION = regex(r"pytest\.(?:fail|raises|warns|deprecated_call|exit)$")
_RUN_BY_DECORATOR = regex("Test$|RunWith|ExtendWith")  # classes with these are run by a test framework


@dataclass(frozen=True)
class Options:
    calls_only: bool = option(
        False, "Report a test that only calls code even if other tests check the same file."
    )


@cache
def _is_check(target: str) -> bool:
    return _CHECK.search(target) is not None or _TEST_OBJECT.match(target) is not None


@cache
def _is_check_call(written: str) -> bool:
    return _is_check(Call(written, 0, -1, False).dotted)


@cache
def _is_fixture(name: str) -> bool:
    return _CHECKING_FIXTURE.search(name) is not None


@cache
def _is_test_class(name: str, bases: tuple[str, ...]) -> bool:
    return _TEST_CLASS.search(" ".join((name, *bases))) is not None


def _is_under_test(file: File) -> bool:
    """Whether it is code the tests are for, not code that helps them."""
    return file.role is Role.SOURCE and not _SUPPORT_PATH.search(file.path)


class Placement(Struct, frozen=True, order=True, array_like=True):
    """Where a test is in its file, and what marks it as one."""

    in_test: bool  # in the test part of a source file
    is_explicit: bool  # marked by a decorator or a base class, or not a method


def _placement(facts: FileFacts, index: int) -> Placement:
    function = facts.functions[index]
    is_explicit = function.class_index < 0 or function.is_anonymous or bool(function.decorators)
    return Placement(function.in_test, is_explicit or bool(facts.classes[function.class_index].bases))


def _is_test_here(file: File, test: Placement) -> bool:
    """Whether it is in a test file, or in the test part of a source file, and marked as a test.

    A method that nothing marks is a helper of tests, except in languages where the name decides.
    """
    return (file.role is Role.TEST or (file.role is Role.SOURCE and test.in_test)) and (
        test.is_explicit or file.traits.fixtures
    )


def _only_raises(function: Function) -> bool:
    """Whether it raises and returns nothing: calling it checks its arguments."""
    return function.raises and not function.returns_value


class Tests:
    """What functions call and check, indexed by file on first use."""

    def __init__(self, repo: Repo, graph: ImportGraph) -> None:
        self._repo = repo
        self._graph = graph
        self._by_name: dict[str, Mapping[str, list[int]]] = {}
        self._called: dict[str, Mapping[int, list[Call]]] = {}
        self._checking: dict[str, set[int]] = {}
        self._reach: dict[tuple[str, int, int], bool] = {}

    def functions_named(self, file: File, name: str) -> Iterator[tuple[File, int]]:
        """Functions of that name in this file and in the files it imports."""
        for other in self._visible_files(file):
            for index in self._index(other).get(name, ()):
                yield other, index

    def _visible_files(self, file: File) -> Iterator[File]:
        """The file and those it imports."""
        paths = [file.path, *(edge.target for edge in self._graph.imports.get(file.path, ()))]
        for path in dict.fromkeys(paths):
            if path in self._repo.files:
                yield self._repo.files[path]

    def _index(self, file: File) -> Mapping[str, list[int]]:
        if file.path not in self._by_name:
            names: dict[str, list[int]] = {}
            for index, function in enumerate(file.facts.functions):
                names.setdefault(function.name, []).append(index)
            self._by_name[file.path] = names
        return self._by_name[file.path]

    def may_override_test(self, file: File, owner: Class, name: str) -> bool:
        """Whether a class may inherit a test of this name; True if a base class is not visible."""
        if sum(1 for _ in self.functions_named(file, name)) > 1:
            return True
        waiting, seen = [(file, owner)], {owner}
        while waiting:
            home, derived = waiting.pop()
            for base in map(_class_name, derived.bases):
                files = self._visible_files(home)
                classes = ((other, class_) for other in files for class_ in other.facts.classes)
                bases = [(other, class_) for other, class_ in classes if class_.name == base]
                if not bases and not _FRAMEWORK.search(base):
                    return True  # not visible: it may hold any test
                methods = ((other, method) for other, class_ in bases for method in class_.methods)
                if any(other.facts.functions[method].name == name for other, method in methods):
                    return True
                waiting += [pair for pair in bases if pair[1] not in seen]
                seen.update(class_ for _, class_ in bases)
        return False

    def calls_by_function(self, file: File) -> Mapping[int, list[Call]]:
        """The calls of each function that makes any."""
        if file.path not in self._called:
            self._called[file.path] = _calls_by_function(file.facts)
        return self._called[file.path]

    def calls(self, file: File, index: int) -> list[Call]:
        """The calls of a function, nested functions included."""
        return self.calls_by_function(file).get(index, [])

    def reaches_check(self, file: File, index: int, depth: int) -> bool:
        """Whether a function checks something, itself or through what it calls."""
        key = (file.path, index, depth)
        if key not in self._reach:
            self._reach[key] = False  # a recursive call adds nothing
            self._reach[key] = self._find_check(file, index, depth)
        return self._reach[key]

    def _find_check(self, file: File, index: int, depth: int) -> bool:
        if index in self.checking_functions(file):
            return True
        targets = dict.fromkeys(call.dotted for call in self.calls(file, index))
        return depth > 0 and any(self._leads_to_check(file, index, target, depth - 1) for target in targets)

    def checking_functions(self, file: File) -> set[int]:
        """Functions of a file that hold a check themselves."""
        if file.path not in self._checking:
            self._checking[file.path] = _checking_functions(file.facts)
        return self._checking[file.path]

    def _leads_to_check(self, file: File, index: int, target: str, depth: int) -> bool:
        owner, _, name = target.rpartition(".")
        candidates = list(self.functions_named(file, name))
        # A test double whose methods raise checks how it is used.
        doubles = (class_ for class_ in file.facts.classes if class_.name == name)
        candidates += [(file, method) for double in doubles for method in double.methods]
        # In some languages a method names its own object.
        attributes = file.facts.functions[index].attributes
        if not candidates and (
            owner in ("self", "cls", "this")
            or (owner and name in attributes)
            or (not owner and _may_inherit(file, index, name))
        ):
            return True  # inherited from a class that is not visible: it may check anything
        return any(
            _only_raises(other.facts.functions[called])
            if _is_under_test(other) and not other.facts.functions[called].in_test
            else self.reaches_check(other, called, depth)
            for other, called in candidates
        )

    def tested_function(self, file: File, index: int) -> tuple[str, str]:
        """The source function whose result the test ends with, and its file; empty strings if there is none."""
        calls = self.calls(file, index)
        called = {call.dotted for call in calls}
        for name in sorted(called) if file.facts.functions[index].in_test else ():
            if self._returns_something(file, name) and self._ends_with(file, index, calls, name):
                return name, file.path
        for edge in self._graph.imports.get(file.path, ()):
            target = self._repo.files.get(edge.target)
            if target is not None and _is_under_test(target):
                packages = {*_packages(file), *target.facts.packages}
                for name in self._calls_to(edge.names, target, called, packages):
                    if self._ends_with(file, index, calls, name):
                        return name, target.path
        return "", ""

    def declares_something(self, file: File, function: Function) -> bool:
        """Whether the body on one line of a C++ test holds a declaration, which runs a constructor: `TEST(Arena, Empty) { Arena arena; }`."""
        if function.start != function.end:
            return False
        line = self._repo.read(file.path).decode("utf-8", "replace").split("\n")[function.start - 1]
        return _DECLARING_BODY.search(line) is not None

    def _ends_with(self, file: File, index: int, calls: list[Call], name: str) -> bool:
        """Whether the test ends with this call, or with a method of a value derived from it in a few steps.

        A value that is passed on to other code may be checked there.
        """
        last = max(call.line for call in calls)
        final = {call.dotted for call in calls if call.line == last}
        if name in final:
            return True
        roots = {target.partition(".")[0] for target in final if "." in target}
        function = file.facts.functions[index]
        known = {param.name for param in function.params} | {"self", "this", "cls"}
        for item in file.facts.imports:
            known |= {item.alias or item.target.partition(".")[0], *(n.alias or n.name for n in item.names)}
        known.update(_packages(file))
        if roots <= known or len({call.dotted for call in calls}) > _MAX_DISTINCT_CALLS:
            return False
        lines = self._repo.read(file.path).decode("utf-8", "replace").split("\n")
        code = lines[function.start - 1 : function.end]
        return not (roots - known).isdisjoint(_derived_names(name.rpartition(".")[2], code))

    def _calls_to(
        self, names: Iterable[str], target: File, called: Iterable[str], packages: set[str]
    ) -> Iterator[str]:
        """Calls to functions of a file, as `f`, `Type.f`, `Type().f` or `pkg.f`."""
        imported = frozenset(names)
        for call in sorted(called):
            owner, _, name = call.rpartition(".")
            known = owner.removesuffix("()") in imported or (owner in packages and name in imported)
            if (known if owner else call in imported) and self._returns_something(target, name):
                yield call

    def _returns_something(self, file: File, name: str) -> bool:
        """Whether the function returns something: otherwise a test can only show that it does not fail."""
        functions = file.facts.functions
        candidates = [functions[index] for index in self._index(file).get(name, ())]
        return any(function.returns != ("nothing",) and not function.in_test for function in candidates)


def _may_inherit(file: File, index: int, name: str) -> bool:
    """Whether a bare name may be a method that the function's class inherits."""
    if not file.traits.bare_members or (name[:1].isupper() and not file.traits.capital_methods):
        return False
    functions = file.facts.functions
    while index >= 0 and functions[index].class_index < 0:
        index = functions[index].parent
    return index >= 0 and bool(file.facts.classes[functions[index].class_index].bases)


def _class_name(base: str) -> str:
    """The name of a class without module and type arguments: `T` of `a.T[int]`."""
    return re.split(r"[\[<(]", base)[0].rpartition(".")[2].rpartition(":")[2].strip()


def _packages(file: File) -> Iterator[str]:
    """The local names of packages that a file imports as a whole."""
    for item in file.facts.imports:
        if not item.names:
            yield item.alias or item.target.rpartition("/")[2]


def _derived_names(name: str, code: Iterable[str]) -> set[str]:
    """Variables that a name flows into: words before it on a line or after `as`, and so on from those."""
    names = {name}
    for row in code:
        words = re.findall(r"\w+", row)
        last = max((at for at, word in enumerate(words) if word in names), default=-1)
        if last >= 0:
            names.update(words[:last])
            names.update(after for word, after in pairwise(words[last:]) if word == "as")
    return names


def _checking_functions(facts: FileFacts) -> set[int]:
    """Functions that raise or contain a check, and those around them."""
    functions = facts.functions
    raising = {index for index, function in enumerate(functions) if function.raises}
    checking = raising | {functions[index].parent for index in raising}
    for call in facts.calls:
        index = call.function
        if index not in checking and _is_check_call(call.target):
            while index >= 0:
                checking.add(index)
                index = functions[index].parent
    return checking


def _calls_by_function(facts: FileFacts) -> dict[int, list[Call]]:
    """The calls of each function, nested functions included; without functions that call nothing."""
    by_function: dict[int, list[Call]] = {}
    for call in facts.calls:
        index = call.function
        while index >= 0:
            by_function.setdefault(index, []).append(call)
            index = facts.functions[index].parent
    return by_function


def _candidates(facts: FileFacts) -> Iterator[int]:
    for index, function in enumerate(facts.functions):
        if not function.is_test or any(_SKIPPED.search(decorator) for decorator in function.decorators):
            continue
        if function.result and function.returns_value:
            continue  # its caller looks at the result
        if not function.logic_lines or any(_is_fixture(param.name) for param in function.params):
            continue  # a declaration without a body
        if any(not _PLAIN_DECORATOR.search(decorator) for decorator in function.decorators):
            continue  # the decorator may do the checking
        if not function.is_anonymous:
            if function.parent >= 0:
                continue  # a nested helper that happens to be called test…
            if function.class_index >= 0:
                owner = facts.classes[function.class_index]
                if not _is_test_class(owner.name, owner.bases):
                    continue  # a model or view with a method called test
        yield index


class Suspect(Struct, frozen=True, array_like=True):
    """A test that seems unable to fail, judged from its file alone, and its kind of hollowness."""

    index: int
    placement: Placement
    kind: str


class Suspects(Struct, frozen=True, array_like=True):
    """The suspects of one file, and the placement of its other tests."""

    tests: tuple[Suspect, ...]
    others: tuple[Placement, ...]  # each once


def _suspects(facts: FileFacts) -> Suspects | None:
    """Tests without a check or an excuse, and tests whose handlers may swallow every check."""
    candidates = list(_candidates(facts))
    if not candidates:
        return None
    checking = _checking_functions(facts)
    swallowing = _swallowing_handlers(facts)
    doubtful = {index for index in candidates if index not in checking or index in swallowing}
    calls = _calls_by_function(facts) if doubtful else {}
    suspects: list[Suspect] = []
    others: set[Placement] = set()
    for index in candidates:
        placement, kind = _placement(facts, index), ""
        if index in swallowing and _swallows_checks(facts, index, swallowing[index], calls.get(index, [])):
            kind = "" if _checks_types(facts, facts.functions[index]) else "swallowed"
        elif index not in checking and not _is_excused(facts, index, calls):
            kind = "unchecked" if index in calls else "empty"
        if kind:
            suspects.append(Suspect(index, placement, kind))
        else:
            others.add(placement)
    return Suspects(tuple(suspects), tuple(sorted(others))) if suspects else None


def _is_excused(facts: FileFacts, index: int, calling: Container[int]) -> bool:
    """Whether a test without a check is fine, whatever other files hold."""
    function = facts.functions[index]
    if _has_comment(facts, function):
        return True
    if index not in calling:
        return not _is_bare(facts, index, calling)
    return _is_smoke_test(function) or _checks_types(facts, function)


SUSPECTS = per_file("hollow_test.suspects", Suspects, _suspects, frozenset({Role.TEST, Role.SOURCE}))


def _has_comment(facts: FileFacts, function: Function) -> bool:
    """Whether a comment says what the test is for."""
    comments = facts.comments  # in the order of their lines
    first = bisect_left(comments, function.start - 1, key=lambda comment: comment.line)
    last = bisect_right(comments, function.end, key=lambda comment: comment.line)
    return first < last


def _is_smoke_test(function: Function) -> bool:
    """Whether its name says that it only has to run without a failure."""
    return _SMOKE_NAME.search(_CAMEL.sub("_", function.name)) is not None


def _is_bare(facts: FileFacts, index: int, calling: Container[int]) -> bool:
    """Whether the body is empty, and no string names the function."""
    function = facts.functions[index]
    return (
        function.logic_lines <= 2 + len(function.decorators)  # some languages count decorator lines
        and index not in calling
        and not any(inner.parent == index for inner in facts.functions)
        and not function.returns_value
        and not function.attributes
        and not function.writes
        and not any(text.value.endswith("." + function.name) for text in facts.texts)
    )


def _is_intentionally_empty(file: File, function: Function, tests: Tests) -> bool:
    """Whether an empty test runs its fixtures, is disabled by name, or overrides an inherited one."""
    if _DISABLED_NAME.search(function.name) or tests.declares_something(file, function):
        return True
    has_fixtures = file.traits.fixtures and any(param.name != "self" for param in function.params)
    if has_fixtures or any("usefixtures" in decorator for decorator in function.decorators):
        return True
    if function.class_index < 0:
        # Among tests that are methods, a plain function is a helper.
        others = [test for test in file.facts.functions if test.is_test and test.name != function.name]
        return bool(others) and not function.is_anonymous and all(test.class_index >= 0 for test in others)
    owner = file.facts.classes[function.class_index]
    if _is_input_class(file.facts, owner) or _has_set_up(file.facts, function.class_index):
        return True
    return tests.may_override_test(file, owner, function.name) or any(
        _RUN_BY_DECORATOR.search(decorator.partition("(")[0]) for decorator in owner.decorators
    )


def _has_set_up(facts: FileFacts, class_index: int) -> bool:
    """Whether a class prepares something for each test: that it can is what an empty test shows."""
    return any(
        function.class_index == class_index and _SET_UP.fullmatch(function.name) and function.logic_lines > 1
        for function in facts.functions
    )


def _is_input_class(facts: FileFacts, owner: Class) -> bool:
    """Whether a test class is inside another one, and nothing marks it as a group of tests: input for tests of a test runner."""
    outer = next(
        (other for other in facts.classes if other.qualname == owner.qualname.rpartition(".")[0]), None
    )
    if outer is None:
        return False
    is_group = any(_GROUP_DECORATOR.search(decorator) for decorator in owner.decorators)
    return not is_group or _is_input_class(facts, outer)


def _swallowing_handlers(facts: FileFacts) -> dict[int, list[Handler]]:
    """By function: its handlers that do nothing."""
    by_function: dict[int, list[Handler]] = {}
    for handler in facts.handlers:
        if handler.does == _DOES_NOTHING:
            by_function.setdefault(handler.function, []).append(handler)
    return by_function


def _catches_failures(file: File, handler: Handler) -> bool:
    """Whether the handler catches a failed check, which is no `Exception` in some languages."""
    return any(name in file.traits.check_failures for name in handler.caught or ("",))


def _swallows_checks(facts: FileFacts, index: int, swallowing: list[Handler], calls: list[Call]) -> bool:
    """Whether every check is in a `try` with one of these handlers, and nothing follows."""
    is_recorded = any(item.target.startswith(_RECORDING_FRAMEWORK) for item in facts.imports)
    if not swallowing or is_recorded or facts.functions[index].raises:
        return False
    checks = [call.line for call in calls if _is_check(call.dotted)]
    if not checks or any(_RECORDING_CHECK.match(call.dotted) for call in calls):
        return False
    past = any(_PAST_EXCEPTION.match(call.dotted) for call in calls)
    if past and not any(set(handler.caught or ("",)) & {"", "BaseException"} for handler in swallowing):
        return False
    end = max(handler.end for handler in swallowing)
    return all(call.line <= end for call in calls) and all(
        any(handler.body_start <= line <= handler.body_end for handler in swallowing) for line in checks
    )


def _is_compile_test(facts: FileFacts, function: Function) -> bool:
    """Whether the comment above its class says that the tests only have to compile."""
    if function.class_index < 0:
        return False
    above = facts.classes[function.class_index].start - 1
    return any(
        comment.end in (above, above - 1) and _COMPILE_COMMENT.search(comment.text) is not None
        for comment in facts.comments
    )


def _checks_types(facts: FileFacts, function: Function) -> bool:
    """Whether the compiler does the checking."""
    return (
        _TYPE_TEST_NAME.search(function.qualname) is not None
        or _is_compile_test(facts, function)
        or any(_TYPE_CHECKS.match(name.name) for item in facts.imports for name in item.names)
        or any(
            "@ts-expect-error" in comment.text and function.start <= comment.line <= function.end
            for comment in facts.comments
        )
    )


class Hollow(Struct, frozen=True):
    """The kind of a hollow test, what to say about it, and the file it tests, if known."""

    kind: str
    what: str
    target: str = ""
    why: str = ""
    fix: str = ""


EMPTY = Hollow(
    "empty",
    "has an empty body",
    why="It counts as a passing test and checks nothing.",
    fix="Fill it in or delete it.",
)
SWALLOWED = Hollow(
    "swallowed",
    "has all its checks in a `try` that swallows their failures",
    fix="Remove the `try`, or catch only the error that is expected.",
)


def _classify(file: File, suspect: Suspect, tests: Tests) -> Hollow | None:
    facts, index = file.facts, suspect.index
    if suspect.kind == "empty":
        intended = _is_intentionally_empty(file, facts.functions[index], tests)
        return None if intended else EMPTY
    if suspect.kind == "swallowed":
        handlers = _swallowing_handlers(facts)[index]
        swallowing = [handler for handler in handlers if _catches_failures(file, handler)]
        if _swallows_checks(facts, index, swallowing, tests.calls(file, index)):
            return SWALLOWED
        calls = tests.calls_by_function(file)
        if index in tests.checking_functions(file) or _is_excused(facts, index, calls):
            return None
    name, target = tests.tested_function(file, index)
    if not name or tests.reaches_check(file, index, MAX_HELPER_DEPTH):
        return None
    return Hollow("unchecked", f"calls `{name}` and never checks the result", target)


def _report(
    file: File, function: Function, hollow: Hollow, calls: int, alone: bool, alike: list[Function]
) -> Finding:
    swallowed = hollow.kind == "swallowed"
    only = f", and no other test file imports {hollow.target}" if alone else ""
    if alike:
        only += f"; {len(alike)} more {'test here does' if len(alike) == 1 else 'tests here do'} the same"
    reason = "the helpers it calls check nothing" if calls else "it calls no helper that could check"
    helpers = Signal("helpers", Category.GRAPH, 65, reason)
    return Finding(
        at_function(file, function),
        Severity.LOW,
        f"The test `{function.name}` {hollow.what}{only}.",
        signals=(
            Signal("body", Category.SYNTAX, 80, "read from the body of the test"),
            *(() if swallowed else (helpers,)),
        ),
        evidence={
            "shape": Measure(hollow.kind),
            "calls": Measure(calls),
            "helper_depth": Measure(MAX_HELPER_DEPTH),
        },
        related=tuple(Related(at_function(file, other), "also checks nothing") for other in alike),
        why=hollow.why,
        fix=hollow.fix,
    )


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    graph, test_map = scan[IMPORT_GRAPH], scan[TEST_MAP]
    tests = Tests(scan.repo, graph)
    for path, suspects in scan[SUSPECTS].items():
        file = scan.repo.files[path]
        if file.facts.errors or _NOT_TESTS_PATH.search(path):
            continue  # after a syntax error a body may seem empty
        calls_only = options.calls_only or _may_be_only_tests(file, suspects, graph, test_map)
        hollow_tests = {
            suspect.index: hollow
            for suspect in suspects.tests
            if (calls_only or suspect.kind != "unchecked")
            and _is_test_here(file, suspect.placement)
            and (hollow := _classify(file, suspect, tests))
        }
        if any(hollow is EMPTY for hollow in hollow_tests.values()):
            lines = scan.repo.read(path).decode("utf-8", "replace").splitlines()
            hollow_tests = {
                index: hollow
                for index, hollow in hollow_tests.items()
                if hollow is not EMPTY or not _is_in_sample_class(file.facts, index, lines)
            }
        if not hollow_tests:
            continue
        candidates = [at for at in _candidates(file.facts) if _is_test_here(file, _placement(file.facts, at))]
        calling = tests.calls_by_function(file)
        bare = sum(1 for index in candidates if _is_bare(file.facts, index, calling))
        if 2 * bare >= max(len(candidates), 2):
            continue
        reported: set[str] = set()
        for index, hollow in hollow_tests.items():
            alone = len(hollow_tests) == len(candidates) and _is_only_test(file, hollow.target, test_map)
            if hollow.target in reported or not (alone or options.calls_only or hollow.kind != "unchecked"):
                continue
            alike = []
            if alone:  # an unchecked file is one problem, however many tests call it
                reported.add(hollow.target)
                alike = [
                    file.facts.functions[other]
                    for other, same in hollow_tests.items()
                    if other != index and same.target == hollow.target
                ]
            calls = len(tests.calls(file, index))
            yield _report(file, file.facts.functions[index], hollow, calls, alone, alike)


def _is_in_sample_class(facts: FileFacts, index: int, lines: list[str]) -> bool:
    """Whether a test is in a class that the code around it names: a sample for a test of a test framework."""
    class_index = facts.functions[index].class_index
    if class_index < 0:
        return False
    class_ = facts.classes[class_index]
    outside = "\n".join((*lines[: class_.start - 1], *lines[class_.end :]))
    return re.search(rf"\b{re.escape(class_.name)}\b", outside) is not None


def _may_be_only_tests(file: File, suspects: Suspects, graph: ImportGraph, tests: TestMap) -> bool:
    """Whether all tests of this file may be hollow, and no other test file imports what it tests."""
    if any(_is_test_here(file, other) for other in suspects.others):
        return False
    targets = (file.path, *(edge.target for edge in graph.imports[file.path]))
    return any(_is_only_test(file, target, tests) for target in targets)


def _is_only_test(file: File, target: str, tests: TestMap) -> bool:
    return tests.direct(target) == (file.path,)


DETECTOR = Detector(
    id="hollow_test",
    title="Test that cannot fail",
    category="tests",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.MINUTES,
    needs=(IMPORT_GRAPH, TEST_MAP),
    in_each_file=(SUSPECTS,),
    detect=detect,
    options=Options,
    examples=(
        Example(
            "a Python test that only calls",
            {
                "shop/cart.py": "def total(items):\n    return sum(items)\n",
                "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total_of_two_items():\n"
                "    total([1, 2])\n",
            },
            ("tests/test_cart.py:4",),
            severity=Severity.LOW,
        ),
        Example(
            "one finding for a file that several tests only call",
            {
                "shop/cart.py": "def total(items):\n    return sum(items)\n",
                "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_two():\n    total([1, 2])\n\n\n"
                "def test_three():\n    total([1, 2, 3])\n",
            },
            ("tests/test_cart.py:4",),
            severity=Severity.LOW,
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
            options={"calls_only": True},
            severity=Severity.LOW,
        ),
        Example(
            "silent on a test that only calls what others check",
            {
                "shop/cart.py": "def total(items):\n    return sum(items)\n",
                "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_many():\n    total([1, 2])\n\n\n"
                "def test_one():\n    assert total([1]) == 1\n",
            },
        ),
        Example(
            "silent where the framework keeps a failed check that is caught, as NUnit does",
            {
                "Tests/SymbolTests.cs": "using NUnit.Framework;\n\n[TestFixture]\npublic class SymbolTests {\n    [Test]\n"
                "    public void RefusesNull() {\n        try {\n            Symbol.Read(null);\n            Assert.Fail();\n"
                "        } catch (Exception) {\n        }\n    }\n}\n",
                "Symbol.cs": "public class Symbol {\n    public static int Read(string text) {\n        return text.Length;\n    }\n}\n",
            },
        ),
        Example(
            "silent where the handler does not catch a failed check",
            {
                "src/test/java/SyncTest.java": "class SyncTest {\n    @Test\n    public void refuses() {\n        try {\n"
                "            sync();\n            fail();\n        } catch (Exception e) {\n        }\n    }\n}\n",
            },
        ),
        Example(
            "silent on an empty function among tests that are methods",
            {
                "tests/test_hooks.py": "def test_hook():\n    pass\n\n\nclass HookTest(TestCase):\n    def test_a(self):\n"
                "        with register(test_hook):\n            self.assertTrue(1)\n\n    def test_b(self):\n        self.assertTrue(2)\n",
            },
        ),
        Example(
            "silent on an empty test whose class prepares something for it",
            {
                "tests/test_reset.py": "class TestReset:\n    def setup_method(self):\n        client = connect()\n        client.create('stream')\n\n"
                "    def test_first(self):\n        pass\n\n    def test_again(self):\n        assert connect()\n\n    def test_more(self):\n        assert connect() == 1\n"
            },
        ),
        Example(
            "silent on an empty test that takes a fixture",
            {
                "tests/test_cart.py": "def test_a():\n    assert 1\n\n\ndef test_server(server):\n    pass\n\n\n"
                "def test_b():\n    assert 2\n",
            },
        ),
        Example(
            "a check whose failure is swallowed",
            {
                "tests/test_sync.py": "def test_sync():\n    try:\n        assert sync() == 3\n"
                "    except Exception:\n        pass\n",
            },
            ("tests/test_sync.py:1",),
            severity=Severity.LOW,
        ),
        Example(
            "silent where the handler does not catch `pytest.fail`",
            {
                "tests/test_sync.py": "import pytest\n\n\ndef test_refuses():\n    try:\n        sync()\n"
                "        pytest.fail('no error')\n    except Exception:\n        pass\n",
            },
        ),
        Example(
            "a failure that a handler for everything swallows",
            {
                "tests/test_sync.py": "import pytest\n\n\ndef test_refuses():\n    try:\n        sync()\n"
                "        pytest.fail('no error')\n    except:\n        pass\n",
            },
            ("tests/test_sync.py:4",),
        ),
        Example(
            "silent on a test whose one line declares what a constructor makes",
            {
                "arena_test.cc": "#include <gtest/gtest.h>\n\nTEST(Arena, Empty) { Arena arena; }\n\n"
                "TEST(Arena, Size) { EXPECT_EQ(Arena(4).size(), 4); }\n",
            },
        ),
        Example(
            "an empty test among real ones",
            {
                "tests/test_cart.py": "def test_a():\n    assert 1\n\n\ndef test_refund():\n    pass\n\n\n"
                "def test_b():\n    assert 2\n",
            },
            ("tests/test_cart.py:5",),
        ),
        Example(
            "silent on a test that only notes that it ran",
            {
                "tests/test_cart.py": "def test_a():\n    assert 1\n\n\ndef test_ran():\n    Cart.mark = True\n\n\n"
                "def test_b():\n    assert 2\n",
            },
        ),
        Example(
            "an empty test in a class whose base classes are all visible",
            {
                "tests/base.py": "import unittest\n\n\nclass Base(unittest.TestCase):\n    def test_a(self):\n        assert 1\n",
                "tests/test_cart.py": "from tests.base import Base\n\n\nclass CartTest(Base):\n    def test_b(self):\n"
                "        assert 2\n\n    def test_refund(self):\n        pass\n\n    def test_c(self):\n        assert 3\n",
            },
            ("tests/test_cart.py:8",),
        ),
        Example(
            "silent on an empty test that may turn off one of a base class that is not visible",
            {
                "src/test/java/QueryTest.java": "class QueryTest extends ParserTest {\n    @Test\n    void testPercentile() {}\n\n"
                "    @Test\n    void a() {\n        assertEquals(1, parse());\n    }\n\n    @Test\n    void b() {\n        assertEquals(2, parse());\n    }\n}\n",
            },
        ),
        Example(
            "silent on an empty test that turns off one inherited from the base of its base",
            {
                "tests/far.py": "class Far:\n    def test_refund(self):\n        assert 1\n",
                "tests/near.py": "from tests.far import Far\n\n\nclass Near(Far):\n    pass\n",
                "tests/test_cart.py": "from tests.near import Near\n\n\nclass CartTest(Near):\n    def test_b(self):\n"
                "        assert 2\n\n    def test_refund(self):\n        pass\n\n    def test_c(self):\n        assert 3\n",
            },
        ),
        Example(
            "silent on an empty test that is named after its set-up",
            {
                "src/test/kotlin/StorageTest.kt": "class StorageTest {\n    @Test\n    fun testSetup() {\n    }\n\n    @Test\n"
                "    fun a() {\n        assertTrue(open())\n    }\n\n    @Test\n    fun b() {\n        assertTrue(close())\n    }\n}\n",
            },
        ),
        Example(
            "silent on a function named like a test that nothing runs",
            {
                "src/test/kotlin/TestScope.kt": "class TestScope {\n    var testBody: (Client) -> Unit = {}\n}\n\n"
                "class ClientTest {\n    @Test\n    fun a() {\n        assertTrue(open())\n    }\n\n    @Test\n    fun b() {\n        assertTrue(close())\n    }\n}\n",
            },
        ),
        Example(
            "silent on a file that the grammar cannot read",
            {
                "src/cart.test.js": "it('a', () => {\n  expect(total([])).toBe(0);\n});\n\nit('b', () => {\n  const arg = {x: {} as {...}, y: undefined};\n"
                "  expect(total(arg)).toBe(1);\n});\n\nit('c', () => {\n  expect(total([1])).toBe(1);\n});\n",
            },
        ),
        Example(
            "silent on input for testing a tool",
            {
                "test/fixtures/lint/function.py": "def test_a():\n    pass\n\n\ndef test_b():\n    assert 1\n\n\ndef test_c():\n    assert 2\n",
            },
        ),
        Example(
            "silent when a helper two calls away asserts",
            {
                "tests/support.py": "def same(a, b):\n    deep(a, b)\n\n\ndef deep(a, b):\n    assert a == b\n",
                "shop/sums.py": "def add(a, b):\n    return a + b\n",
                "tests/test_sum.py": "from support import same\nfrom shop.sums import add\n\n\n"
                "def test_sum():\n    same(add(1, 0), 1)\n",
            },
        ),
        Example(
            "silent on an expected exception",
            {
                "shop/sums.py": "def add(a, b):\n    return a + b\n",
                "tests/test_x.py": "import pytest\nfrom shop.sums import add\n\n\ndef test_bad_input():\n"
                "    with pytest.raises(TypeError):\n        add(1, None)\n",
            },
        ),
        Example(
            "silent on a smoke test that says so",
            {
                "shop/app.py": "def start():\n    return 1\n",
                "tests/test_x.py": "from shop.app import start\n\n\ndef test_start():\n"
                "    # It once raised without a terminal.\n    start()\n",
            },
        ),
        Example(
            "silent when the handler fails the test",
            {
                "tests/test_sync.py": "def test_sync():\n    try:\n        assert sync() == 3\n"
                "    except Exception:\n        assert False\n",
            },
        ),
        Example(
            "silent on a snapshot",
            {
                "src/app.tsx": "export function App() {\n  return <b/>;\n}\n",
                "src/app.test.tsx": 'import { App } from "./app";\n\nit("renders", () => {\n  App().toMatchSnapshot();\n});\n',
            },
        ),
        Example(
            "silent on a type test",
            {
                "src/client.ts": "export function client(url: string) {\n  return url;\n}\n",
                "src/client.test.ts": 'import type { Equal, Expect } from "./types";\nimport { client } from "./client";\n\n'
                'it("keeps the type", () => {\n  const c = client("/");\n  type verify = Expect<Equal<typeof c, string>>;\n});\n',
            },
        ),
        Example(
            "silent on an error the compiler has to report",
            {
                "src/client.ts": "export function client(url: string) {\n  return url;\n}\n",
                "src/client.test.ts": 'import { client } from "./client";\n\nit("wants text", () => {\n'
                "  // @ts-expect-error a number is no address\n  client(3);\n});\n",
            },
        ),
        Example(
            "silent on a check that each case of a table names",
            {
                "go.mod": "module shop\n\ngo 1.22\n",
                "sums.go": "package shop\n\nfunc IsSmall(n int) bool {\n\treturn n < 10\n}\n",
                "sums_test.go": 'package shop\n\nimport (\n\t"testing"\n\n\t"github.com/stretchr/testify/assert"\n)\n\n'
                "func TestIsSmall(t *testing.T) {\n\tfor _, tc := range []struct {\n\t\twant assert.BoolAssertionFunc\n"
                "\t\tn    int\n\t}{{want: assert.True, n: 1}, {want: assert.False, n: 11}} {\n\t\ttc.want(t, IsSmall(tc.n))\n\t}\n}\n",
            },
        ),
        Example(
            "silent on a helper whose definition is not visible",
            {
                "shop/sums.py": "def add(a, b):\n    return a + b\n",
                "tests/test_x.py": "from elsewhere import Case\nfrom shop.sums import add\n\n\nclass SumTest(Case):\n"
                "    def test_sum(self):\n        self.same_twice(add(1, 2))\n",
            },
        ),
        Example(
            "silent on a callback that raises",
            {
                "shop/sums.py": "def total(next_price):\n    return next_price\n",
                "tests/test_x.py": "from shop.sums import total\n\n\ndef test_lazy():\n    def price():\n"
                "        raise RuntimeError\n\n    total(price)\n",
            },
        ),
        Example(
            "silent on a double that raises when misused",
            {
                "shop/sums.py": "def total(prices):\n    return sum(prices)\n",
                "tests/test_x.py": "from shop.sums import total\n\n\nclass ReadOnce:\n    def __iter__(self):\n"
                "        if self.read:\n            raise RuntimeError\n        return iter(())\n\n\n"
                "def test_one_pass():\n    total(ReadOnce())\n",
            },
        ),
        Example(
            "a test that ends with a method of what it made",
            {
                "shop/cart.py": "def cart(items):\n    return list(items)\n",
                "tests/test_cart.py": "from shop.cart import cart\n\n\ndef test_order():\n    c = cart([1])\n    c.order()\n",
            },
            ("tests/test_cart.py:4",),
        ),
        Example(
            "silent on a test that ends with a method of what the call was given",
            {
                "src/main/java/shop/ReadOnly.java": "package shop;\n\npublic class ReadOnly {\n    public ReadOnly(Settings settings) {}\n}\n",
                "src/test/java/shop/ReadOnlyTest.java": "package shop;\n\nclass ReadOnlyTest {\n    @Test\n    void testReload() {\n"
                "        Settings settings = new Settings();\n        Settings locked = new ReadOnly(settings);\n"
                '        settings.reload("a");\n    }\n}\n',
            },
        ),
        Example(
            "silent when the result is passed on",
            {
                "shop/keys.py": "def make_key():\n    return 'k'\n",
                "tests/test_x.py": "import ssl\nfrom shop.keys import make_key\n\n\ndef test_key():\n    key = make_key()\n"
                "    ssl.load(key)\n",
            },
        ),
        Example(
            "silent on a function that only rejects its input",
            {
                "shop/rules.py": "def limit(n):\n    if n > 9:\n        raise ValueError(n)\n",
                "tests/test_x.py": "from shop.rules import limit\n\n\ndef test_nine():\n    limit(9)\n",
            },
        ),
        Example(
            "a function that raises deep inside is not a check of its result",
            {
                "shop/sums.py": "def add(a, b):\n    if a is None:\n        raise ValueError\n    return a + b\n",
                "tests/test_x.py": "from shop.sums import add\n\n\ndef test_sum():\n    add(1, 2)\n",
            },
            ("tests/test_x.py:4",),
        ),
        Example(
            "silent on a function that a string names",
            {
                "tests/test_x.py": "def test_job():\n    pass\n\n\ndef test_schedule():\n"
                "    assert schedule('shop.tests.test_x.test_job')\n\n\ndef test_b():\n    assert 2\n",
            },
        ),
        Example(
            "silent when only support code for tests is called",
            {
                "shop/testing/threads.py": "def run_all(f):\n    f()\n",
                "tests/test_x.py": "from shop.testing.threads import run_all\n\n\ndef test_prices():\n    run_all(print)\n",
            },
        ),
        Example(
            "silent when something follows a swallowed failure",
            {
                "tests/test_x.py": "def test_rollback(db):\n    try:\n        with db.begin():\n            assert db.open\n"
                "            db.explode()\n    except Exception:\n        pass\n    eq_(db.calls, [])\n",
            },
        ),
        Example(
            "silent when skipped",
            {"tests/test_x.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_later():\n    pass\n"},
        ),
        Example(
            "silent on empty tests that a test runner is tested with",
            {
                "src/test/java/DiscoveryTest.java": "class DiscoveryTest {\n    @Test\n    void findsAll() {\n        assertEquals(1, discover(Sample.class));\n    }\n\n"
                "    @Test\n    void findsOne() {\n        assertEquals(1, discover(Sample.class));\n    }\n\n"
                "    static class Sample {\n        @Test\n        void first() {}\n    }\n}\n",
            },
        ),
        Example(
            "silent on input for testing a test runner",
            {"tests/simple/tests.py": "def test_1():\n    pass\n\n\ndef test_2():\n    pass\n"},
        ),
        Example(
            "silent on a class of tests that other tests run",
            {
                "tests/test_runner.py": "class TestSample:\n    def test_nothing(self):\n        pass\n\n\ndef test_runner():\n"
                "    assert run(TestSample) == 1\n\n\ndef test_more():\n    assert run(TestSample, 2) == 2\n"
            },
        ),
    ),
)

"""A test that can't fail for the reason it exists: nothing in it checks the outcome.

Three shapes are reported: a test with an empty body; a test whose every check stands in a `try` that swallows the failure;
and a test that calls a function of this repository and never looks at what came out, in the test itself or in helpers up to
two calls deep, where no other test looks at that file.

## Why it matters

It counts as a test, so the code under it looks safe to edit; but it stays green when an edit makes the result wrong.

## What to do

Assert the outcome the test's name promises. If the point is that nothing is raised, say so in its name or a comment.

## What it accepts

- A test that only calls, where others check the same file: most of those hold that something once raised and no longer
  does. `calls_only = true` reports them, too.
- Empty tests that are handed something, or whose class is run by something: making it is the test; those whose name says
  that they are turned off or are only the set-up; and those of a class that inherits a test of this name, or is derived from one out
  of sight: the empty one turns it off.
- Assertion helpers, also inherited or imported ones, by name (`assert…`, `expect…`, `check…`, `verify…`, `should…`), and
  methods of the test itself that are defined out of sight.
- A `try` whose handler does not catch a failed check, as `except Exception` does not catch `pytest.fail`.
- `raises`, `warns`, `fail`, mock assertions, snapshots, benchmark and regression fixtures, Cypress commands.
- Type tests: `@ts-expect-error`, or a file that imports `Expect`, `Equal`, `expectTypeOf` or their like.
- Skipped, expected-to-fail and property-based tests, tests that raise by themselves or in a function they hand over, and
  tests whose decorator does the checking.
- A call to a function that does nothing but refuse: raising is its only answer.
- A result that is handed on to other code, which may refuse it: the test has to end with the call, or with a method of what
  it made.
- Calls to support code for tests (`testing/`, `fixtures/`): only what is under test counts.
- Tests that say what they are for in a comment or docstring, or whose name speaks of an error, a permission, an absence,
  or of threads.
- Files that the grammar cannot read to their end: what is left of a test may look empty.
- Files in which most tests are empty, and files in `fixtures` and `testdata`: material for testing a tool.
- Methods that are called like a test and that nothing would run: no annotation, and a class derived from nothing.
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

HELPER_DEPTH = 2
_FEW_CALLS = 4
_CHECK = regex(
    r"(?:^|[._(#])_*(?:assert|expect|should|verif|check|ensure|raises|warns|deprecated|fail|snapshot|tomatch|must|refute|flunk|wont_|it_behaves|include_examples|"
    r"require[^(]*equal|compare|validate|confirm|wait_?for|wait_?until|eventually|regression|benchmark|pass$|throws|"
    r"rejects|is_?equal|equals?$|deep_?equal|strict_?equal|not_?equal|is_?true|is_?false|matches|plan$|done$|diff|"
    r"approve|findby|getby|finda?ll?by|test_|test$|(?-i:test[A-Z])|perform_test|status_?code$|await\(\)|intercept|for_?all|===|=!=|run_?test|do_test|cy$|cy\.|"
    r"(?-i:require\.[A-Z])|(?-i:REQUIRE)|(?-i:SUCCEED)|abort_?(?:unless|if)|(?:str|mem)n?cmp$|(?<=#)require$|(?-i:XCT(?:Assert|Fail|Unwrap|Expect))|(?-i:Issue\.record$)|fulfillment$|"
    r"(?-i:Fatal)f?$|(?-i:cmp\.[A-Z])|consistently|no_?err(?:or)?$|panic$|unwrap(?:_err|_none)?$|unreachable$|"
    r"(?:eq|ne|is|is_not|in|not_in|lt|le|gt|ge)_$|(?:scalar_)?one$)",
    re.IGNORECASE,
)
# What a test's own object also offers: none of it fails the test.
_TAP = regex(
    r"^(?:t|tap|assert|chai|sinon|should)\."
    r"(?!(?:Parallel|Helper|Logf?|Run|Cleanup|TempDir|Setenv|Chdir|Context|Name|Deadline|Output)$)"
)
_SKIPPED = regex(
    r"skip|xfail|expectedfailure|todo|given|slow|benchmark|fixture|ignore|disabled|\(.*(?:expected|enabled|timeout)",
    re.IGNORECASE,
)
_FIXTURES = regex(
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
_TURNED_OFF = regex(
    r"disabled|skip|todo|placeholder|dummy|not (?:supported|available|run)|set_?up$", re.IGNORECASE
)
# Base classes of test frameworks: what they give a test is help, not tests to turn off.
_FRAMEWORK = regex(r"(?:^|[a-z_])(?:TestCase|Minitest|Spec|Suite)$|^(?:TestCase|Test|object)$")
_CAMEL = regex(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_TESTS = regex(
    r"test-d\.|spec-d\.|/dtslint/|typings|/typing/|/type-?tests?/|types?\.(?:test|spec)\.|(?:^|/)(?:perf|bench\w*)/"
    r"|(?:^|/)(?:_*fixtures?_*|test-?_?data)/"  # material that a tool is tried on
)
_OF_TYPES = regex(r"\btypes?\b|\btyp(?:edefs?|ings?|esafe\w*)\b", re.IGNORECASE)
_COMPILES = regex(r"\bcompil|source.?compatib", re.IGNORECASE)
_TYPE_CHECKS = regex(
    r"^(?:Expect\w*|Equals?|AssertEqual\w*|IsExact|IsEqual|TypeEqual\w*|expectType\w*|assertType\w*)$"
)
_SUPPORT = regex(
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
# Checks that write a failure down and go on: no handler catches them.
_RECORDED = regex(r"XCT(?:Assert|Fail|Expect)|#expect$|Issue\.record$")
_SWALLOWED = ("pass",)
# Checks whose failure is no `Exception`: only a handler for everything catches them.
_PAST_EXCEPTION = regex(r"pytest\.(?:fail|raises|warns|deprecated_call|exit)$")
_RUN_BY = regex("Test$|RunWith|ExtendWith")  # what decorates a class whose making is a test


@dataclass(frozen=True)
class Options:
    calls_only: bool = option(
        False, "Report a test that only calls code, also where other tests check the same file."
    )


@cache
def _is_check(target: str) -> bool:
    return _CHECK.search(target) is not None or _TAP.match(target) is not None


@cache
def _makes_a_check(written: str) -> bool:
    return _is_check(Call(written, 0, -1, False).dotted)


@cache
def _is_fixture(name: str) -> bool:
    return _FIXTURES.search(name) is not None


@cache
def _is_test_class(name: str, bases: tuple[str, ...]) -> bool:
    return _TEST_CLASS.search(" ".join((name, *bases))) is not None


def _is_under_test(file: File) -> bool:
    """Code the tests are for, not code that helps them."""
    return file.role is Role.SOURCE and not _SUPPORT.search(file.path)


class Standing(Struct, frozen=True, order=True, array_like=True):
    """How a test stands in its file."""

    in_test: bool  # in a part of a source file that is for tests
    is_made: bool  # a decorator or a base class makes it a test, or it is no method


def _standing(facts: FileFacts, index: int) -> Standing:
    function = facts.functions[index]
    made = function.class_index < 0 or function.is_anonymous or bool(function.decorators)
    return Standing(function.in_test, made or bool(facts.classes[function.class_index].bases))


def _counts(file: File, test: Standing) -> bool:
    """In a test file all that something runs, in a source file those in a part for its tests.

    A method that nothing makes a test is a part of what tests are made with, but where names decide.
    """
    return (file.role is Role.TEST or (file.role is Role.SOURCE and test.in_test)) and (
        test.is_made or file.traits.fixtures
    )


def _refuses(function: Function) -> bool:
    """Raises or returns nothing: to call it is to check what it is given."""
    return function.raises and not function.returns_value


class Tests:
    """What functions call and check, indexed by file when first asked."""

    def __init__(self, repo: Repo, graph: ImportGraph) -> None:
        self._repo = repo
        self._graph = graph
        self._by_name: dict[str, Mapping[str, list[int]]] = {}
        self._called: dict[str, Mapping[int, list[Call]]] = {}
        self._checking: dict[str, set[int]] = {}
        self._reach: dict[tuple[str, int, int], bool] = {}

    def named(self, file: File, name: str) -> Iterator[tuple[File, int]]:
        """Functions of that name in this file and in the files it imports."""
        for other in self._in_sight(file):
            for index in self._index(other).get(name, ()):
                yield other, index

    def _in_sight(self, file: File) -> Iterator[File]:
        """The file and those it imports."""
        seen = [file.path, *(edge.target for edge in self._graph.imports.get(file.path, ()))]
        for path in dict.fromkeys(seen):
            if path in self._repo.files:
                yield self._repo.files[path]

    def _index(self, file: File) -> Mapping[str, list[int]]:
        if file.path not in self._by_name:
            names: dict[str, list[int]] = {}
            for index, function in enumerate(file.facts.functions):
                names.setdefault(function.name, []).append(index)
            self._by_name[file.path] = names
        return self._by_name[file.path]

    def may_turn_off(self, file: File, owner: Class, name: str) -> bool:
        """Whether a class gets a test of this name from a class it is derived from, as far as that is in sight."""
        if sum(1 for _ in self.named(file, name)) > 1:
            return True
        waiting, seen = [(file, owner)], {owner}
        while waiting:
            here, derived = waiting.pop()
            for base in map(_plain_name, derived.bases):
                found = [
                    (other, one)
                    for other in self._in_sight(here)
                    for one in other.facts.classes
                    if one.name == base
                ]
                if not found and not _FRAMEWORK.search(base):
                    return True  # out of sight: it may hold any test
                if any(other.facts.functions[at].name == name for other, one in found for at in one.methods):
                    return True
                waiting += [pair for pair in found if pair[1] not in seen]
                seen.update(one for _, one in found)
        return False

    def calls_in(self, file: File) -> Mapping[int, list[Call]]:
        """What each function that calls something calls."""
        if file.path not in self._called:
            self._called[file.path] = _calls_in(file.facts)
        return self._called[file.path]

    def calls(self, file: File, index: int) -> list[Call]:
        """What a function calls, the functions inside it included."""
        return self.calls_in(file).get(index, [])

    def reach_a_check(self, file: File, index: int, depth: int) -> bool:
        """Whether a function checks something, itself or through what it calls."""
        key = (file.path, index, depth)
        if key not in self._reach:
            self._reach[key] = False  # a function that leads back to itself adds nothing
            self._reach[key] = self._look_for_a_check(file, index, depth)
        return self._reach[key]

    def _look_for_a_check(self, file: File, index: int, depth: int) -> bool:
        if index in self.checking(file):
            return True
        targets = dict.fromkeys(call.dotted for call in self.calls(file, index))
        return depth > 0 and any(self._leads_to_a_check(file, index, target, depth - 1) for target in targets)

    def checking(self, file: File) -> set[int]:
        """Functions of a file that hold a check themselves."""
        if file.path not in self._checking:
            self._checking[file.path] = _checking(file.facts)
        return self._checking[file.path]

    def _leads_to_a_check(self, file: File, index: int, target: str, depth: int) -> bool:
        owner, _, name = target.rpartition(".")
        found = list(self.named(file, name))
        # A double whose methods raise is a check of how it is used.
        found += [
            (file, method) for made in file.facts.classes if made.name == name for method in made.methods
        ]
        # In some languages a method gives its object a name.
        attributes = file.facts.functions[index].attributes
        if not found and (
            owner in ("self", "cls", "this")
            or (owner and name in attributes)
            or (not owner and _may_inherit(file, index, name))
        ):
            return True  # inherited from somewhere out of sight: it may check anything
        return any(
            _refuses(other.facts.functions[called])
            if _is_under_test(other) and not other.facts.functions[called].in_test
            else self.reach_a_check(other, called, depth)
            for other, called in found
        )

    def tested(self, file: File, index: int) -> tuple[str, str]:
        """A function of the repository's source whose outcome is the last thing the test has in hand, and its file."""
        calls = self.calls(file, index)
        called = {call.dotted for call in calls}
        for name in sorted(called) if file.facts.functions[index].in_test else ():
            if self._answers(file, name) and self._ends_with(file, index, calls, name):
                return name, file.path
        for edge in self._graph.imports.get(file.path, ()):
            target = self._repo.files.get(edge.target)
            if target is not None and _is_under_test(target):
                packages = {*_packages(file), *target.facts.packages}
                for name in self._called_of(edge.names, target, called, packages):
                    if self._ends_with(file, index, calls, name):
                        return name, target.path
        return "", ""

    def _ends_with(self, file: File, index: int, calls: list[Call], name: str) -> bool:
        """The test ends with this call, or with a method of something made in a few steps from it.

        What is handed on to other code may well be checked there: it raises when the value is no good.
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
        if roots <= known or len({call.dotted for call in calls}) > _FEW_CALLS:
            return False
        lines = self._repo.read(file.path).decode("utf-8", "replace").split("\n")
        code = lines[function.start - 1 : function.end]
        return not (roots - known).isdisjoint(_made_of(name.rpartition(".")[2], code))

    def _called_of(
        self, names: Iterable[str], target: File, called: Iterable[str], packages: set[str]
    ) -> Iterator[str]:
        """Functions of a file called by their name, or by that of a type or package: `f`, `Type.f`, `Type().f`, `pkg.f`."""
        imported = frozenset(names)
        for one in sorted(called):
            owner, _, name = one.rpartition(".")
            known = owner.removesuffix("()") in imported or (owner in packages and name in imported)
            if (known if owner else one in imported) and self._answers(target, name):
                yield one

    def _answers(self, file: File, name: str) -> bool:
        """Whether something comes of a call: of what returns nothing, a test can only show that it does not fail."""
        functions = file.facts.functions
        named = [functions[at] for at in self._index(file).get(name, ())]
        return any(one.returns != ("nothing",) and not one.in_test for one in named)


def _may_inherit(file: File, index: int, name: str) -> bool:
    """Whether a bare name may be a method of a class that the function's own class is derived from."""
    if not file.traits.bare_members or (name[:1].isupper() and not file.traits.capital_methods):
        return False
    functions = file.facts.functions
    while index >= 0 and functions[index].class_index < 0:
        index = functions[index].parent
    return index >= 0 and bool(file.facts.classes[functions[index].class_index].bases)


def _plain_name(base: str) -> str:
    """The name of a class without its module and what it is made for: `T` of `a.T[int]`."""
    return re.split(r"[\[<(]", base)[0].rpartition(".")[2].rpartition(":")[2].strip()


def _packages(file: File) -> Iterator[str]:
    """What a file calls the packages it imports whole."""
    for item in file.facts.imports:
        if not item.names:
            yield item.alias or item.target.rpartition("/")[2]


def _made_of(name: str, code: Iterable[str]) -> set[str]:
    """Words that stand before this name on a line, or after `as`, and those that stand so beside one of them: variables."""
    made = {name}
    for row in code:
        words = re.findall(r"\w+", row)
        last = max((at for at, word in enumerate(words) if word in made), default=-1)
        if last >= 0:
            made.update(words[:last])
            made.update(after for word, after in pairwise(words[last:]) if word == "as")
    return made


def _checking(facts: FileFacts) -> set[int]:
    """Functions of a file that raise, those directly around one that does, and those that hold the call of a check."""
    functions = facts.functions
    found = {n for at, one in enumerate(functions) if one.raises for n in (at, one.parent)}
    for call in facts.calls:
        at = call.function
        if at not in found and _makes_a_check(call.target):
            while at >= 0:
                found.add(at)
                at = functions[at].parent
    return found


def _calls_in(facts: FileFacts) -> dict[int, list[Call]]:
    """What each function of a file calls, the functions inside it included; those that call nothing are not there."""
    called: dict[int, list[Call]] = {}
    for call in facts.calls:
        at = call.function
        while at >= 0:
            called.setdefault(at, []).append(call)
            at = facts.functions[at].parent
    return called


def _candidates(facts: FileFacts) -> Iterator[int]:
    for index, function in enumerate(facts.functions):
        if not function.is_test or any(_SKIPPED.search(decorator) for decorator in function.decorators):
            continue
        if function.result and function.returns_value:
            continue  # whoever runs it looks at what it returns
        if not function.logic_lines or any(_is_fixture(param.name) for param in function.params):
            continue  # a declaration without a body is written elsewhere
        if any(not _PLAIN_DECORATOR.search(decorator) for decorator in function.decorators):
            continue  # what it decorates may be all it is for
        if not function.is_anonymous:
            if function.parent >= 0:
                continue  # a nested helper that happens to be called test…
            if function.class_index >= 0:
                owner = facts.classes[function.class_index]
                if not _is_test_class(owner.name, owner.bases):
                    continue  # a model or view with a method called test
        yield index


class Suspect(Struct, frozen=True, array_like=True):
    """A test of which the file by itself does not say that it can fail, and which kind of hollow test it may be."""

    index: int
    standing: Standing
    kind: str


class Suspects(Struct, frozen=True, array_like=True):
    """Those of one file, and how its other tests stand."""

    tests: tuple[Suspect, ...]
    others: tuple[Standing, ...]  # each once


def _suspects(facts: FileFacts) -> Suspects | None:
    """The tests that hold no check themselves and nothing that speaks for them, or handlers that may swallow every check."""
    candidates = list(_candidates(facts))
    if not candidates:
        return None
    checking = _checking(facts)
    swallowing = _swallowing(facts)
    doubtful = {index for index in candidates if index not in checking or index in swallowing}
    calls = _calls_in(facts) if doubtful else {}
    found: list[Suspect] = []
    others: set[Standing] = set()
    for index in candidates:
        standing, kind = _standing(facts, index), ""
        if index in swallowing and _swallowed_checks(facts, index, swallowing[index], calls.get(index, [])):
            kind = "" if _checks_types(facts, facts.functions[index]) else "swallowed"
        elif index not in checking and not _is_cleared(facts, index, calls):
            kind = "unchecked" if index in calls else "empty"
        if kind:
            found.append(Suspect(index, standing, kind))
        else:
            others.add(standing)
    return Suspects(tuple(found), tuple(sorted(others))) if found else None


def _is_cleared(facts: FileFacts, index: int, calling: Container[int]) -> bool:
    """Whether a test without a check is no hollow one for all that other files may hold."""
    function = facts.functions[index]
    if _explained(facts, function):
        return True
    if index not in calling:
        return not _is_bare(facts, index, calling)
    return _is_smoke_test(function) or _checks_types(facts, function)


SUSPECTS = per_file("hollow_test.suspects", Suspects, _suspects, frozenset({Role.TEST, Role.SOURCE}))


def _explained(facts: FileFacts, function: Function) -> bool:
    """The test says in words what it is for."""
    comments = facts.comments  # in the order of their lines
    first = bisect_left(comments, function.start - 1, key=lambda comment: comment.line)
    last = bisect_right(comments, function.end, key=lambda comment: comment.line)
    return first < last


def _is_smoke_test(function: Function) -> bool:
    """Its name says that nothing may go wrong."""
    return _SMOKE_NAME.search(_CAMEL.sub("_", function.name)) is not None


def _is_bare(facts: FileFacts, index: int, calling: Container[int]) -> bool:
    """Nothing in it, and no string names it as something to call."""
    function = facts.functions[index]
    return (
        function.logic_lines
        <= 2 + len(function.decorators)  # some languages count their lines to the function
        and index not in calling
        and not any(inner.parent == index for inner in facts.functions)
        and not function.returns_value
        and not function.attributes
        and not function.writes
        and not any(text.value.endswith("." + function.name) for text in facts.texts)
    )


def _is_meant(file: File, function: Function, tests: Tests) -> bool:
    """An empty test that is run for what is made before it, that says it is none, or turns an inherited one off."""
    if _TURNED_OFF.search(function.name):
        return True
    made = file.traits.fixtures and any(param.name != "self" for param in function.params)
    if made or any("usefixtures" in decorator for decorator in function.decorators):
        return True
    if function.class_index < 0:
        # Among tests that are methods, a function of its own is something they hand over.
        others = [one for one in file.facts.functions if one.is_test and one.name != function.name]
        return bool(others) and not function.is_anonymous and all(one.class_index >= 0 for one in others)
    owner = file.facts.classes[function.class_index]
    return tests.may_turn_off(file, owner, function.name) or any(
        _RUN_BY.search(decorator.partition("(")[0]) for decorator in owner.decorators
    )


def _swallowing(facts: FileFacts) -> dict[int, list[Handler]]:
    """By function: its own handlers that do nothing."""
    found: dict[int, list[Handler]] = {}
    for handler in facts.handlers:
        if handler.does == _SWALLOWED:
            found.setdefault(handler.function, []).append(handler)
    return found


def _catches(file: File, handler: Handler) -> bool:
    """Where a failed check is no `Exception`, or no `StandardError`, a handler for those lets it through."""
    return any(name in file.traits.check_failures for name in handler.caught or ("",))


def _swallowed_checks(facts: FileFacts, index: int, swallowing: list[Handler], calls: list[Call]) -> bool:
    """Every check of the test stands in a `try` with one of these handlers, and nothing follows."""
    if not swallowing or facts.functions[index].raises:
        return False
    checks = [call.line for call in calls if _is_check(call.dotted)]
    if not checks or any(_RECORDED.match(call.dotted) for call in calls):
        return False
    past = any(_PAST_EXCEPTION.match(call.dotted) for call in calls)
    if past and not any(set(handler.caught or ("",)) & {"", "BaseException"} for handler in swallowing):
        return False
    end = max(handler.end for handler in swallowing)
    return all(call.line <= end for call in calls) and all(
        any(handler.body_start <= line <= handler.body_end for handler in swallowing) for line in checks
    )


def _is_to_compile(facts: FileFacts, function: Function) -> bool:
    """The comment above its class says that the tests are there to be compiled."""
    if function.class_index < 0:
        return False
    above = facts.classes[function.class_index].start - 1
    return any(
        comment.end in (above, above - 1) and _COMPILES.search(comment.text) is not None
        for comment in facts.comments
    )


def _checks_types(facts: FileFacts, function: Function) -> bool:
    """The compiler does the checking."""
    return (
        _OF_TYPES.search(function.qualname) is not None
        or _is_to_compile(facts, function)
        or any(_TYPE_CHECKS.match(name.name) for item in facts.imports for name in item.names)
        or any(
            "@ts-expect-error" in comment.text and function.start <= comment.line <= function.end
            for comment in facts.comments
        )
    )


class Hollow(Struct, frozen=True):
    """Which kind of hollow test this is, what to say of it, and the file it is the test of, where that is known."""

    kind: str
    what: str
    target: str = ""


def _shape(file: File, suspect: Suspect, tests: Tests) -> Hollow | None:
    facts, index = file.facts, suspect.index
    if suspect.kind == "empty":
        meant = _is_meant(file, facts.functions[index], tests)
        return None if meant else Hollow("empty", "has an empty body")
    if suspect.kind == "swallowed":
        swallowing = [one for one in _swallowing(facts)[index] if _catches(file, one)]
        if _swallowed_checks(facts, index, swallowing, tests.calls(file, index)):
            return Hollow("swallowed", "has all its checks in a `try` that swallows their failure")
        if index in tests.checking(file) or _is_cleared(facts, index, tests.calls_in(file)):
            return None
    name, target = tests.tested(file, index)
    if not name or tests.reach_a_check(file, index, HELPER_DEPTH):
        return None
    return Hollow("unchecked", f"calls `{name}` and checks nothing that comes of it", target)


def _report(
    file: File, function: Function, hollow: Hollow, calls: int, alone: bool, alike: list[Function]
) -> Finding:
    swallowed = hollow.kind == "swallowed"
    only = f"; no other test imports {hollow.target}" if alone else ""
    if alike:
        only += f", and {len(alike)} more here {'is' if len(alike) == 1 else 'are'} like it"
    helpers = Signal("hollow_test", Category.GRAPH, 65, "no check in the helpers it calls")
    return Finding(
        at_function(file, function),
        Severity.MEDIUM if alone or swallowed else Severity.LOW,
        f"The test `{function.name}` {hollow.what}{only}. "
        "It stays green when an edit makes the result wrong. Assert the outcome its name promises.",
        signals=(
            Signal("hollow_test", Category.SYNTAX, 80, "the test's body as parsed"),
            *(() if swallowed else (helpers,)),
        ),
        evidence={
            "shape": Measure(hollow.kind),
            "calls": Measure(calls),
            "helper_depth": Measure(HELPER_DEPTH),
        },
        related=tuple(Related(at_function(file, one), "checks nothing either") for one in alike),
    )


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    graph, test_map = scan[IMPORT_GRAPH], scan[TEST_MAP]
    tests = Tests(scan.repo, graph)
    for path, suspects in scan[SUSPECTS].items():
        file = scan.repo.files[path]
        if file.facts.errors or _NO_TESTS.search(path):
            continue  # where the grammar gave up, a body may look empty that is not
        calls_only = options.calls_only or _may_be_alone(file, suspects, graph, test_map)
        shapes = {
            one.index: hollow
            for one in suspects.tests
            if (calls_only or one.kind != "unchecked")
            and _counts(file, one.standing)
            and (hollow := _shape(file, one, tests))
        }
        if not shapes:
            continue
        candidates = [at for at in _candidates(file.facts) if _counts(file, _standing(file.facts, at))]
        calling = tests.calls_in(file)
        bare = sum(1 for index in candidates if _is_bare(file.facts, index, calling))
        if 2 * bare >= max(len(candidates), 2):
            continue
        told: set[str] = set()
        for index, hollow in shapes.items():
            alone = len(shapes) == len(candidates) and _is_only_test(file, hollow.target, test_map)
            if hollow.target in told or not (alone or options.calls_only or hollow.kind != "unchecked"):
                continue
            alike = []
            if alone:  # that nothing checks a file is one problem, however many tests only call it
                told.add(hollow.target)
                alike = [
                    file.facts.functions[other]
                    for other, one in shapes.items()
                    if other != index and one.target == hollow.target
                ]
            calls = len(tests.calls(file, index))
            yield _report(file, file.facts.functions[index], hollow, calls, alone, alike)


def _may_be_alone(file: File, suspects: Suspects, graph: ImportGraph, tests: TestMap) -> bool:
    """Whether all tests of this file may be hollow, and no other file test what it tests: else a test that only calls is left be."""
    if any(_counts(file, other) for other in suspects.others):
        return False
    targets = (file.path, *(edge.target for edge in graph.imports[file.path]))
    return any(_is_only_test(file, target, tests) for target in targets)


def _is_only_test(file: File, target: str, tests: TestMap) -> bool:
    return target in tests.of and tests.of[target].importing == (file.path,)


DETECTOR = Detector(
    id="hollow_test",
    title="Test that cannot fail",
    category="tests",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
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
            severity=Severity.MEDIUM,
        ),
        Example(
            "one finding for a file that several tests only call",
            {
                "shop/cart.py": "def total(items):\n    return sum(items)\n",
                "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_two():\n    total([1, 2])\n\n\n"
                "def test_three():\n    total([1, 2, 3])\n",
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
            "silent on an empty test that is handed something",
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
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent where the failure is none that the handler catches",
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
            "an empty test of a class whose bases are all in sight",
            {
                "tests/base.py": "import unittest\n\n\nclass Base(unittest.TestCase):\n    def test_a(self):\n        assert 1\n",
                "tests/test_cart.py": "from tests.base import Base\n\n\nclass CartTest(Base):\n    def test_b(self):\n"
                "        assert 2\n\n    def test_refund(self):\n        pass\n\n    def test_c(self):\n        assert 3\n",
            },
            ("tests/test_cart.py:8",),
        ),
        Example(
            "silent on an empty test that may turn off one of a class out of sight",
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
            "silent on a function that tests are made with, which nothing runs",
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
            "silent on material that a tool is tried on",
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
            "silent on an error the compiler must see",
            {
                "src/client.ts": "export function client(url: string) {\n  return url;\n}\n",
                "src/client.test.ts": 'import { client } from "./client";\n\nit("wants text", () => {\n'
                "  // @ts-expect-error a number is no address\n  client(3);\n});\n",
            },
        ),
        Example(
            "silent on a helper defined out of sight",
            {
                "shop/sums.py": "def add(a, b):\n    return a + b\n",
                "tests/test_x.py": "from elsewhere import Case\nfrom shop.sums import add\n\n\nclass SumTest(Case):\n"
                "    def test_sum(self):\n        self.same_twice(add(1, 2))\n",
            },
        ),
        Example(
            "silent on a function handed over that raises",
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
            "silent when the result is handed on",
            {
                "shop/keys.py": "def make_key():\n    return 'k'\n",
                "tests/test_x.py": "import ssl\nfrom shop.keys import make_key\n\n\ndef test_key():\n    key = make_key()\n"
                "    ssl.load(key)\n",
            },
        ),
        Example(
            "silent on a function that only refuses",
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
            "silent on material for a test runner",
            {"tests/simple/tests.py": "def test_1():\n    pass\n\n\ndef test_2():\n    pass\n"},
        ),
    ),
)

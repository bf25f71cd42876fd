"""Whether a file has test cases, and what of it decides how a runner treats it; from the file alone, and cached with it."""

from __future__ import annotations

from msgspec import Struct

from crimes.detection.per_file import per_file
from crimes.languages import by_id
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

_SKIP = regex(r"(?:^|\.)skip(?:If|Unless|if)?\b")
_BUILD_LINE = regex(r"//go:build[ \t]+(.+)")
_MAX_HEAD_LINES = 40  # a build condition stands before the code


class TestCases(Struct, frozen=True):
    """What a file says of its own tests, as far as choosing them and their runner goes."""

    __test__ = False  # the name is no test case

    functions: bool = False  # any function at all
    cases: bool = False  # test cases that are functions
    one_line: bool = False  # test cases that are calls, where the file is a test
    plain: bool = False  # every case is outside of a class
    collectable: bool = False  # a case is outside of a class, or in one named `Test…` or derived from another
    conditional: bool = False  # every collectable case may be skipped
    imports: tuple[str, ...] = ()  # first names of the modules it imports
    package: str = ""  # the package it says it belongs to
    condition: str = ""  # for which builds it is there; empty: for all
    calls_only_itself: bool = (
        False  # it has calls, and all lead to functions of its own: it runs no other file
    )


NO_CASES = TestCases()


def read_cases(facts: FileFacts) -> TestCases | None:
    """What a file says of its tests; None without functions and calls of tests."""
    one_line = _has_one_line_cases(facts)
    if not facts.functions and not one_line:
        return None
    tests = [function for function in facts.functions if function.is_test]
    collectable = []
    for function in tests:
        owner = facts.classes[function.class_index] if function.class_index >= 0 else None
        if owner is None or owner.name.startswith("Test") or owner.bases:
            decorators = (*function.decorators, *(owner.decorators if owner else ()))
            collectable.append(any(_SKIP.search(decorator) for decorator in decorators))
    return TestCases(
        functions=bool(facts.functions),
        cases=any(not _is_helper(facts, function.parent) for function in tests),
        one_line=one_line,
        plain=bool(tests) and all(function.class_index < 0 for function in tests),
        collectable=bool(collectable),
        conditional=bool(collectable) and all(collectable),
        imports=tuple(sorted({item.target.split(".")[0] for item in facts.imports})) if tests else (),
        package=facts.packages[0] if facts.packages else "",
        condition=_build_condition(facts),
        calls_only_itself=_calls_only_itself(facts),
    )


TEST_CASES = per_file("test cases", TestCases, read_cases)


def _calls_only_itself(facts: FileFacts) -> bool:
    """Whether a file calls functions, and none but its own: what it imports, it takes for types."""
    own = {function.name for function in facts.functions}
    return bool(facts.calls) and all(call.target in own for call in facts.calls)


def _is_helper(facts: FileFacts, index: int) -> bool:
    """Whether a function, or the one around it with a name, makes tests for whoever calls it, and is no test itself."""
    while index >= 0 and facts.functions[index].is_anonymous:
        index = facts.functions[index].parent
    return index >= 0 and not facts.functions[index].is_test


def _has_one_line_cases(facts: FileFacts) -> bool:
    """Tests of one line are calls, and no functions of their own."""
    syntax = by_id[facts.language].syntax
    pattern = syntax.tests.calls if syntax else None
    return pattern is not None and any(
        pattern.match(call.target) and not _is_helper(facts, call.function) for call in facts.calls
    )


def _build_condition(facts: FileFacts) -> str:
    for comment in facts.comments:
        if comment.line > _MAX_HEAD_LINES:
            break
        match = _BUILD_LINE.match(comment.text)
        if match:
            return match[1].strip()
    return ""

"""Tests that a change removed, skipped or left with fewer checks while it edits what they test."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

from msgspec import Struct

from crimes.analyses.change.lost_names import ChangedFile, Changes, find_lost
from crimes.analyses.change.state import State, last_word
from crimes.model.facts import FileFacts, Function, Role
from crimes.model.lazy_regex import regex

_CHECK = regex(
    r"(?:^|[.#]|(?<!_)_)_*+(?:assert|expect|should|verif|check|ensure|raises|warns|refute|require)|^t\.(?:Error|Fatal|Fail)|XCT",
    re.IGNORECASE,
)
_SKIPPING = regex(r"(?:^|[._])x?(?:skip|ignore|disabled|todo|xfail)|^x(?:it|test|describe)$", re.IGNORECASE)
_CALL_WORDS = regex(r"\b(?:[xf]?(?:it|test|describe|specify|context)(?:\.\w+)*|skip|only|todo)\(")

REMOVED, SKIPPED, FEWER_CHECKS = "removed", "skipped", "left with fewer checks"


class Weakened(Struct, frozen=True, order=True):
    """A test that checks less than before."""

    file: str  # in the later state; in the earlier one, if it was deleted
    how: str
    name: str
    line: int  # 0 for a test that is gone
    tested: str  # the changed file that it tests


class _Test(Struct, frozen=True):
    name: str
    line: int
    checks: int
    skipped: bool
    calls: frozenset[str]


def find_weakened_tests(
    changed_before: State, changed_after: State, changes: Changes, users_of: Callable[[str], Collection[str]]
) -> list[Weakened]:
    """The weakened tests of a change that touches what they test; `users_of` is asked only if there may be some."""
    suspects = [
        (file, how, test)
        for file in changes.files
        for how, test in _compare(_tests_in(changed_before, file.old), _tests_in(changed_after, file.new))
    ]
    if not suspects:
        return []
    elsewhere = Counter(
        test.name for file in changes.files for test in _tests_in(changed_after, file.new).values()
    )
    lost = find_lost(changed_before, changed_after, changes)
    lost_names = {last_word(name) for entry in lost.values() for name in entry.names}
    weakened = []
    for file, how, test in suspects:
        # A test that moved, or that went with the code it tests, is not missed.
        if how == REMOVED and (elsewhere[test.name] or test.calls & lost_names):
            continue
        tested = _tested_by(file, changed_before, changes, users_of)
        if tested:
            weakened.append(
                Weakened(file.new or file.old, how, test.name, 0 if how == REMOVED else test.line, tested)
            )
    return sorted(weakened)


def _compare(before: Mapping[str, _Test], after: Mapping[str, _Test]) -> Iterator[tuple[str, _Test]]:
    """What became of each test, where it checks less than before."""
    # A new test in the same file may be an old one under a new name.
    spare = sorted(test.checks for key, test in after.items() if key not in before)
    for key, test in before.items():
        now = after.get(key)
        if now is None:
            replaced = next((checks for checks in spare if checks >= test.checks), None)
            if replaced is not None:
                spare.remove(replaced)
            elif not test.skipped:
                yield REMOVED, test
        elif now.skipped and not test.skipped:
            yield SKIPPED, now
        elif now.checks < test.checks:
            yield FEWER_CHECKS, now


def _tests_in(state: State, path: str) -> dict[str, _Test]:
    """The tests of a file, by a key that survives a skip."""
    facts = state.facts(path) if path else None
    if facts is None:
        return {}
    return {
        _CALL_WORDS.sub("(", function.qualname): _test(facts, index, function)
        for index, function in enumerate(facts.functions)
        if function.is_test or (function.is_anonymous and _SKIPPING.search(function.passed_to))
    }


def _test(facts: FileFacts, index: int, function: Function) -> _Test:
    calls = [call.target for call in facts.calls if _is_inside(facts, call.function, index)]
    words = (*function.decorators, function.passed_to, *calls)
    return _Test(
        name=function.qualname,
        line=function.start,
        checks=sum(_CHECK.search(target) is not None for target in calls if "()" not in target),
        skipped=any(_SKIPPING.search(word) for word in words if word),
        calls=frozenset(map(last_word, calls)),
    )


def _is_inside(facts: FileFacts, index: int, outer: int) -> bool:
    """Whether a function is another, or nested in it."""
    while index >= 0 and index != outer:
        index = facts.functions[index].parent
    return index == outer


def _tested_by(
    file: ChangedFile, before: State, changes: Changes, users_of: Callable[[str], Collection[str]]
) -> str:
    """The changed file that the tests of a file are about; empty if the change touches none."""
    own = before.files.get(file.old)
    if own is not None and own.role is not Role.TEST:
        return file.old  # it holds its own tests
    for other in changes.files:
        source = before.files.get(other.old)
        if source is None or source.role is Role.TEST or other.old == file.old:
            continue
        if file.old in users_of(other.old):
            return other.old
    return ""

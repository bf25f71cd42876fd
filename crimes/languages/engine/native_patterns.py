"""Regular expressions for the native reader: the tree that Python's own parser makes of one, as a row of numbers.

Only the matching is native; what a pattern means stays with `re`, to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Packed = tuple[list[int], int, bool, int | None, dict[str, int]]

_UNBOUNDED = 2**32 - 1
_REPEATS = {ops.MAX_REPEAT: 0, ops.MIN_REPEAT: 1, ops.POSSESSIVE_REPEAT: 2}
_CATEGORIES = {
    ops.CATEGORY_DIGIT: 0,
    ops.CATEGORY_NOT_DIGIT: 1,
    ops.CATEGORY_SPACE: 2,
    ops.CATEGORY_NOT_SPACE: 3,
    ops.CATEGORY_WORD: 4,
    ops.CATEGORY_NOT_WORD: 5,
}
_PLACES = {
    ops.AT_BEGINNING: 0,
    ops.AT_BEGINNING_STRING: 2,
    ops.AT_END: 3,
    ops.AT_END_STRING: 5,
    ops.AT_BOUNDARY: 6,
    ops.AT_NON_BOUNDARY: 7,
}
_LINE_PLACES = {ops.AT_BEGINNING: 1, ops.AT_END: 4}


class Unsupported(ValueError):
    """A pattern that the native reader has no code for."""


def pack(pattern: re.Pattern[Any]) -> Packed:
    """A pattern as numbers: its code, its groups, whether it reads bytes, the longest text it reads, and its names."""
    within = getattr(pattern, "within", None)
    flags = getattr(pattern, "own_flags", None)  # of one that need not be compiled to be read here
    tree = _parser.parse(pattern.pattern, (pattern.flags if flags is None else flags) & ~re.UNICODE)
    code = _sequence(tree, tree.state.flags)
    names = dict(tree.state.groupdict)
    return code, tree.state.groups - 1, isinstance(pattern.pattern, bytes), within, names


def _sequence(items: Iterable[tuple[Any, Any]], flags: int) -> list[int]:
    rows = [_item(op, value, flags) for op, value in items]
    return [len(rows), *(number for row in rows for number in row)]


def _item(op: Any, value: Any, flags: int) -> list[int]:
    ignores_case = bool(flags & re.IGNORECASE)
    if op is ops.LITERAL:
        return [12 if ignores_case else 0, value]
    if op is ops.NOT_LITERAL and not ignores_case:
        return [1, value]
    if op is ops.ANY:
        return [3 if flags & re.DOTALL else 2]
    if op is ops.IN:
        return [13 if ignores_case else 4, *_members(value)]
    if op is ops.BRANCH:
        rows = [_sequence(branch, flags) for branch in value[1]]
        return [5, len(rows), *(number for row in rows for number in row)]
    if op is ops.SUBPATTERN:
        group, added, removed, inner = value
        return [6, group or 0, *_sequence(inner, (flags | added) & ~removed)]
    if op in _REPEATS:
        least, most, inner = value
        bound = _UNBOUNDED if most is ops.MAXREPEAT else most
        return [7, _REPEATS[op], least, bound, *_sequence(inner, flags)]
    if op is ops.ATOMIC_GROUP:
        return [8, *_sequence(value, flags)]
    if op is ops.AT:
        places = _PLACES | _LINE_PLACES if flags & re.MULTILINE else _PLACES
        return [9, places[value]]
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        direction, inner = value
        behind = direction < 0
        return [
            10,
            int(behind),
            inner.getwidth()[0] if behind else 0,
            int(op is ops.ASSERT_NOT),
            *_sequence(inner, flags),
        ]
    if op is ops.GROUPREF and not ignores_case:
        return [11, value]
    raise Unsupported(f"{op} in a pattern")


def _members(members: Iterable[tuple[Any, Any]]) -> list[int]:
    negated, count, numbers = 0, 0, list[int]()
    for op, value in members:
        if op is ops.NEGATE:
            negated = 1
            continue
        count += 1
        if op is ops.LITERAL:
            numbers += [0, value]
        elif op is ops.RANGE:
            numbers += [1, *value]
        elif op is ops.CATEGORY:
            numbers += [2, _CATEGORIES[value]]
        else:
            raise Unsupported(f"{op} in a set")
    return [negated, count, *numbers]

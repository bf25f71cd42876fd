"""Texts that make a backtracking matcher work hard, made from the pattern itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from re import _constants  # type: ignore[attr-defined] # the parse tree has no public door
from typing import Any

from tests.hostile.regex_steps import (
    ONE_CHARACTER,
    REPEATS,
    Pumped,
    Tree,
    compile_items,
    is_one_character,
    parse,
)

MIN_UNLIMITED = 200
MAX_TIMES = 60  # a part is repeated in a witness, whatever the pattern asks for
_TRIED = " \t\n\rax_A0.-/\\\"'`<>(){}[]=,:;#*@!$%&|^~+?é\x00"


def attacks(pattern: re.Pattern[Any]) -> list[Callable[[int], Pumped]]:
    """Makers of texts of about so many characters: each unlimited repeat pumped, behind what comes before it, again and again."""
    tree = parse(pattern)
    empty = b"" if isinstance(pattern.pattern, bytes) else ""
    end, line = _encode("\x01", empty), _encode("\n", empty)
    whole = _witness(tree, tree.items, tree.flags, empty)
    parts: dict[tuple[Any, Any, Any], None] = {}
    for prefix, pumps in _repeats(tree, tree.items, tree.flags, empty):
        for pump in pumps:
            parts |= dict.fromkeys(
                [
                    (prefix, pump, end),
                    (empty, prefix + pump, empty),
                    (empty, pump, whole),
                    (prefix, pump + line, end),
                    (empty, prefix + pump + pump + line, empty),
                ]
            )
    parts |= dict.fromkeys([(empty, whole, empty), (empty, whole[:-1], empty)])
    return [partial(_build, *part) for part in parts if part[1]]


def _build(head: Any, unit: Any, tail: Any, size: int) -> Pumped:
    return Pumped(head, unit, tail, max(1, (size - len(head) - len(tail)) // len(unit)))


def _encode(text: str, empty: Any) -> Any:
    return text.encode() if isinstance(empty, bytes) else text


def _repeats(tree: Tree, items: Any, flags: int, prefix: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Each unlimited repeat: what has to come before it, and texts that it takes."""
    empty = prefix[:0]
    for op, argument in items:
        if op in REPEATS:
            _, most, inner = argument
            if most == _constants.MAXREPEAT or most >= MIN_UNLIMITED:
                yield prefix, _pumps(tree, inner, flags, empty)
            yield from _repeats(tree, inner, flags, prefix)
        elif op is _constants.SUBPATTERN:
            _, add, remove, inner = argument
            yield from _repeats(tree, inner, (flags | add) & ~remove, prefix)
        elif op is _constants.BRANCH:
            for branch in argument[1]:
                yield from _repeats(tree, branch, flags, prefix)
        elif op is _constants.ATOMIC_GROUP:
            yield from _repeats(tree, argument, flags, prefix)
        elif op in (_constants.ASSERT, _constants.ASSERT_NOT) and argument[0] > 0:
            yield from _repeats(tree, argument[1], flags, prefix)
        prefix = prefix + _witness(tree, [(op, argument)], flags, empty)


def _pumps(tree: Tree, items: Any, flags: int, empty: Any) -> list[Any]:
    """Texts that the body of a repeat takes: several characters where it is one, else one text for each of its branches."""
    if is_one_character(items):
        return _characters(tree, items[0], flags, empty)[:3]
    texts = [_witness(tree, items, flags, empty)]
    for op, argument in items:
        if op is _constants.SUBPATTERN:
            argument = argument[3]
            texts += _pumps(tree, argument, flags, empty)
        elif op is _constants.BRANCH:
            texts += [_witness(tree, branch, flags, empty) for branch in argument[1]]
    return [text for text in dict.fromkeys(texts) if text][:4]


def _characters(tree: Tree, item: Any, flags: int, empty: Any) -> list[Any]:
    """Characters that an item takes."""
    op, argument = item
    if op is _constants.LITERAL:
        return [bytes([argument]) if isinstance(empty, bytes) else chr(argument)]
    match = compile_items([item], tree.state, flags)
    tried = [_encode(char, empty) for char in _TRIED]
    found = [char for char in tried if len(char) == 1 and match(char)]
    if not found:
        found = [
            char
            for code in range(256)
            if match(char := bytes([code]) if isinstance(empty, bytes) else chr(code))
        ]
    if not found and not isinstance(empty, bytes):
        found = [chr(code) for code in range(0x3000) if match(chr(code))][:2]
    return found


def _witness(tree: Tree, items: Any, flags: int, empty: Any) -> Any:
    """A short text that the items take; look-arounds are left out."""
    text = empty
    for op, argument in items:
        if op in REPEATS:
            least, most, inner = argument
            text += _witness(tree, inner, flags, empty) * min(
                max(least, 0 if most == 0 else (1 if op is not _constants.MIN_REPEAT else least)), 60
            )
        elif op is _constants.SUBPATTERN:
            text += _witness(tree, argument[3], (flags | argument[1]) & ~argument[2], empty)
        elif op is _constants.BRANCH:
            text += _witness(tree, argument[1][0], flags, empty)
        elif op is _constants.ATOMIC_GROUP:
            text += _witness(tree, argument, flags, empty)
        elif op in ONE_CHARACTER:
            text += (_characters(tree, (op, argument), flags, empty) or [empty])[0]
    return text

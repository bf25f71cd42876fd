"""The arms of a function that hold most of its complexity."""

from __future__ import annotations

from crimes.languages.engine.walk.nesting import keyword
from crimes.languages.engine.walk.outline import Part
from crimes.languages.engine.walk.state import Walk
from crimes.model.facts import Branch

_MAX_ARMS = 3
# An arm is worth naming if it holds a fair share of the complexity, and is not nearly the whole function.
_MIN_ARM_PERCENT, _MIN_OTHER_ARM_PERCENT, _MAX_ARM_PERCENT = 20, 10, 80
_ARMS = frozenset({"then", "elseif", "else", "case", "arm", "loop", "handler", "function"})
# Words an arm may begin with; the first one is said where it begins with none of them: a brace, a modifier, or a pattern ("arm").
_KEYWORDS = {
    "if": ("if", "unless", "guard"),
    "then": ("if", "unless", "guard", "try", "begin", "do"),
    "else": ("else",),
    "case": ("arm", "case", "default", "when", "in", "else"),
    "arm": ("arm", "case", "default", "else"),
}


def heaviest_arms(walk: Walk, arms: list[tuple[Part, int]], total: int) -> tuple[Branch, ...]:
    """Up to three arms that lie beside each other; none if no arm holds a fair share."""
    chosen: list[tuple[Part, int]] = []
    for part, cost in sorted(arms, key=lambda arm: (-arm[1], arm[0].start)):
        least = _MIN_OTHER_ARM_PERCENT if chosen else _MIN_ARM_PERCENT
        if not cost or 100 * cost < least * total or len(chosen) == _MAX_ARMS:
            break
        apart = not any(_is_inside(part, other) or _is_inside(other, part) for other, _ in chosen)
        if _is_arm(part) and 100 * cost <= _MAX_ARM_PERCENT * total and apart:
            chosen.append((part, cost))
    return tuple(_branch(walk, part, cost) for part, cost in chosen)


def _is_arm(part: Part) -> bool:
    """Whether a part may be named; of an `if` with one arm it is the whole."""
    if part.role == "then" and part.parent is not None and part.parent.role == "if":
        return len(part.parent.inner) > 1
    return part.role in _ARMS or (part.role == "if" and len(part.inner) == 1)


def _is_inside(part: Part, other: Part) -> bool:
    around = part.parent
    while around is not None and around is not other:
        around = around.parent
    return around is other


def _branch(walk: Walk, part: Part, cost: int) -> Branch:
    """An arm as a fact: its keyword as written, or the name of a function."""
    line = walk.lines.line(part.start)
    if part.role == "function":
        named = part.frame if part.is_named_function else None
        return Branch(line, named.name if named is not None else "closure", cost, is_function=True)
    word = keyword(walk, part.node)
    if part.role == "elseif":
        return Branch(line, "else if" if word == "if" else word, cost)
    usual = _KEYWORDS.get(part.role)
    return Branch(line, word if usual is None or word in usual else usual[0], cost)

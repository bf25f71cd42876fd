"""How tangled a function is: its cognitive complexity without what reads in a straight line.

A function with enough complexity is visited once more, for its control structures alone. What is left out is counted by reason:

    flat dispatch       `else if` on one subject, `switch`, `match`: arms are read one at a time, so the chain costs as much
                        as one structure and adds no nesting, and an arm that decides next to nothing costs nothing
    guards              an `if` that only leaves: `if err != nil { return err }`, checks at the top of a function or a loop
    small steps         four or more branches beside each other that each do one small thing, as in an emitter
    nested functions    one with a name is read on its own, without the nesting around it; four or more are a module

Complexity is linear in nesting, so each part has two numbers: its cost without nesting, and what each level around it adds.
"""

from __future__ import annotations

import re

from crimes.languages.engine.walk.frames import FunctionFrame
from crimes.languages.engine.walk.nesting import keyword
from crimes.languages.engine.walk.outline import Part, outline_of
from crimes.languages.engine.walk.state import Walk
from crimes.model.facts import Branch, Discount, Tangle
from crimes.model.lazy_regex import regex

MIN_COMPLEXITY = 15  # a function below it is not measured
_MIN_DISPATCH_ARMS = 3
_MIN_SIBLINGS = 4
_MAX_STEP_COST = 2
_MAX_ARM_COST = 3
_MAX_GUARD_LINES = 8
_MIN_MODULE_FUNCTIONS = 4
_MAX_ARMS = 3
# An arm is worth naming if it holds a fair share of the complexity, and is not nearly the whole function.
_MIN_ARM_PERCENT, _MIN_OTHER_ARM_PERCENT, _MAX_ARM_PERCENT = 20, 10, 80

_DISPATCH, _GUARDS, _STEPS, _NESTED = "flat dispatch", "guards", "small steps", "nested functions"
_ARMS = frozenset({"then", "elseif", "else", "case", "arm", "loop", "handler", "function"})
_PLAIN = frozenset({"logical", "infix", "ternary", "function", "jump", "transfer"})
_CONTROL = frozenset({"if", "loop", "switch", "try"})
_WORD = regex(rb"[^\W\d]\w*")
_NO_SUBJECTS = frozenset(
    b"if elif elsif elseif else let not and or is in null nil none true false return const var auto this self new".split()
)
_LEAVES = regex(
    rb"(?:\A|^|[{;:)]|=>|->|\bthen\b)\s*(?:return|throw|raise|break|continue|goto|next|exit|panic|die|abort|yield break)\b",
    re.MULTILINE,
)
_ELSE_IF = regex(rb"(?:else\s+)?\w+")


def measure_tangles(walk: Walk) -> None:
    """Set the tangle of each function with enough complexity, nested ones included."""
    for frame in walk.functions:
        outermost = frame.parent < 0 and frame.cognitive >= MIN_COMPLEXITY
        if outermost and not frame.is_test and not frame.in_test:
            parts = outline_of(walk, frame)
            _mark_dispatches(walk.source, parts)
            _sum_up(walk, parts)
            for at, part in enumerate(parts):
                if part.frame is not None and part.frame.cognitive >= MIN_COMPLEXITY:
                    part.frame.tangle = _tangle_of(walk, parts, at, part.frame)


def _mark_dispatches(source: bytes, parts: list[Part]) -> None:
    for part in parts:
        if part.role == "switch":
            part.is_dispatch = True
        elif part.role == "if":
            arms = [arm for arm in part.inner if arm.role != "else"]
            part.is_dispatch = len(arms) >= _MIN_DISPATCH_ARMS and _have_one_subject(source, arms)


def _have_one_subject(source: bytes, arms: list[Part]) -> bool:
    """Whether nearly all conditions of a chain name the same thing; only the first line of each is looked at."""
    counts: dict[bytes, int] = {}
    for arm in arms:
        line_end = source.find(b"\n", arm.start, arm.end)
        header = source[arm.start : line_end if line_end >= 0 else arm.end]
        for word in {word for word in _WORD.findall(header) if word.lower() not in _NO_SUBJECTS}:
            counts[word] = counts.get(word, 0) + 1
    needed = len(arms) - len(arms) // 5
    return max(counts.values(), default=0) >= needed


def _sum_up(walk: Walk, parts: list[Part]) -> None:
    """Set the cost of each part without nesting and what a level adds, from the innermost to the outermost."""
    for part in reversed(parts):
        _leave_out_inner(part)
        flat = slope = 0
        for inner in part.inner:
            if not inner.reason:
                flat += inner.flat
                slope += 0 if inner.is_named_function else inner.slope
        deeper = 0 if part.is_dispatch or part.is_named_function else part.deeper
        part.flat = part.raw_flat + part.structural + flat + slope * deeper
        part.slope = part.structural + slope
        if _is_guard(walk, part):
            part.reason = _GUARDS


def _leave_out_inner(part: Part) -> None:
    """Leave out arms that decide next to nothing, rows of small steps, and functions that make up a module."""
    if part.is_dispatch:
        for arm in part.inner:
            if arm.role in ("then", "elseif", "else"):
                arm.flat -= arm.raw_flat
            if arm.flat <= _MAX_ARM_COST and not arm.reason:
                arm.reason = _DISPATCH
        return
    steps = [
        inner
        for inner in part.inner
        if inner.structural and not inner.reason and inner.flat <= _MAX_STEP_COST
    ]
    named = [inner for inner in part.inner if inner.is_named_function]
    if len(steps) >= _MIN_SIBLINGS:
        for inner in steps:
            inner.reason = _STEPS
    if len(named) >= _MIN_MODULE_FUNCTIONS:
        for inner in named:
            inner.reason = _NESTED


def _is_guard(walk: Walk, part: Part) -> bool:
    """Whether an `if` has no `else`, decides nothing inside, and leaves."""
    if part.role == "let else":
        return True
    if part.role != "if" or len(part.inner) != 1:
        return False
    if any(inner.role not in _PLAIN for inner in part.inner[0].inner):
        return False
    lines = walk.lines
    if lines.last_line(part.end) - lines.line(part.start) > _MAX_GUARD_LINES:
        return False
    text = walk.source[part.start : part.end]
    return text.startswith(b"guard") or _LEAVES.search(text) is not None


class _Place:
    """Where a part is inside the function that is measured: its nesting as published, and as counted here."""

    __slots__ = ("alone", "control", "cost", "counted", "published", "reason")

    def __init__(self, published: int, counted: int, control: int, alone: int, reason: str) -> None:
        self.published = published  # levels inside it
        self.counted = counted
        self.control = control
        self.alone = alone  # published levels that do not count since a function is read on its own
        self.reason = reason
        self.cost = 0


def _tangle_of(walk: Walk, parts: list[Part], at: int, frame: FunctionFrame) -> Tangle:
    """The tangle of the function that is the part at an index, read on its own."""
    root = parts[at]
    places = {id(root): _Place(0, 0, 0, 0, "")}
    inside = [root]
    discounts: dict[str, list[int]] = {}
    total, nesting = root.raw_flat, 0
    places[id(root)].cost = root.raw_flat
    raw = root.raw_flat
    for part in parts[at + 1 :]:
        around = places.get(id(part.parent))
        if around is None:
            break  # the next function
        inside.append(part)
        place = places[id(part)] = _inner_place(part, around)
        nesting = max(nesting, place.control)
        published = part.raw_flat + part.structural * (1 + around.published)
        flat_arm = part.parent is not None and part.parent.is_dispatch and part.role in ("elseif", "else")
        if not place.reason:
            place.cost = (0 if flat_arm else part.raw_flat) + part.structural * (1 + around.counted)
        raw += published
        total += place.cost
        left_out = published - place.cost
        if left_out:
            alone = 0 if place.reason or not part.structural else around.alone
            _add(discounts, place.reason or _DISPATCH, left_out - alone, bool(part.reason))
            _add(discounts, _NESTED, alone, False)
    for part in reversed(inside[1:]):
        places[id(part.parent)].cost += places[id(part)].cost
    arms = [(part, places[id(part)].cost) for part in inside[1:]]
    return Tangle(
        raw,
        total,
        nesting,
        tuple(Discount(reason, cost, count) for reason, (cost, count) in sorted(discounts.items()) if cost),
        _heaviest_arms(walk, arms, total),
        _share_of_outer(root),
    )


def _add(discounts: dict[str, list[int]], reason: str, cost: int, is_place: bool) -> None:
    entry = discounts.setdefault(reason, [0, 0])
    entry[0] += cost
    entry[1] += is_place


def _inner_place(part: Part, around: _Place) -> _Place:
    published = around.published + part.deeper
    reason = around.reason or part.reason
    control = around.control + (part.role in _CONTROL)
    if part.is_named_function:
        return _Place(published, 0, control, published, reason)
    return _Place(
        published, around.counted + (0 if part.is_dispatch else part.deeper), control, around.alone, reason
    )


def _share_of_outer(part: Part) -> int:
    """What a nested function adds to the one around it, without the nesting there."""
    return 0 if part.parent is None or part.reason else part.flat


def _heaviest_arms(walk: Walk, arms: list[tuple[Part, int]], total: int) -> tuple[Branch, ...]:
    """Up to three arms that lie beside each other; none if no arm holds a fair share."""
    chosen: list[tuple[Part, int]] = []
    for part, cost in sorted(arms, key=lambda arm: (-arm[1], arm[0].start)):
        least = _MIN_OTHER_ARM_PERCENT if chosen else _MIN_ARM_PERCENT
        if 100 * cost < least * total or len(chosen) == _MAX_ARMS:
            break
        apart = all(part.end <= other.start or other.end <= part.start for other, _ in chosen)
        if part.role in _ARMS and 100 * cost <= _MAX_ARM_PERCENT * total and apart:
            chosen.append((part, cost))
    return tuple(Branch(walk.lines.line(part.start), _arm_keyword(walk, part), cost) for part, cost in chosen)


def _arm_keyword(walk: Walk, part: Part) -> str:
    if part.role == "function":
        return part.frame.name if part.frame is not None else "closure"
    word = keyword(walk, part.node)
    return "else if" if part.role == "elseif" and word == "if" else word

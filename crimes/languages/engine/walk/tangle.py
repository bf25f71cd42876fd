"""How tangled a function is: its cognitive complexity without what reads in a straight line.

A function with enough complexity is visited once more, for its control structures alone. What is left out is counted by reason:

    flat dispatch       `switch`, `match`, `else if` on one subject: arms are read one at a time, so the chain costs as much
                        as one structure and adds no nesting, and an arm as simple as a small function costs nothing;
                        four or more `if` beside each other on one subject add no nesting either
    guards              an `if` that only leaves: `if err != nil { return err }`, checks at the top of a function or a loop
    small steps         four or more branches beside each other that each do one small thing, as in an emitter
    simple ternaries    a `?:` that only chooses between two values
    nested functions    one with a name is read on its own, without the nesting around it; four or more are a module

Complexity is linear in nesting, so each part has two numbers: its cost without nesting, and what each level around it adds.
"""

from __future__ import annotations

import re

from crimes.languages.engine.walk.arms import heaviest_arms
from crimes.languages.engine.walk.frames import FunctionFrame
from crimes.languages.engine.walk.outline import Part, outline_of
from crimes.languages.engine.walk.state import Walk
from crimes.model.facts import Discount, Tangle
from crimes.model.lazy_regex import regex

MIN_COMPLEXITY = 30  # a function below it is not measured: what is left would be less still
MIN_LEFT = 20  # complexity after the discounts; with less there is nothing to tell
_MIN_DISPATCH_ARMS = 3
_MIN_SIBLINGS = 4
_MAX_STEP_COST = 3
_MAX_ARM_COST = 5
_MAX_GUARD_LINES = 8
_MIN_MODULE_FUNCTIONS = 4

_DISPATCH, _GUARDS, _STEPS, _VALUES, _NESTED = (
    "flat dispatch",
    "guards",
    "small steps",
    "simple ternaries",
    "nested functions",
)
_PLAIN = frozenset({"logical", "infix", "ternary", "function", "jump", "transfer"})
_CONTROL = frozenset({"if", "loop", "switch", "try"})
_WORD = regex(rb"[^\W\d]\w*")
_OPEN_ENDS = (b"(", b"&&", b"||", b",", b" and", b" or")  # how a line ends whose condition goes on
_BODY_BEGINS = regex(rb"[{:]\s*$", re.MULTILINE)
_MAX_HEADER_BYTES = 400
_NO_SUBJECTS = frozenset(
    b"if elif elsif elseif else let not and or is in null nil none true false return const var auto this self new".split()
)
_LEAVES = regex(
    rb"(?:^|[{;:)]|=>|->|\bthen\b)[ \t\r\f\v]*+(?:return|throw|raise|break|continue|goto|next|exit|panic|die|abort|yield break)\b",
    re.MULTILINE,
)


def measure_tangles(walk: Walk) -> None:
    """Set the tangle of each function with enough complexity, nested ones included."""
    outermost = [
        frame
        for frame in walk.functions
        if frame.cognitive >= MIN_COMPLEXITY and frame.parent < 0 and not frame.is_test and not frame.in_test
    ]
    if not outermost:
        return
    by_node = {frame.node.id: frame for frame in walk.functions if frame.node is not None}
    for outer in outermost:
        parts = outline_of(walk, outer, by_node)
        _mark_dispatches(walk.source, parts)
        _sum_up(walk, parts)
        for at, part in enumerate(parts):
            if part.frame is not None and part.flat >= MIN_LEFT and part.frame.cognitive >= MIN_COMPLEXITY:
                part.frame.tangle = _tangle_of(walk, parts, at, part.frame)


def _mark_dispatches(source: bytes, parts: list[Part]) -> None:
    for part in parts:
        if part.role == "switch":
            part.is_dispatch = True
        elif part.role == "if":
            arms = [arm for arm in part.inner if arm.role != "else"]
            if len(arms) >= _MIN_DISPATCH_ARMS:
                needed = len(arms) - len(arms) // 5
                part.is_dispatch = len(_on_one_subject(source, arms)) >= needed
        rungs = [inner for inner in part.inner if inner.role == "if" and len(inner.inner) == 1]
        if len(rungs) >= _MIN_SIBLINGS:
            ladder = _on_one_subject(source, rungs)
            for rung in ladder if len(ladder) >= _MIN_SIBLINGS else ():
                rung.is_dispatch = True


def _on_one_subject(source: bytes, arms: list[Part]) -> list[Part]:
    """The arms whose conditions name the same thing, as many as can be."""
    by_word: dict[bytes, list[Part]] = {}
    for arm in arms:
        for word in dict.fromkeys(_WORD.findall(_header(source, arm))):
            if word.lower() not in _NO_SUBJECTS:
                by_word.setdefault(word, []).append(arm)
    return max(by_word.values(), key=len, default=[])


def _header(source: bytes, arm: Part) -> bytes:
    """The first line of an arm; the whole condition if that goes on."""
    line_end = source.find(b"\n", arm.start, arm.end)
    if line_end < 0:
        return source[arm.start : arm.end]
    line = source[arm.start : line_end].rstrip()
    if not line.endswith(_OPEN_ENDS):
        return line
    header = source[arm.start : min(arm.end, arm.start + _MAX_HEADER_BYTES)]
    end = _BODY_BEGINS.search(header)
    return header[: end.start()] if end is not None else header


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
        elif part.role == "ternary" and not any(inner.structural for inner in part.inner):
            part.reason = _VALUES


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
    for index in range(at + 1, len(parts)):
        part = parts[index]
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
        _body_lines(walk, frame),
        walk.lines.code(frame.start, frame.end),
        tuple(Discount(reason, cost, count) for reason, (cost, count) in sorted(discounts.items()) if cost),
        heaviest_arms(walk, arms, total),
        _share_of_outer(root),
    )


def _body_lines(walk: Walk, frame: FunctionFrame) -> int:
    """Lines of code of a body, nested functions included, without the signature and literals."""
    first = walk.lines.line(frame.body.start_byte) if frame.body is not None else frame.start
    literal = sum(walk.lines.code(max(start, first), end) for start, end in frame.literals)
    return max(walk.lines.code(first, frame.end) - literal, 1)


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

"""A regular-expression matcher that counts its steps, so that a test can tell linear patterns from quadratic ones without a clock.

It backtracks as the standard library's engine does, over the tree that the library's own parser makes, and knows none of its short cuts:
it takes at least as many steps. Complex repeats with a maximum above `MAX_COPIES` count as unlimited.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from re import _compiler, _constants, _parser  # type: ignore[attr-defined] # the parse tree has no public door
from typing import Any, NamedTuple

MAX_COPIES = 200
ONE_CHARACTER = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN)
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


class OutOfSteps(Exception):
    """The matcher took more steps than it was allowed."""


class Pumped(NamedTuple):
    """A text that repeats a part of it."""

    head: Any
    unit: Any
    tail: Any
    times: int

    @property
    def text(self) -> Any:
        return self.head + self.unit * self.times + self.tail


class Tree(NamedTuple):
    """A parsed pattern: its items, and what is needed to compile parts of it."""

    items: Any
    state: Any
    flags: int


def parse(pattern: re.Pattern[Any]) -> Tree:
    """The tree of a compiled pattern."""
    parsed = _parser.parse(
        pattern.pattern, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    )
    return Tree(parsed, parsed.state, parsed.state.flags)


def is_one_character(items: Any) -> bool:
    """Whether a part of a pattern always takes exactly one character."""
    return len(items) == 1 and items[0][0] in ONE_CHARACTER


class Program:
    """A pattern as instructions for the counting matcher."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._tree = parse(pattern)
        self._code: list[tuple[Any, ...]] = []
        # Whether a round depends on nothing but the text it reads: no back reference, no loop that may take nothing.
        self.is_regular = True
        self._emit_items(self._tree.items, self._tree.flags)
        self._code.append(("accept",))

    def count_steps(self, text: Pumped, *, anchored: bool, allowed: int, skips: bool = True) -> int:
        """Steps to find all matches of `text`, or the one at its start. Raises OutOfSteps above `allowed`.

        Rounds that are like the one before are not walked, unless that is not wanted.
        """
        run = _Run(self._code, text, allowed, skips=skips, is_regular=self.is_regular)
        if anchored:
            run.match(0, 0)
        else:
            for _ in run.spans():
                pass
        return run.steps

    def spans(self, text: Any) -> list[tuple[int, int]]:
        """Start and end of every match, from left to right."""
        whole = Pumped(text[:0], text, text[:0], 1)
        return list(_Run(self._code, whole, sys.maxsize, skips=False, is_regular=False).spans())

    # ---- compilation

    def _emit_items(self, items: Any, flags: int) -> None:
        for item in items:
            self._emit(item, flags)

    def _emit(self, item: Any, flags: int) -> None:
        op, argument = item
        if op in ONE_CHARACTER or op is _constants.AT:
            around = int(op is _constants.AT)  # characters on either side that a place depends on
            self._code.append(("character", self._compiled([item], flags), around))
        elif op is _constants.SUBPATTERN:
            group, add, remove, inner = argument
            self._code.append(("open", group))
            self._emit_items(inner, (flags | add) & ~remove)
            self._code.append(("close", group))
        elif op is _constants.ATOMIC_GROUP:
            self._emit_nested("atomic", argument, flags)
        elif op in (_constants.ASSERT, _constants.ASSERT_NOT):
            self._emit_assertion(op, argument, flags)
        elif op is _constants.BRANCH:
            self._emit_branches(
                [(lambda branch=branch: self._emit_items(branch, flags)) for branch in argument[1]]
            )
        elif op is _constants.GROUPREF:
            self.is_regular = False
            self._code.append(("reference", argument))
        elif op is _constants.GROUPREF_EXISTS:
            # Which way it goes depends on the text: both are tried, which can only add steps.
            _, yes, no = argument
            self._emit_branches(
                [lambda: self._emit_items(yes, flags), lambda: self._emit_items(no or [], flags)]
            )
        elif op in REPEATS:
            least, most, inner = argument
            self._emit_repeat(op, least, most, inner, flags)
        elif op is _constants.FAILURE:
            self._code.append(("fail",))
        else:
            raise NotImplementedError(f"{op}")

    def _emit_assertion(self, op: Any, argument: Any, flags: int) -> None:
        direction, inner = argument
        if (
            direction < 0
        ):  # a look behind has a fixed width: the library's engine tells its truth, at the cost of that width
            self._code.append(("behind", self._compiled([(op, argument)], flags), inner.getwidth()[1]))
        else:
            self._emit_nested("ahead" if op is _constants.ASSERT else "not ahead", inner, flags)

    def _emit_nested(self, kind: str, items: Any, flags: int) -> None:
        start = len(self._code)
        self._code.append(())
        self._emit_items(items, flags)
        self._code.append(("accept",))
        self._code[start] = (kind, len(self._code))

    def _emit_branches(self, emitters: list[Any]) -> None:
        jumps = []
        for emit in emitters[:-1]:
            split = len(self._code)
            self._code.append(())
            emit()
            jumps.append(len(self._code))
            self._code.append(())
            self._code[split] = ("split", split + 1, len(self._code))
        emitters[-1]()
        for jump in jumps:
            self._code[jump] = ("jump", len(self._code))

    def _emit_repeat(self, op: Any, least: int, most: int, items: Any, flags: int) -> None:
        if is_one_character(items):
            self._code.append(
                (
                    "run",
                    self._run_of(items, flags),
                    least,
                    None if most == _constants.MAXREPEAT else int(most),
                    str(op),
                )
            )
            return
        if op is _constants.POSSESSIVE_REPEAT:
            self._emit_nested("atomic", [(_constants.MAX_REPEAT, (least, most, items))], flags)
            return
        for _ in range(min(least, MAX_COPIES)):
            self._emit_items(items, flags)
        greedy = op is _constants.MAX_REPEAT
        if most == _constants.MAXREPEAT or most - least > MAX_COPIES:
            may_be_empty = _parser.SubPattern(self._tree.state, list(items)).getwidth()[0] == 0
            self.is_regular = self.is_regular and not may_be_empty
            split = len(self._code)
            self._code.append(())
            self._emit_items(items, flags)
            self._code.append(("loop", split))
            leave = len(self._code)
            ways = (split + 1, leave) if greedy else (leave, split + 1)
            self._code[split] = ("enter", *ways, may_be_empty)
            return
        splits = []
        for _ in range(most - least):
            splits.append(len(self._code))
            self._code.append(())
            self._emit_items(items, flags)
        for split in splits:
            self._code[split] = (
                ("split", split + 1, len(self._code)) if greedy else ("split", len(self._code), split + 1)
            )

    def _compiled(self, items: Any, flags: int) -> Any:
        return compile_items(items, self._tree.state, flags)

    def _run_of(self, items: Any, flags: int) -> Any:
        return self._compiled(
            [
                (
                    _constants.MAX_REPEAT,
                    (0, _constants.MAXREPEAT, _parser.SubPattern(self._tree.state, list(items))),
                )
            ],
            flags,
        )


def compile_items(items: Any, state: Any, flags: int) -> Any:
    return _compiler.compile(_parser.SubPattern(state, list(items)), flags).match


class _Run:
    """One run of a program over a text.

    Where the text repeats a unit, what the matcher did for one unit it does for the next as well, as long as it reads nothing outside of
    the repeats. Such rounds are counted, not walked: the steps for a megabyte are known after a few hundred characters, exactly.
    """

    def __init__(
        self, code: list[tuple[Any, ...]], text: Pumped, allowed: int, *, skips: bool, is_regular: bool
    ) -> None:
        self._code = code
        self._text = text.text
        self._allowed = allowed
        self._skips = skips  # attempts that go as those before
        self._skips_rounds = skips and is_regular  # and rounds of loops within an attempt
        self._unit = max(len(text.unit), 1)
        self._start = len(text.head)
        self._end = self._start + self._unit * text.times
        self._lowest, self._highest = _Extremes(), _Extremes()  # of what was read
        self.steps = 0

    def spans(self) -> Iterator[tuple[int, int]]:
        """Matches from left to right, each beginning where the one before ended or later. Those in skipped rounds are left out."""
        position = 0
        rounds: dict[int, _Moment] = {}  # by place in the unit: when a match was tried there
        while position <= len(self._text):
            before = rounds.get(self._phase(position))
            if before is not None and (times := self._rounds_right(before, position)):
                self._skip(before, times, position - before.position)
                position += times * (position - before.position)
                rounds.clear()
            rounds[self._phase(position)] = self._moment(position)
            end = self.match(0, position)
            self.steps += 1
            if end is not None:
                yield position, end
            position = end if end is not None and end > position else position + 1

    # ---- rounds that are like the one before

    def _phase(self, position: int) -> int:
        return (position - self._start) % self._unit

    def _moment(self, position: int, height: int = 0) -> _Moment:
        return _Moment(position, height, self.steps, self._lowest.now())

    def _is_inside(self, before: _Moment) -> bool:
        """Whether nothing but the repeats was read since a moment."""
        if not self._skips or before.position < self._start:
            return False
        return (
            self._lowest.since(before.tick) >= self._start and -self._highest.since(before.tick) <= self._end
        )

    def _rounds_right(self, before: _Moment, position: int) -> int:
        """How often what was done since a moment is done again, each time that much further to the right."""
        if not self._is_inside(before) or position <= before.position:
            return 0
        room = self._end - max(-self._highest.since(before.tick), position)
        return max(0, room // (position - before.position))

    def _rounds_left(self, before: _Moment, distance: int) -> int:
        """The same to the left."""
        if not self._is_inside(before):
            return 0
        room = min(self._lowest.since(before.tick), before.position) - self._start
        return max(0, room // distance)

    def _skip(self, before: _Moment, times: int, distance: int) -> None:
        low = min(self._lowest.since(before.tick), before.position)
        high = max(-self._highest.since(before.tick), before.position)
        self.steps += times * (self.steps - before.steps)
        self._read(low + min(0, times * distance), high + max(0, times * distance))
        if self.steps > self._allowed:
            raise OutOfSteps

    def _read(self, low: int, high: int) -> None:
        """Note that the text from `low` up to `high` was looked at."""
        if self._skips:
            self._lowest.add(low)
            self._highest.add(-high)

    # ---- the machine

    def match(self, pc: int, position: int) -> int | None:
        """Where a match that begins at `position` ends."""
        code, text, size = self._code, self._text, len(self._text)
        stack: list[tuple[Any, ...]] = []
        loops: dict[tuple[int, int], _Moment] = {}  # by instruction and place in the unit
        tallest = 0  # of the stacks that `loops` remember
        groups: Any = None  # a linked list of (group, start or end, previous)
        entered: Any = None  # where the running loops began their present round
        while True:
            self.steps += 1
            if self.steps > self._allowed:
                raise OutOfSteps
            instruction = code[pc]
            kind = instruction[0]
            failed = False
            if kind == "accept":
                return position
            if kind == "character":
                self._read(position - instruction[2], position + 1 + instruction[2])
                match = instruction[1](text, position)
                if match is None:
                    failed = True
                else:
                    position, pc = match.end(), pc + 1
            elif kind == "run":
                _, run, least, most, mode = instruction
                wanted = least if mode == "MIN_REPEAT" else most
                stop = size if wanted is None else min(size, position + wanted)
                end = run(text, position, stop).end()
                self._read(position, end + 1)
                self.steps += end - position
                first = position + least
                if end < first:
                    failed = True
                elif mode == "MAX_REPEAT" and end > first:
                    stack.append(("shorter", pc + 1, end - 1, first, {}, None, groups, entered))
                elif mode == "MIN_REPEAT":
                    last = size if most is None else position + most
                    stack.append(("longer", pc + 1, first, last, {}, run, groups, entered))
                position, pc = end, pc + 1
            elif kind == "split":
                stack.append(("go", instruction[2], position, groups, entered))
                pc = instruction[1]
            elif kind == "enter":
                if self._skips_rounds:
                    key = (pc, self._phase(position))
                    before = loops.get(key)
                    if before is not None and (times := self._rounds_right(before, position)):
                        distance = position - before.position
                        self._skip(before, times, distance)
                        position += times * distance
                        round_ = tuple(stack[before.height :])
                        del stack[before.height :]
                        if round_:
                            stack.append(("rounds", round_, distance, times + 1, 0, None))
                        loops.clear()
                        tallest = 0
                    loops[key] = self._moment(position, len(stack))
                    tallest = max(tallest, len(stack))
                stack.append(("go", instruction[2], position, groups, entered))
                if instruction[3]:
                    entered = (pc, position, entered)
                pc = instruction[1]
            elif kind == "loop":
                start = entered
                while start is not None and start[0] != instruction[1]:
                    start = start[2]
                if start is not None and start[1] == position:  # an empty round: leave
                    pc += 1
                else:
                    entered = start[2] if start is not None else entered
                    pc = instruction[1]
            elif kind == "jump":
                pc = instruction[1]
            elif kind in ("open", "close"):
                groups = (instruction[1], kind, position, groups) if instruction[1] is not None else groups
                pc += 1
            elif kind == "behind":
                self._read(position - instruction[2], position)
                self.steps += instruction[2]
                if instruction[1](text, position) is None:
                    failed = True
                else:
                    pc += 1
            elif kind in ("atomic", "ahead", "not ahead"):
                end = self.match(pc + 1, position)
                if (end is None) != (kind == "not ahead"):
                    failed = True
                else:
                    position = end if kind == "atomic" and end is not None else position
                    pc = instruction[1]
            elif kind == "reference":
                wanted = self._group(groups, instruction[1])
                self._read(position, position + len(wanted or ()))
                if wanted is None or not text.startswith(wanted, position):
                    failed = True
                else:
                    self.steps += len(wanted)
                    position, pc = position + len(wanted), pc + 1
            else:
                failed = True
            while failed:
                if not stack:
                    return None
                frame = stack.pop()
                if len(stack) < tallest:
                    loops = {key: moment for key, moment in loops.items() if moment.height <= len(stack)}
                    tallest = max((moment.height for moment in loops.values()), default=0)
                if frame[0] == "rounds":
                    self._take_last_round(frame, stack)
                    continue
                failed = False
                if frame[0] == "go":
                    _, pc, position, groups, entered = frame
                    continue
                mode, pc, position, last, tried, run, groups, entered = frame
                step = -1 if mode == "shorter" else 1
                position = self._skip_tries(tried, position, last, step)
                if mode == "longer":
                    self._read(position, position + 1)
                    failed = position >= last or run(text, position, position + 1).end() == position
                if not failed and position != last:
                    stack.append((mode, pc, position + step, last, tried, run, groups, entered))
                position += mode == "longer"

    def _skip_tries(self, tried: dict[int, _Moment], position: int, last: int, step: int) -> int:
        """The next length of a run that has to be tried, after those that fail as the ones before did."""
        if not self._skips_rounds:
            return position
        before = tried.get(self._phase(position))
        if before is not None:
            distance = abs(position - before.position)
            right = step > 0
            room = self._rounds_right(before, position) if right else self._rounds_left(before, distance)
            if times := min(room, abs(last - position) // distance):
                self._skip(before, times, step * distance)
                position += step * times * distance
                tried.clear()
        tried[self._phase(position)] = self._moment(position)
        return position

    def _take_last_round(self, rounds: tuple[Any, ...], stack: list[tuple[Any, ...]]) -> None:
        """Put what the last of many rounds left on the stack there, or drop rounds that fail as the one before did."""
        _, frames, distance, times, offset, before = rounds
        if before is not None:
            skipped = min(times, self._rounds_left(before, distance))
            if skipped:
                self._skip(before, skipped, -distance)
                times -= skipped
        if not times:
            return
        round_ = [_shifted(frame, offset + (times - 1) * distance) for frame in frames]
        if times > 1:
            moment = self._moment(_position_of(round_[-1]))
            stack.append(("rounds", frames, distance, times - 1, offset, moment))
        stack += round_

    def _group(self, groups: Any, group: int) -> Any:
        end = None
        while groups is not None:
            number, kind, position, groups = groups
            if number == group and kind == "close" and end is None:
                end = position
            elif number == group and kind == "open" and end is not None:
                return self._text[position:end]
        return None


def _position_of(frame: tuple[Any, ...]) -> int:
    """Where the matcher goes on with what a round left on the stack."""
    if frame[0] == "rounds":
        return _position_of(frame[1][-1]) + int(frame[4])
    return int(frame[2])


def _shifted(frame: tuple[Any, ...], by: int) -> tuple[Any, ...]:
    """What a round left on the stack, as another round leaves it there."""
    if frame[0] == "rounds":
        return (*frame[:4], frame[4] + by, None)
    if frame[0] == "go":
        return (*frame[:2], frame[2] + by, *frame[3:])
    return (*frame[:2], frame[2] + by, frame[3] + by, {}, *frame[5:])


class _Moment(NamedTuple):
    """Where the matcher was, how much was on its stack, and what it had counted."""

    position: int
    height: int
    steps: int
    tick: int


class _Extremes:
    """The least of the numbers that were added since a moment."""

    def __init__(self) -> None:
        self._ticks: list[int] = []
        self._least: list[int] = []  # of those since the tick beside it; they grow
        self._tick = 0

    def add(self, number: int) -> None:
        self._tick += 1
        while self._least and self._least[-1] >= number:
            self._least.pop()
            self._ticks.pop()
        self._least.append(number)
        self._ticks.append(self._tick)

    def now(self) -> int:
        return self._tick

    def since(self, tick: int) -> int:
        at = bisect_right(self._ticks, tick)
        return self._least[at] if at < len(self._least) else sys.maxsize

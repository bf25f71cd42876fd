"""A regular-expression matcher that counts its steps, so that a test can tell linear patterns from quadratic ones without a clock.

It backtracks as the standard library's engine does, over the tree that the library's own parser makes, and knows none of its short cuts:
it takes at least as many steps. Complex repeats with a maximum above `MAX_COPIES` count as unlimited.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from re import _compiler, _constants, _parser  # type: ignore[attr-defined] # the parse tree has no public door
from typing import Any, NamedTuple

MAX_COPIES = 200
ONE_CHARACTER = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN)
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


class OutOfSteps(Exception):
    """The matcher took more steps than it was allowed."""


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
        self._subprograms: list[tuple[int, int]] = []
        self._emit_items(self._tree.items, self._tree.flags)
        self._code.append(("accept",))

    def count_steps(self, text: Any, *, anchored: bool, allowed: int) -> int:
        """Steps to find all matches of `text`, or the one at its start. Raises OutOfSteps above `allowed`."""
        run = _Run(self._code, text, allowed)
        if anchored:
            run.match(0, 0)
        else:
            for _ in run.spans():
                pass
        return run.steps

    def spans(self, text: Any) -> list[tuple[int, int]]:
        """Start and end of every match, from left to right."""
        return list(_Run(self._code, text, sys.maxsize).spans())

    # ---- compilation

    def _emit_items(self, items: Any, flags: int) -> None:
        for item in items:
            self._emit(item, flags)

    def _emit(self, item: Any, flags: int) -> None:
        op, argument = item
        if op in ONE_CHARACTER or op in (_constants.AT,):
            self._code.append(("character", self._compiled([item], flags)))
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
            split = len(self._code)
            self._code.append(())
            self._emit_items(items, flags)
            self._code.append(("loop", split))
            leave = len(self._code)
            self._code[split] = ("enter", split + 1, leave) if greedy else ("enter", leave, split + 1)
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
    """One run of a program over a text."""

    def __init__(self, code: list[tuple[Any, ...]], text: Any, allowed: int) -> None:
        self._code = code
        self._text = text
        self._allowed = allowed
        self.steps = 0

    def spans(self) -> Iterator[tuple[int, int]]:
        """Matches from left to right, each beginning where the one before ended or later."""
        position = 0
        while position <= len(self._text):
            end = self.match(0, position)
            self.steps += 1
            if end is not None:
                yield position, end
            position = end if end is not None and end > position else position + 1

    def match(self, pc: int, position: int) -> int | None:
        """Where a match that begins at `position` ends."""
        code, text, size = self._code, self._text, len(self._text)
        stack: list[tuple[Any, ...]] = []
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
                match = instruction[1](text, position)
                if match is None:
                    failed = True
                else:
                    position, pc = match.end(), pc + 1
            elif kind == "run":
                _, run, least, most, mode = instruction
                end = (
                    run(text, position).end()
                    if most is None
                    else run(text, position, min(size, position + most)).end()
                )
                self.steps += end - position
                first = position + least
                if end < first:
                    failed = True
                elif mode == "MAX_REPEAT":
                    if end > first:
                        stack.append(("shorter", pc + 1, end - 1, first, groups, entered))
                    position, pc = end, pc + 1
                elif mode == "MIN_REPEAT":
                    self.steps -= end - position
                    if end > first:
                        stack.append(("longer", pc + 1, first + 1, end, groups, entered))
                    position, pc = first, pc + 1
                else:
                    position, pc = end, pc + 1
            elif kind == "split":
                stack.append(("go", instruction[2], position, groups, entered))
                pc = instruction[1]
            elif kind == "enter":
                stack.append(("go", instruction[2], position, groups, entered))
                entered = (pc, position, entered)
                pc = instruction[1]
            elif kind == "loop":
                start = entered
                while start is not None and start[0] != instruction[1]:
                    start = start[2]
                if start is not None and start[1] == position:  # an empty round: leave
                    pc += 1
                else:
                    entered = start[2] if start is not None else None
                    pc = instruction[1]
            elif kind == "jump":
                pc = instruction[1]
            elif kind in ("open", "close"):
                groups = (instruction[1], kind, position, groups) if instruction[1] is not None else groups
                pc += 1
            elif kind == "behind":
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
                if wanted is None or not text.startswith(wanted, position):
                    failed = True
                else:
                    self.steps += len(wanted)
                    position, pc = position + len(wanted), pc + 1
            else:
                failed = True
            if failed:
                if not stack:
                    return None
                frame = stack.pop()
                if frame[0] == "go":
                    _, pc, position, groups, entered = frame
                elif frame[0] == "shorter":
                    _, pc, position, first, groups, entered = frame
                    if position > first:
                        stack.append(("shorter", pc, position - 1, first, groups, entered))
                else:
                    _, pc, position, last, groups, entered = frame
                    if position < last:
                        stack.append(("longer", pc, position + 1, last, groups, entered))

    def _group(self, groups: Any, group: int) -> Any:
        end = None
        while groups is not None:
            number, kind, position, groups = groups
            if number == group and kind == "close" and end is None:
                end = position
            elif number == group and kind == "open" and end is not None:
                return self._text[position:end]
        return None

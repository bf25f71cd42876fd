"""Decisions that repeat themselves: an `else` that does what the arm before it does, conditions that were asked before.

Arms and conditions are compared as written. Those of one decision stand at the same depth, so equal code has equal bytes there;
a comment that differs makes a difference, as it may be the reason. Only what repeats becomes a fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from crimes.languages.engine.nodes import Node, first_child
from crimes.languages.engine.table import Entry
from crimes.languages.engine.walk.state import Walk, part
from crimes.model.facts import Repeat
from crimes.model.lazy_regex import regex

_WORD = regex(rb"(?:el(?:se?)?\s*)?if\b\s*")  # before a condition
_ENDING = b" \t\r\n:{"  # after a condition
_BODY_WORD = regex(rb"(?:else\b|then\b)\s*:?\s*|:\s+")  # before what an arm does
_TOKEN = regex(rb"\w+|[^\w\s]")
# A name that the condition gives a value or a narrower type: the same words mean something else in each arm.
_BINDS = regex(rb"\b(?:let|var|val|case|is|as|instanceof|typeof|isinstance)\b|:=|(?<![=!<>])=(?![=>~])")
_VALUE_FIRST = regex(rb"\s*if\b")
_ARROW = regex(rb"[-=]>|:")
_GUARD = regex(rb"\s*(?:if|when|where|,|&&)")
_NAME = regex(rb"[\w.$@]+")
_OR = ("or", "||")
_ATTRIBUTE = regex(rb"#!?\[")  # before a case: `#[cfg(unix)]`
_CHANGES = regex(rb":=|\+\+|--|(?<![=!<>])=(?![=>~])")  # gives something another value
_ASSIGNED = regex(rb"(?<![\w$])([\w$]++)\s*+(?::=|[-+*/%&|^]?=(?![=>~])|\+\+|--)|(?:\+\+|--)([\w$]++)")
_IDENTIFIER = regex(rb"[\w$]+")
_RUNS_ON = regex(rb"switch\s*\(")  # a switch whose cases run on into the next, unlike those of Go and Swift
_JUMP = regex(rb"\b(?:break|return|throw|continue|goto|exit|die)\b")
_OTHERWISE = regex(rb"\s*(?:or\b|\|\|)")
MAX_CONDITION_BYTES = 300
MAX_ARMS = 100
MAX_TEXT_CHARS = 120
MAX_OPERANDS = 6


class _Arm(NamedTuple):
    """One arm of a decision, in offsets; the condition of an `else` is empty."""

    condition: bytes
    body: bytes
    start: int
    end: int
    runs_on: bool = False  # into the next case


def note_chain(walk: Walk, node: Node, entry: Entry) -> None:
    """Note what repeats in a chain of conditions that begins with this one."""
    if part(node, entry, "else") is None:
        last = node.child(node.child_count - 1)
        if walk.role(last) not in ("else", "elseif"):
            return
    if node.has_error:
        return
    arms = list(_arms(walk, node, entry))
    if len(arms) > 1:
        _note_conditions(walk, arms)
        _note_bodies(walk, arms)


def _arms(walk: Walk, node: Node, entry: Entry) -> Iterator[_Arm]:
    """The arms of a chain, in order. Grammars nest the later ones, or list them."""
    for _ in range(MAX_ARMS):
        yield from _arm(walk, node, entry)
        other = keyword = part(node, entry, "else")
        if other is not None and not other.child_count:  # the keyword: take what follows it
            other = other.next_named_sibling
        following: Node | None = None
        for alternative in [other] if other is not None else node.named_children:
            role = walk.role(alternative)
            only = first_child(alternative) if alternative.named_child_count == 1 else None
            if role in ("if", "elseif") and (other is not None or role == "elseif"):
                following = alternative
                if other is None:
                    yield from _arm(walk, alternative, walk.entries[alternative.kind_id])
            elif role == "else" and only is not None and walk.role(only) == "if":
                following = only
            elif role == "else" or other is not None:
                start = (keyword or alternative).start_byte
                yield _Arm(b"", _body(walk, alternative), start, alternative.end_byte)
        if following is None or (other is None and walk.role(following) == "elseif"):
            return
        node, entry = following, walk.entries[following.kind_id]


def _arm(walk: Walk, node: Node, entry: Entry) -> Iterator[_Arm]:
    condition = part(node, entry, "condition")
    then = part(node, entry, "then") or (condition.next_named_sibling if condition is not None else None)
    if then is None:
        return
    other = part(node, entry, "else")
    is_empty = other is not None and other.start_byte == then.start_byte
    end = condition.end_byte if condition is not None and is_empty else then.start_byte
    written = walk.source[node.start_byte : end]
    word = _WORD.match(written)
    yield _Arm(
        written[word.end() if word else 0 :].rstrip(_ENDING),
        b"" if is_empty else _body(walk, then),
        node.start_byte,
        end if is_empty else then.end_byte,
    )


def _body(walk: Walk, node: Node) -> bytes:
    written = walk.slice(node).strip()
    word = _BODY_WORD.match(written)
    return written[word.end() :] if word else written


def _note_conditions(walk: Walk, arms: list[_Arm]) -> None:
    asked: dict[bytes, _Arm] = {}
    for arm in arms:
        if not arm.condition or len(arm.condition) > MAX_CONDITION_BYTES:
            continue
        before = asked.setdefault(arm.condition, arm)
        if before is not arm:
            _note(walk, "condition", before, arm, arm.condition, arms=(1 + (arm.body == before.body), 2))
        if changed := _changed_names(arm.condition):  # what was asked of them is a new question now
            asked = {
                text: first for text, first in asked.items() if changed.isdisjoint(_IDENTIFIER.findall(text))
            }


def _changed_names(condition: bytes) -> set[bytes]:
    """The names that a condition gives another value: `(error = f()) < 0`."""
    if not _CHANGES.search(condition):
        return set()
    return {name for found in _ASSIGNED.findall(condition) for name in found if name}


def _note_bodies(walk: Walk, arms: list[_Arm]) -> None:
    """Note an `else` that does what the arm before it does; not where a condition gives the names another meaning."""
    body = arms[-1].body
    if arms[-1].condition or not body or arms[-2].body != body:
        return
    alike = [arm for arm in arms if arm.body == body]
    if any(_BINDS.search(arm.condition) for arm in alike):
        return
    text = b"; ".join(arm.condition for arm in alike if arm.condition)
    _note(walk, "branch", arms[-2], arms[-1], body, text=text, arms=(len(alike), len(arms)))


def note_switch(walk: Walk, node: Node) -> None:
    """Note labels of a switch or match that stand there twice."""
    if node.has_error:
        return
    block = node
    for child in node.named_children:
        if any(walk.role(_label(walk, inner)) == "case" for inner in child.named_children[:2]):
            block = child
    arms = [arm for child in block.named_children[:MAX_ARMS] for arm in _case(walk, child)]
    if len(arms) > 1:
        labels: dict[bytes, int] = {}
        runs_on = _RUNS_ON.match(walk.source, node.start_byte) is not None
        for number, arm in enumerate(arms):
            first = labels.setdefault(arm.condition, number)
            before = arms[first]
            if runs_on and _run_into_next(arms[first:number]):
                continue  # the first one's code runs on into this one
            if before is not arm and arm.condition:
                _note(walk, "label", before, arm, arm.condition, arms=(1 + (arm.body == before.body), 2))


def _run_into_next(arms: list[_Arm]) -> bool:
    """Whether cases do something, and none of them jumps out; labels that only share a body do nothing."""
    return any(arm.body for arm in arms) and all(arm.runs_on for arm in arms)


def _case(walk: Walk, node: Node) -> Iterator[_Arm]:
    """A case with its label; none for a default, and for labels that a guard or further labels follow."""
    label = _label(walk, node)
    entry = walk.entries.get(label.kind_id) if label is not None else None
    if label is None or entry is None or entry.role != "case" or "type" in entry.parts:
        return
    value = label if label is not node else first_child(node)
    if value is None or walk.role(value) in ("decorator", "comment") or _ATTRIBUTE.match(walk.slice(value)):
        return
    rest = walk.source[value.end_byte : node.end_byte]
    if _ARROW.search(walk.source, node.start_byte, value.start_byte):
        return  # `else -> value`: what comes first is the value of a default
    if not _GUARD.match(rest):
        statements = [child for child in node.named_children[1:] if walk.role(child) != "comment"]
        jumps = bool(statements) and _JUMP.search(walk.slice(statements[-1])) is not None
        body = rest.strip(b" \t\r\n:,;")
        yield _Arm(walk.slice(value), body, node.start_byte, node.end_byte, runs_on=not jumps)


def _label(walk: Walk, node: Node) -> Node | None:
    """The case itself, or the first label of a group of labels and statements."""
    return node if walk.role(node) == "case" else first_child(node)


def note_ternary(walk: Walk, node: Node) -> None:
    """Note a conditional expression whose two values are the same."""
    if node.named_child_count != 3:
        return
    first, second, third = node.named_children
    value_first = _VALUE_FIRST.match(walk.source, first.end_byte, second.start_byte)
    then, condition = (first, second) if value_first else (second, first)
    if walk.slice(then) == (written := walk.slice(third)) and not _BINDS.search(walk.slice(condition)):
        arm = _Arm(b"", written, node.start_byte, node.end_byte)
        _note(walk, "value", arm, arm, written, arms=(2, 2))


def note_operands(walk: Walk, node: Node, entry: Entry, left: Node | None, right: Node | None) -> None:
    """Note an operand that stands twice in one run of `&&` or `||`."""
    if left is None or right is None:
        return
    source, operator = walk.source, part(node, entry, "operator")
    written = source[right.start_byte : right.end_byte]
    is_or = operator is not None and operator.type in _OR
    if not is_or and _OTHERWISE.match(source, right.end_byte):
        return  # `a and a or b`: how some write a choice
    is_name = _NAME.fullmatch(written) is not None
    for step in range(MAX_OPERANDS):
        if step and is_name:
            return  # `a and a.ready and a`: the value of the whole
        previous = left
        if left.kind_id == node.kind_id:
            inner = part(left, entry, "operator")
            if inner is None or operator is None or inner.kind_id != operator.kind_id:
                return
            previous = part(left, entry, "right") or left
        if source[previous.start_byte : previous.end_byte] == written:
            between = source[previous.end_byte : right.start_byte]
            if b"(" in between or _CHANGES.search(between):
                return  # `!is_dir(a) && !mkdir(a) && !is_dir(a)`: what is asked in between may change the answer
            before = _Arm(b"", written, previous.start_byte, previous.end_byte)
            again = _Arm(b"", written, right.start_byte, right.end_byte)
            _note(walk, "operand", before, again, written)
            return
        following = part(left, entry, "left") if previous is not left else None
        if following is None:
            return
        left = following


def _note(
    walk: Walk,
    kind: str,
    first: _Arm,
    again: _Arm,
    written: bytes,
    *,
    text: bytes = b"",
    arms: tuple[int, int] = (0, 0),
) -> None:
    lines = walk.lines
    shown = " ".join((text or written)[: 4 * MAX_TEXT_CHARS].decode("utf-8", "replace").split())
    walk.repeats.append(
        Repeat(
            kind,
            lines.line(again.start),
            lines.last_line(again.end),
            lines.line(first.start),
            walk.frame.index,
            shown[:MAX_TEXT_CHARS],
            len(_TOKEN.findall(written)),
            *arms,
        )
    )

"""Preprocessor conditionals whose branches hold pieces of statements: one branch is kept, so that the rest parses.

The grammar reads a conditional around whole statements or declarations. Around part of one (`else if (…) {`, the head of a
function, an argument) it gives up. Of such a conditional only the first branch stays, without the directives.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import itemgetter

from msgspec import Struct, field

from crimes.model.lazy_regex import regex

_CONDITIONAL = regex(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:[^\n\\]|\\\r?\n|\\.)*)",
    re.MULTILINE,
)
_CONTINUES_STATEMENT = regex(rb"else\b|[)\],?+\-/|&=.<>%^]|:(?!:)|\*(?!\w+\s*=)")
_LABEL = regex(rb"\b(?:public|private|protected|default|case\b(?:[^;{}?:]|::){0,100})\s*+:\Z")
_LIST_START = regex(rb"[=,(]\s*\{\Z")
_SPACE = b" \t\r\n\x0c\\"
_VISIBLE = regex(rb"[^ \t\r\n\x0c\\]+")
_PAIRS = ((b"{", b"}"), (b"(", b")"), (b"[", b"]"))
_SIGNS = tuple(sign for pair in _PAIRS for sign in pair)
Span = tuple[int, int]


class _Group(Struct):
    """One `#if … #endif` with the spans of its directives."""

    is_if_0: bool
    directives: list[Span] = field(default_factory=list)
    has_else: bool = False

    def branches(self) -> list[Span]:
        return [(a[1], b[0]) for a, b in zip(self.directives, self.directives[1:], strict=False)]


class _Text:
    """Code that is asked about many spans, which may lie within each other: no span is read from end to end."""

    def __init__(self, code: bytes) -> None:
        self.code = code
        self._words = [match.span() for match in _VISIBLE.finditer(code)]
        self._brackets = {
            sign: [match.start() for match in re.finditer(re.escape(sign), code)] for sign in _SIGNS
        }

    def last_visible(self, end: int) -> int:
        """The end of the last visible character before an offset; 0 without one."""
        at = bisect_left(self._words, (end, end))
        return min(self._words[at - 1][1], end) if at else 0

    def stripped(self, start: int, end: int) -> Span:
        """A span without the blanks at its ends; empty if there is nothing else."""
        last = self.last_visible(end)
        at = bisect_right(self._words, start, key=itemgetter(1))
        first = max(self._words[at][0], start) if at < len(self._words) else end
        return (first, last) if first < last else (start, start)

    def count(self, sign: bytes, start: int, end: int) -> int:
        places = self._brackets[sign]
        return bisect_left(places, end) - bisect_left(places, start)

    def first(self, sign: bytes, start: int, end: int) -> int:
        """Where a bracket is first in a span; its end without one."""
        places = self._brackets[sign]
        at = bisect_left(places, start)
        return places[at] if at < len(places) and places[at] < end else end


def broken_conditionals(flat: bytes) -> list[Span]:
    """Spans to blank out, apart from each other. `flat` is the code with comments, strings and all other directives already blank."""
    groups, lines = _groups(flat)
    if not groups:
        return []
    code = bytearray(flat)
    for start, end in lines:
        code[start:end] = b" " * (end - start)
    text = _Text(bytes(code))
    spans: list[Span] = []
    for group in groups:
        if not _holds_whole_statements(group, text):
            spans += group.directives
            branches = group.branches()
            kept = 0 if not group.is_if_0 else len(branches) - 1 if group.has_else else -1
            spans += [span for index, span in enumerate(branches) if index != kept]
    return _joined(spans)


def _joined(spans: list[Span]) -> list[Span]:
    """The same spans, in order, with those that overlap made one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def _groups(flat: bytes) -> tuple[list[_Group], list[Span]]:
    open_groups: list[_Group] = []
    closed: list[_Group] = []
    lines: list[Span] = []
    for match in _CONDITIONAL.finditer(flat):
        word, span = match[1], match.span()
        lines.append(span)
        if word.startswith(b"if"):
            open_groups.append(_Group(word == b"if" and match[2].strip() == b"0"))
        if open_groups:
            group = open_groups[-1]
            group.directives.append(span)
            group.has_else = group.has_else or word == b"else"
            if word == b"endif":
                closed.append(open_groups.pop())
    return closed, lines


def _holds_whole_statements(group: _Group, text: _Text) -> bool:
    """Whether whole statements surround the group, and each branch holds whole ones."""
    code = text.code
    before = text.last_visible(group.directives[0][0])
    if before and code[before - 1] not in b";{}" and not _LABEL.search(code[max(before - 80, 0) : before]):
        return False
    if code[before - 1 : before] == b"{" and _LIST_START.search(code[max(before - 200, 0) : before]):
        return False
    after = group.directives[-1][1]
    if _CONTINUES_STATEMENT.match(code[after : after + 400].lstrip(_SPACE)):
        return False
    for start, end in (text.stripped(*branch) for branch in group.branches()):
        if start == end:
            continue
        if code[end - 1] not in b";}" or _CONTINUES_STATEMENT.match(code, start, end):
            return False
        if text.first(b"}", start, end) < text.first(b"{", start, end) < end or code[start] == ord("}"):
            return False
        if any(text.count(a, start, end) != text.count(b, start, end) for a, b in _PAIRS):
            return False
    return True

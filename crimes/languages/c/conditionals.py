"""Preprocessor conditionals whose branches hold pieces of statements: one branch is kept, so that the rest parses.

The grammar reads a conditional around whole statements or declarations. Around part of one (`else if (…) {`, the head of a
function, an argument) it gives up. Of such a conditional only the first branch stays, without the directives.
"""

from __future__ import annotations

import re

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
Span = tuple[int, int]


class _Group(Struct):
    """One `#if … #endif` with the spans of its directives."""

    is_if_0: bool
    directives: list[Span] = field(default_factory=list)
    has_else: bool = False

    def branches(self) -> list[Span]:
        return [(a[1], b[0]) for a, b in zip(self.directives, self.directives[1:], strict=False)]


def broken_conditionals(flat: bytes) -> list[Span]:
    """Spans to blank out. `flat` is the code with comments, strings and all other directives already blank."""
    groups, lines = _groups(flat)
    code = bytearray(flat)
    for start, end in lines:
        code[start:end] = b" " * (end - start)
    text = bytes(code)
    spans: list[Span] = []
    for group in groups:
        if not _holds_whole_statements(group, text):
            spans += group.directives
            branches = group.branches()
            kept = 0 if not group.is_if_0 else len(branches) - 1 if group.has_else else -1
            spans += [span for index, span in enumerate(branches) if index != kept]
    return spans


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


def _holds_whole_statements(group: _Group, text: bytes) -> bool:
    """Whether whole statements surround the group, and each branch holds whole ones."""
    before = group.directives[0][0]
    while before and text[before - 1] in _SPACE:
        before -= 1
    if before and text[before - 1] not in b";{}" and not _LABEL.search(text[max(before - 80, 0) : before]):
        return False
    if text[before - 1 : before] == b"{" and _LIST_START.search(text[max(before - 200, 0) : before]):
        return False
    after = group.directives[-1][1]
    if _CONTINUES_STATEMENT.match(text[after : after + 400].lstrip(_SPACE)):
        return False
    for start, end in group.branches():
        branch = text[start:end].strip(_SPACE)
        if not branch:
            continue
        if branch[-1] not in b";}" or _CONTINUES_STATEMENT.match(branch):
            return False
        if 0 <= branch.find(b"}") < branch.find(b"{") or branch[:1] == b"}":
            return False
        if any(branch.count(a) != branch.count(b) for a, b in ((b"{", b"}"), (b"(", b")"), (b"[", b"]"))):
            return False
    return True

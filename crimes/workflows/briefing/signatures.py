"""Signatures of public functions and classes, as the source writes them. Standard library only: the hook uses it too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

WITH_SIGNATURES = ("source", "script")  # roles of files whose names others use
_MAX_LINES = 60
_MAX_CHARS = 160
_HIDDEN = re.compile(r"\b(?:private|protected|fileprivate|internal)\b|#\w+\s*\(")
_TYPE = re.compile(
    r"\b(?:class|struct|interface|trait|enum|impl|object|module|record|protocol|extension|type|namespace|union)\b"
)
_SPACES = re.compile(r"\s+")
_NO_ANGLES = re.compile(r"[-=]>|<[-=<]|[ \t]<[ \t]|[ \t]>[ \t=]")  # arrows, shifts and comparisons
_COMMENT = re.compile(r"\s(?:#|//)\s.*$")
_BODY_MARKS = {"python": ":", "csharp": "=>"}  # before a body on the same line, where `{` is not the only one
_LOOSE = ((re.compile(r"([(\[]) "), r"\1"), (re.compile(r",? ([)\]])"), r"\1"))


def signatures(lines: Sequence[str], symbols: Sequence[Any], language: str) -> dict[tuple[str, int], str]:
    """By name and first line: the signatures of those symbols that other files can use, as far as the source says."""
    texts = {}
    closed: set[str] = set()  # functions, and what is private: nothing in them can be used elsewhere
    for symbol in symbols:
        outer = symbol.name.rpartition(".")[0]
        head = _head(lines, symbol) if symbol.public and outer not in closed else ""
        word = symbol.name.rpartition(".")[2]
        is_type = bool(_TYPE.search(head.partition(word)[0]))
        if not head or _is_hidden(head, word, language):
            closed.add(symbol.name)
            continue
        if not is_type:
            closed.add(symbol.name)
        text = _cut_body(head, word, _BODY_MARKS.get(language, ""), is_type=is_type)
        if text and not text.startswith("impl"):  # that is no name
            texts[symbol.name, symbol.start] = _shorten(text)
    return texts


def _head(lines: Sequence[str], symbol: Any) -> str:
    """The text from the line with the name to the end of the parameters, in one line."""
    word = re.compile(rf"(?<![\w$]){re.escape(symbol.name.rpartition('.')[2])}(?![\w$])")
    head, angles = "", 0
    for line in lines[symbol.start - 1 : min(symbol.end, symbol.start - 1 + _MAX_LINES)]:
        if not head and not word.search(line):
            continue  # a decorator or an attribute above it
        text = _COMMENT.sub("", line).strip()
        is_tight = head.endswith(("(", "[", "<")) or text.startswith((")", "]", ">"))
        head = f"{head.removesuffix(',')}{text}" if is_tight else f"{head} {text}"
        plain = _NO_ANGLES.sub("", text)
        angles += plain.count("<") - plain.count(">")  # `class Hono<` goes on in the next line
        if head.count("(") <= head.count(")") and angles <= 0:
            break
    return _SPACES.sub(" ", head).strip()


def _cut_body(head: str, word: str, mark: str, *, is_type: bool) -> str:
    """The text up to where the body begins, after the parameters and what they return; empty for what is no function."""
    at = head.find(word) + len(word)
    if is_type:
        return head[: _end_of_type(head, at)].rstrip()
    if head.startswith("def ") and "(" not in head:  # Ruby needs no parentheses
        return head.partition(";")[0].rstrip()
    return _to_body(head, at - len(word), mark)


def _end_of_type(head: str, start: int) -> int:
    """Where the body of a type begins, or what it derives from behind a colon: parameters in brackets belong to it."""
    depth = 0
    for at in range(start, len(head)):
        char = head[at]
        depth += _depth_of(head, at)
        if depth <= 0 and (char in "{;" or head.startswith(" where ", at)):
            return at
        if depth <= 0 and char == ":" and ":" not in (head[at - 1], head[at + 1 : at + 2]):  # `Errno::EMFILE`
            return at
    return len(head)


def _to_body(head: str, start: int, mark: str) -> str:
    """The text up to the body of a function, which begins at a brace, a value or the mark of its language."""
    depth, closed = 0, False
    for at in range(start, len(head)):
        char = head[at]
        depth += _depth_of(head, at)
        if char == ")" and not depth:
            closed = True
        elif closed and depth <= 0 and mark and head.startswith(mark, at):
            return head[:at].rstrip()
        elif closed and depth <= 0 and (char in "{;" or (char == "=" and head[at + 1 : at + 2] != ">")):
            return head[:at].rstrip().removesuffix("=>").rstrip()
    return head.removesuffix("=>").rstrip().removesuffix(":").rstrip() if closed else ""


def _depth_of(head: str, at: int) -> int:
    """1 for an opening bracket, -1 for a closing one; an arrow and a comparison are none."""
    char, before, after = head[at], head[at - 1 : at], head[at + 1 : at + 2]
    if char == "<":
        return int(before.isalnum() or (before != "<" and after not in ("<", "-", "=", ":", " ")))
    if char == ">":
        return -int(before not in ("-", "=", " "))
    return (char in "([") - (char in ")]")


def _shorten(text: str) -> str:
    for pattern, tight in _LOOSE:
        text = pattern.sub(tight, text)
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1].rstrip(' ,')}…"


def _is_hidden(head: str, word: str, language: str) -> bool:
    """Whether other files cannot use it, as far as the source says."""
    if word.startswith(("_", "#")):
        return True
    if language == "rust":
        return not head.startswith(("pub ", "impl", "trait "))
    if language == "go":
        return not word[:1].isupper()
    return bool(_HIDDEN.search(head.partition(word)[0]))

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
_TYPE_BODY = re.compile(r"[{;]|(?<!:):(?!:)| where ")  # `Errno::EMFILE` is one name
_SPACES = re.compile(r"\s+")
_COMMENT = re.compile(r"\s(?:#|//)\s.*$")
_LOOSE = ((re.compile(r"([(\[]) "), r"\1"), (re.compile(r",? ([)\]])"), r"\1"))


def signatures(lines: Sequence[str], symbols: Sequence[Any], language: str) -> dict[tuple[str, int], str]:
    """By name and first line: the signatures of those symbols that other files can use, as far as the source says."""
    texts = {}
    closed: set[str] = set()  # functions, and what is private: nothing in them can be used elsewhere
    for symbol in symbols:
        outer = symbol.name.rpartition(".")[0]
        head = _head(lines, symbol) if outer not in closed else ""
        word = symbol.name.rpartition(".")[2]
        is_type = bool(_TYPE.search(head.partition(word)[0]))
        if not head or _is_hidden(head, word, language):
            closed.add(symbol.name)
            continue
        if not is_type:
            closed.add(symbol.name)
        text = _cut_body(head, word, is_type=is_type)
        if text and not text.startswith("impl"):  # that is no name
            texts[symbol.name, symbol.start] = _shorten(text)
    return texts


def _head(lines: Sequence[str], symbol: Any) -> str:
    """The text from the line with the name to the end of the parameters, in one line."""
    word = re.compile(rf"(?<![\w$]){re.escape(symbol.name.rpartition('.')[2])}(?![\w$])")
    head = ""
    for line in lines[symbol.start - 1 : min(symbol.end, symbol.start - 1 + _MAX_LINES)]:
        if not head and not word.search(line):
            continue  # a decorator or an attribute above it
        head += " " + _COMMENT.sub("", line)
        if head.count("(") <= head.count(")"):
            break
    return _SPACES.sub(" ", head).strip()


def _cut_body(head: str, word: str, *, is_type: bool) -> str:
    """The text up to where the body begins, after the parameters and what they return; empty for what is no function."""
    at = head.find(word) + len(word)
    if is_type:
        return (
            _to_body(head, at) if "(" in head[at:] else (head[:at] + _TYPE_BODY.split(head[at:])[0]).rstrip()
        )
    if head.startswith("def ") and "(" not in head:  # Ruby needs no parentheses
        return head.partition(";")[0].rstrip()
    return _to_body(head, at - len(word))


def _to_body(head: str, start: int) -> str:
    depth, closed = 0, False
    for at in range(start, len(head)):
        char = head[at]
        depth += (char in "([") - (char in ")]")
        if char == ")" and not depth:
            closed = True
        elif closed and not depth and (char in "{;" or (char == "=" and head[at + 1 : at + 2] != ">")):
            return head[:at].rstrip().removesuffix("=>").rstrip()
    return head.removesuffix("=>").rstrip().removesuffix(":").rstrip() if closed else ""


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

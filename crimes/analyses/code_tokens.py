"""Tokens of code in any language, and how far two runs of them are the same up to renaming."""

from __future__ import annotations

from collections.abc import Sequence

from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

TOKEN = regex(r'"(?:[^"\\\n]|\\.)*"' r"|'(?:[^'\\\n]|\\.)*'" r"|`(?:[^`\\\n]|\\.)*`" r"|[\w$]+|[^\s\w$,;]")
# Keywords of control flow, in any of the languages.
DECISION_KEYWORDS = frozenset({
    "if", "elif", "elsif", "elseif", "unless", "for", "foreach", "while", "until", "loop", "do",
    "switch", "case", "when", "match", "try", "except", "catch", "rescue", "select",
})  # fmt: skip
KEYWORDS = DECISION_KEYWORDS | {
    "else", "finally", "ensure", "return", "break", "continue", "raise", "throw", "yield", "await",
    "async", "with", "using", "defer", "go", "in", "not", "and", "or", "is", "new", "del", "delete",
    "as", "def", "fn", "func", "function", "lambda", "None", "null", "nil", "undefined", "True",
    "False", "true", "false", "const", "let", "var", "self", "this",
}  # fmt: skip


def same_names(first: Sequence[str], second: Sequence[str]) -> int:
    """The percentage of names that are the same; 0 if the two differ by more than consistent renaming."""
    if len(first) != len(second):
        return 0
    renamed: dict[str, str] = {}
    words = same = inconsistent = 0
    for a, b in zip(first, second, strict=True):
        if a in KEYWORDS or b in KEYWORDS or not is_word(a) or not is_word(b):
            if a != b and not (is_literal(a) and is_literal(b)):
                return 0
            continue
        words += 1
        same += a == b
        inconsistent += renamed.setdefault(a, b) != b
    return 100 * same // words if words and 20 * inconsistent <= words else 0


def is_word(token: str) -> bool:
    return token[0].isalpha() or token[0] in "_$"


def is_literal(token: str) -> bool:
    return token[0] in "\"'`" or token[0].isdigit()


def code_lines(facts: FileFacts, content: bytes) -> list[str]:
    """The lines of a file, comments left out."""
    lines = content.decode("utf-8", "replace").split("\n")
    for comment in facts.comments:
        if comment.own_line or comment.doc:
            lines[comment.line - 1 : comment.end] = [""] * (comment.end - comment.line + 1)
        elif comment.line <= len(lines):
            lines[comment.line - 1] = lines[comment.line - 1].replace(comment.text, "")
    return lines

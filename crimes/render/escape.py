"""A stranger's text inside of markdown: shown as it is written, doing nothing.

Markdown characters get a backslash. That does not stop a host from linking mentions, issues, commits and addresses,
which it looks for in the finished page; code is left alone there, so words that could be one become code.
"""

from __future__ import annotations

import re

from crimes.model.lazy_regex import regex
from crimes.model.sanitize import safe

_SPECIAL = regex(r"([\\`*_\[\]<>&|~#])")
_NUMBERED = regex("[0-9]+(?=[.)])")
_LINKED = regex(
    r"""
    [@$]                     # a mention or an address, mathematics
    | \#[0-9] | \bGH-[0-9]   # an issue
    | :// | \bwww\. | \b(?:mailto|xmpp):
    | :[\w+-]+:              # an emoji
    | \b[0-9a-f]{7,64}\b     # a commit
    """,
    re.VERBOSE | re.IGNORECASE,
)
_RUN = regex("`+")
_IN_BACKTICKS = regex("(?<!`)`([^`]+)`(?!`)")


def code(text: str) -> str:
    """A code span, with a fence longer than any run of backticks inside it."""
    shown = safe(text)
    fence = "`" * (max((len(run) for run in _RUN.findall(shown)), default=0) + 1)
    pad = " " if shown[:1] in ("`", " ", "") or shown[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def escaped(text: str, longest: int) -> str:
    """One line of text, cut to so many characters. A line break inside becomes visible."""
    return _harmless_start(_words(_cut(text, longest)))


def named(text: str, longest: int) -> str:
    """One line of our own text about a repository: names stand in backticks, and stay code."""
    pieces = enumerate(_IN_BACKTICKS.split(_cut(text, longest)))
    return _harmless_start("".join(code(piece) if at % 2 else _words(piece) for at, piece in pieces))


def quoted(text: str, longest: int) -> list[str]:
    """Text of several lines as a block quote, cut to so many characters."""
    rows = []
    for line in text.strip().splitlines():
        if longest <= 0:
            rows.append("> ...")
            break
        rows.append(f"> {escaped(line, longest)}".rstrip())
        longest -= len(line) + 1
    return rows


def _cut(text: str, longest: int) -> str:
    shown = safe(text).strip()
    return shown if len(shown) <= longest else shown[: max(longest - 3, 0)] + "..."


def _words(text: str) -> str:
    return " ".join(
        code(word) if _LINKED.search(word) else _SPECIAL.sub(r"\\\1", word) for word in text.split(" ")
    )


def _harmless_start(line: str) -> str:
    """No list, rule, underline of a heading or of a table's head, no number of a list."""
    if line.startswith(("-", "+", "=", ":")):
        return "\\" + line
    number = _NUMBERED.match(line)
    return f"{number[0]}\\{line[number.end() :]}" if number else line

"""Untrusted text inside markdown: shown as it is written, without effect.

Markdown characters get a backslash. Hosts still link mentions, issues, commits and addresses in the finished page,
except in code, so words that could be one become code.
"""

from __future__ import annotations

import re
from collections.abc import Callable

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
# Nothing in it can end a link, a cell or a line, and no user or password can stand before the host.
_ADDRESS = regex(
    r"https?://[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~%/+-]*)?(?:#[A-Za-z0-9._-]*)?"
)
_MAX_ADDRESS_CHARS = 2_000
_IN_BACKTICKS = regex("(?<!`)`([^`]+)`(?!`)")


def code_span(text: str) -> str:
    """A code span, with a fence longer than any run of backticks inside it."""
    shown = safe(text)
    fence = "`" * (max((len(run) for run in _RUN.findall(shown)), default=0) + 1)
    pad = " " if shown[:1] in ("`", " ", "") or shown[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def escape_line(text: str, max_chars: int) -> str:
    """One line of text, cut to so many characters. A line break inside becomes visible."""
    return _escape_start(_escape_words(_cut(text, max_chars)))


def escape_around_code(text: str, max_chars: int) -> str:
    """One line of our own text about a repository; names in backticks stay code."""
    return _escape_start(_escape_pieces(text, max_chars, code_span))


def table_cell(text: str, max_chars: int) -> str:
    """The same inside a table: no bar in it starts another cell."""
    return _escape_pieces(text, max_chars, code_cell)


def code_cell(text: str) -> str:
    """A code span inside a table, where even code has its bars escaped."""
    return code_span(text).replace("|", "\\|")


def linked(shown: str, address: str) -> str:
    """Text that was escaped already, as a link; without one where the address is not a harmless one."""
    return f"[{shown}]({address})" if safe_address(address) else shown


def safe_address(address: str) -> str:
    """The address of a page, if it is one and no character in it needs escaping; else empty."""
    fits = len(address) <= _MAX_ADDRESS_CHARS and _ADDRESS.fullmatch(address)
    return address if fits else ""


def block_quote(text: str, max_chars: int) -> list[str]:
    """Text of several lines as a block quote, cut to so many characters."""
    rows = []
    for line in text.strip().splitlines():
        if max_chars <= 0:
            rows.append("> ...")
            break
        rows.append(f"> {escape_line(line, max_chars)}".rstrip())
        max_chars -= len(line) + 1
    return rows


def _cut(text: str, max_chars: int) -> str:
    shown = safe(text).strip()
    return shown if len(shown) <= max_chars else shown[: max(max_chars - 3, 0)] + "..."


def _escape_pieces(text: str, max_chars: int, span: Callable[[str], str]) -> str:
    pieces = enumerate(_IN_BACKTICKS.split(_cut(text, max_chars)))
    return "".join(span(piece) if at % 2 else _escape_words(piece, span) for at, piece in pieces)


def _escape_words(text: str, span: Callable[[str], str] = code_span) -> str:
    return " ".join(
        span(word) if _LINKED.search(word) else _SPECIAL.sub(r"\\\1", word) for word in text.split(" ")
    )


def _escape_start(line: str) -> str:
    """The line without a start that makes it a list, a rule, or an underline of a heading or a table's head."""
    if line.startswith(("-", "+", "=", ":")):
        return "\\" + line
    number = _NUMBERED.match(line)
    return f"{number[0]}\\{line[number.end() :]}" if number else line

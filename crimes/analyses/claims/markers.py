"""What a text refers to beside its statements: paths, lines, symbols, error codes, quoted output."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum

from msgspec import Struct

from crimes.analyses.claims.text import Span
from crimes.model.lazy_regex import regex


class MarkerKind(StrEnum):
    """What a marker is. Only a path and a symbol can be verified."""

    PATH = "path"
    SYMBOL = "symbol"
    LINE = "line"
    ERROR = "error"
    QUOTE = "quote"
    ADDRESS = "address"


class Marker(Struct, frozen=True):
    """Something a reader can look up. `line` is the line it names in a file, 0 for none."""

    kind: MarkerKind
    text: str
    line: int
    span: Span
    sure: bool = True  # a marker even if nothing has that name; False for `and/or`


Verify = Callable[[Marker], bool]


def verify_nothing(marker: Marker) -> bool:
    """Verifies no marker: for a text without a repository."""
    return False


_CODE = regex(r"(?<!`)(`{1,3})(?!`)([^`]{1,300})\1(?!`)")
_QUOTED = regex(
    r'(?<!\w)"[^"]{1,300}"(?!\w)|\u201c[^\u201d]{1,300}\u201d|\u00ab[^\u00bb]{1,300}\u00bb'
    r"|(?<!\w)'[^'\n]{1,80}'(?!\w)|\u2018[^\u2019\n]{1,80}\u2019(?!\w)"
)
_TOKEN = regex(r"[\w./@+~:#%?=&$-]+(?:\(\))?")
_ADDRESS = regex(r"\w+://\S")
_POSITION = regex(r"(?::(\d{1,7})(?:[:-]\d+)*|#L(\d{1,7})(?:-L?\d+)?)$")
_PATH = regex(r"(?:\.{1,2}/|~/|/)?(?:[\w.@+~$-]+/)*[\w.@+~$-]*$")
_LETTER = regex(r"[^\W\d_]")
_EXTENSION = regex(r"\w\.[A-Za-z][A-Za-z0-9]{0,7}$")
_FILE_NAME = regex(
    r"[\w.+-]+\.(?:py|pyi|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|ps1|sql|mdx?|mdc|rst"
    r"|txt|jsonc?|ya?ml|toml|ini|cfg|lock|html|s?css|graphql|proto|ipynb|log)$"
)
_PRODUCT = regex(r"(?:[A-Z]\w*|node|next|nuxt|vue|three|d3|express)\.js$")
_SYMBOL = regex(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?$")
_LINE_AFTER = regex(r"[\"'`]?[\s,(]{1,3}(?:at |on )?lines? (\d{1,7})")
_LINE_BEFORE = regex(r"\blines? (\d{1,7})(?:-\d+)? (?:of|in) [\"'`]?$")
_LINE = regex(r"\blines? \d{1,7}\b", re.IGNORECASE)
_ERROR = regex(
    r"\b(?:exit (?:code|status)|error(?: code)?|status(?: code)?|errno|HTTP):? ?#?\d{1,5}\b|\b[A-Z]{1,5}-?\d{3,5}\b"
    r"|\bE(?:NOENT|ACCES|PERM|EXIST|PIPE|TIMEDOUT|ADDRINUSE|CONN(?:REFUSED|RESET|ABORTED)|NOSPC|NOMEM|BUSY|INVAL)\b"
    r"|\b[A-Za-z_]{1,60}(?:Error|Exception)\b"
)


def find_markers(text: str, within: Span) -> Iterator[Marker]:
    """Every marker in this span of a text."""
    for match in _CODE.finditer(text, within.start, within.end):
        inside, span = match[2].strip(), Span(*match.span())
        if len(inside) > 2 and _SYMBOL.match(inside) and not _FILE_NAME.match(inside):
            yield Marker(MarkerKind.SYMBOL, inside, 0, span)
        else:
            yield Marker(MarkerKind.QUOTE, inside, 0, span)
    for match in _QUOTED.finditer(text, within.start, within.end):
        yield Marker(MarkerKind.QUOTE, match[0], 0, Span(*match.span()))
    for match in _TOKEN.finditer(text, within.start, within.end):
        yield from _marker_of_word(text, match)
    for kind, pattern in ((MarkerKind.LINE, _LINE), (MarkerKind.ERROR, _ERROR)):
        for match in pattern.finditer(text, within.start, within.end):
            yield Marker(kind, match[0], 0, Span(*match.span()))


def _marker_of_word(text: str, match: re.Match[str]) -> Iterator[Marker]:
    """The path, address or symbol that a word is."""
    word = match[0].rstrip(".:?")
    span = Span(match.start(), match.start() + len(word))
    if _ADDRESS.match(word):
        yield Marker(MarkerKind.ADDRESS, word, 0, span)
        return
    if word.endswith("()") or ("_" in word.strip("_") and "/" not in word):
        if len(word) > 4 and _SYMBOL.match(word):
            yield Marker(MarkerKind.SYMBOL, word, 0, span, sure=word.endswith("()"))
        return
    position = _POSITION.search(word)
    path = word[: position.start()] if position else word
    is_file = bool(_FILE_NAME.match(path)) and not _PRODUCT.match(path)
    if not _PATH.match(path) or not (is_file or ("/" in path.strip("/") and _LETTER.search(path))):
        return
    line = int(position[1] or position[2]) if position else _line_beside(text, span)
    sure = is_file or bool(_EXTENSION.search(path))
    yield Marker(MarkerKind.PATH, path, line, span, sure)


def _line_beside(text: str, path: Span) -> int:
    """The line named right after a path, or right before it."""
    after = _LINE_AFTER.match(text, path.end)
    before = _LINE_BEFORE.search(text, max(0, path.start - 40), path.start)
    match = after or before
    return int(match[1]) if match else 0

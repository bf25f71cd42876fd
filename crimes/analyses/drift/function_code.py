"""The code of a few functions, line by line as tokens: read and split once, and only where somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from crimes.analyses.code_tokens import KEYWORDS, TOKEN, code_lines, is_literal, is_word
from crimes.analyses.drift.similar_functions import FunctionRef
from crimes.detection.context import Context
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

MIN_FUNCTION_LINES = 8  # a shorter function says too little about being a copy
MAX_CACHED_SHAPES = 1 << 15
_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

Tokens = tuple[str, ...]


class Row(NamedTuple):
    """A line that holds code."""

    line: int
    tokens: Tokens


class FunctionCode:
    """The code of the functions of a repository."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._lines: Callable[[str], list[str]] = cache(self._lines_of)
        self.rows: Callable[[FunctionRef], tuple[Row, ...]] = cache(self._rows)
        self.stripped: Callable[[str], frozenset[str]] = cache(
            lambda path: frozenset(line.strip() for line in self._lines(path))
        )
        self.positions: Callable[[FunctionRef], Mapping[Tokens, list[int]]] = cache(
            lambda function: _by_value(row.tokens for row in self.rows(function))
        )
        self.shape_positions: Callable[[FunctionRef], Mapping[Tokens, list[int]]] = cache(
            lambda function: _by_value(shape_of(row.tokens) for row in self.rows(function))
        )
        self.body_start: Callable[[FunctionRef], int] = cache(self._body_start)

    def facts(self, path: str) -> FileFacts:
        """The facts of a file."""
        return self._context.repo.files[path].facts

    def _lines_of(self, path: str) -> list[str]:
        return code_lines(self.facts(path), self._context.repo.read(path))

    def _rows(self, function: FunctionRef) -> tuple[Row, ...]:
        own = self.facts(function.path).functions[function.function]
        texts = self._lines(function.path)[own.start - 1 : own.end]
        rows = (Row(number, tuple(TOKEN.findall(text))) for number, text in enumerate(texts, own.start))
        return tuple(row for row in rows if row.tokens)

    def _body_start(self, function: FunctionRef) -> int:
        """The index of the first row after the parameter list."""
        name = self.facts(function.path).functions[function.function].name
        depth, is_open = 0, False
        for index, row in enumerate(self.rows(function)):
            is_open = is_open or name in row.tokens
            depth += row.tokens.count("(") - row.tokens.count(")") if is_open else 0
            if is_open and depth <= 0:
                return index + 1
        return 0

    def has_names(self, path: str, names: set[str]) -> bool:
        """Whether the code of a file has all of these names."""
        return names <= {token for line in self._lines(path) for token in TOKEN.findall(line)}

    def own_words(self, function: FunctionRef) -> set[str]:
        """The words in the name and the path of a function."""
        qualname = self.facts(function.path).functions[function.function].qualname
        return set(words_of(f"{function.path} {qualname}"))

    def innermost(self, function: FunctionRef, line: int) -> FunctionRef:
        """The smallest function around a line of this one that is long enough to compare."""
        around = [
            (inner.end - inner.start, index)
            for index, inner in enumerate(self.facts(function.path).functions)
            if inner.start <= line <= inner.end and inner.logic_lines >= MIN_FUNCTION_LINES
        ]
        return FunctionRef(function.path, min(around)[1]) if around else function


def _by_value(values: Iterable[Tokens]) -> Mapping[Tokens, list[int]]:
    positions: dict[Tokens, list[int]] = {}
    for index, value in enumerate(values):
        positions.setdefault(value, []).append(index)
    return positions


@lru_cache(maxsize=MAX_CACHED_SHAPES)
def shape_of(tokens: Tokens) -> Tokens:
    """The tokens of a line with names and literals left out."""
    return tuple(
        token if token in KEYWORDS else "a" if is_word(token) else '"' if is_literal(token) else token
        for token in tokens
    )


def names_in(lines: Sequence[Tokens]) -> set[str]:
    """The names in some lines."""
    return {token for line in lines for token in line if is_word(token) and token not in KEYWORDS}


def words_of(name: str) -> list[str]:
    """The words a name is made of, in small letters."""
    return [word.lower() for word in _WORD.findall(name)]

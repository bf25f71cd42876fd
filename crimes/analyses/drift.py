"""Copies that a fix did not reach: functions that still have the lines a fix replaced in a function like them.

Similar functions are candidates. The proof is in the fix itself: its new lines still stand in the one, its old lines with
those around them in the other, up to names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from crimes.analyses.code_tokens import KEYWORDS, TOKEN, code_lines, is_literal, is_word, same_names
from crimes.analyses.fix_patches import read_fixes
from crimes.analyses.history.history import HISTORY, CommitRef
from crimes.analyses.similar_functions import SHINGLES, FunctionRef, similar_pairs
from crimes.detection.context import Analysis, Context
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex
from crimes.system.git_patches import Hunk

MIN_FUNCTION_LINES = 8
MIN_SIMILAR_PERCENT = 70  # lines of the same shape
MIN_SAME_LINES_PERCENT = 40  # lines with the same names too
MIN_SAME_NAMES_PERCENT = 60  # in the lines of the proof
MAX_CONTEXT_LINES = 3
MIN_PROOF_LINES = 4
MIN_PROOF_TOKENS = 20
MIN_TELLING_TOKENS = 6  # a shorter line stands in many functions
MIN_LINE_TOKENS = 3

_COMMENT = regex(r"\s*(?://|/\*|\*(?:\s|/|$)|#(?!\s*(?:if|el|end|def|undef|include|pragma)|\[)|--\s)")
_TRAILING_COMMENT = regex(r"\s(?://|#\s)[^\"'`]*$")
_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

Tokens = tuple[str, ...]


class Row(NamedTuple):
    """A line that holds code."""

    line: int
    tokens: Tokens
    shape: Tokens  # with names and literals left out


class Drift(Struct, frozen=True):
    """A function that lacks a fix which a function like it got."""

    lacking: FunctionRef
    lacking_lines: tuple[int, int]  # that still read as before the fix
    fixed: FunctionRef
    fixed_lines: tuple[int, int]
    fix: CommitRef
    similar_percent: int


class _Edit(NamedTuple):
    """One block of changed lines, without blank lines and comments; `before` and `after` as they were before the fix."""

    before: tuple[Tokens, ...]
    removed: tuple[Tokens, ...]
    after: tuple[Tokens, ...]
    added: tuple[Tokens, ...]
    new_before: tuple[Tokens, ...]
    new_after: tuple[Tokens, ...]


def build(context: Context) -> tuple[Drift, ...]:
    """Every drift that is proven, the newest fix first."""
    history = context[HISTORY]
    pairs = list(similar_pairs(context[SHINGLES]))
    partners: dict[FunctionRef, list[FunctionRef]] = {}
    for first, second in pairs:
        partners.setdefault(first, []).append(second)
        partners.setdefault(second, []).append(first)
    by_path: dict[str, list[FunctionRef]] = {}
    for function in sorted(partners):
        by_path.setdefault(function.path, []).append(function)
    commits, hunks = read_fixes(context, history, [*by_path])
    edits = {key: tuple(edit for hunk in rows for edit in _edits(hunk)) for key, rows in hunks.items()}
    code = _Code(context)
    drifts = []
    for (sha, path), own in edits.items():
        for fixed in by_path[path]:
            standing = [edit for edit in own if _position(code, fixed, edit) is not None]
            for lacking in partners[fixed] if standing else ():
                if not _is_edited(code, lacking, edits.get((sha, lacking.path), ())):
                    drifts += _drifts(code, fixed, lacking, standing, commits[sha])
    return tuple(
        sorted(set(drifts), key=lambda drift: (-drift.fix.when.timestamp(), drift.lacking, drift.fixed))
    )


class _Code:
    """The rows of code of functions, read once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.rows = cache(self._rows)
        self.positions = cache(self._positions)
        self.shape_positions = cache(self._shape_positions)
        self.names = cache(self._names)
        self._file_rows = cache(self._rows_of_file)

    def facts(self, path: str) -> FileFacts:
        return self._context.repo.files[path].facts

    def _rows(self, function: FunctionRef) -> tuple[Row, ...]:
        own = self.facts(function.path).functions[function.function]
        return tuple(row for row in self._file_rows(function.path) if own.start <= row.line <= own.end)

    def _positions(self, function: FunctionRef) -> Mapping[Tokens, list[int]]:
        """Where each line of a function stands."""
        positions: dict[Tokens, list[int]] = {}
        for index, row in enumerate(self.rows(function)):
            positions.setdefault(row.tokens, []).append(index)
        return positions

    def _shape_positions(self, function: FunctionRef) -> Mapping[Tokens, list[int]]:
        """Where each shape of a line of a function stands."""
        positions: dict[Tokens, list[int]] = {}
        for index, row in enumerate(self.rows(function)):
            positions.setdefault(row.shape, []).append(index)
        return positions

    def _names(self, path: str) -> set[str]:
        """All names in the code of a file."""
        return _names([row.tokens for row in self._file_rows(path)])

    def own_words(self, *functions: FunctionRef) -> tuple[set[str], ...]:
        """The words in the name and the path of each function."""
        return tuple(
            set(_words(f"{path} {self.facts(path).functions[index].qualname}")) for path, index in functions
        )

    def body_start(self, function: FunctionRef) -> int:
        """The index of the first row after the parameter list."""
        name = self.facts(function.path).functions[function.function].name
        depth, is_open = 0, False
        for index, row in enumerate(self.rows(function)):
            is_open = is_open or name in row.tokens
            depth += row.tokens.count("(") - row.tokens.count(")") if is_open else 0
            if is_open and depth <= 0:
                return index + 1
        return 0

    def _rows_of_file(self, path: str) -> tuple[Row, ...]:
        lines = code_lines(self.facts(path), self._context.repo.read(path))
        return tuple(
            Row(number, tokens, _shape(tokens))
            for number, text in enumerate(lines, 1)
            if (tokens := tuple(TOKEN.findall(text)))
        )

    def innermost(self, path: str, line: int, within: FunctionRef) -> FunctionRef:
        """The smallest function around a line that is long enough to compare."""
        functions = self.facts(path).functions
        around = [
            (function.end - function.start, index)
            for index, function in enumerate(functions)
            if function.start <= line <= function.end and function.logic_lines >= MIN_FUNCTION_LINES
        ]
        return FunctionRef(path, min(around)[1]) if around else within


def _edits(hunk: Hunk) -> Iterator[_Edit]:
    """The blocks of a hunk that change code."""
    for old_start, old_end, new_start, new_end in hunk.blocks:
        removed, added = _code(hunk.old[old_start:old_end]), _code(hunk.new[new_start:new_end])
        if removed != added:
            yield _Edit(
                _code(hunk.old[:old_start])[-MAX_CONTEXT_LINES:],
                removed,
                _code(hunk.old[old_end:])[:MAX_CONTEXT_LINES],
                added,
                _code(hunk.new[:new_start])[-MAX_CONTEXT_LINES:],
                _code(hunk.new[new_end:])[:MAX_CONTEXT_LINES],
            )


def _code(lines: Sequence[str]) -> tuple[Tokens, ...]:
    """The tokens of the lines that hold code."""
    kept = (_TRAILING_COMMENT.sub("", line) for line in lines if not _COMMENT.match(line))
    return tuple(tokens for line in kept if (tokens := tuple(TOKEN.findall(line))))


def _is_edited(code: _Code, function: FunctionRef, edits: Sequence[_Edit]) -> bool:
    """Whether a fix changed this function as well: then its author saw it."""
    return any(_position(code, function, edit) is not None for edit in edits)


def _position(code: _Code, function: FunctionRef, edit: _Edit) -> int | None:
    """Where the new lines of an edit begin in the body of a function; None where they do not stand any more."""
    if edit.added and any(len(line) >= MIN_LINE_TOKENS for line in edit.added):
        wanted, offset = edit.added, 0
    else:
        wanted, offset = (*edit.new_before[-2:], *edit.added, *edit.new_after[:2]), len(edit.new_before[-2:])
    positions = code.positions(function)
    if not all(line in positions for line in wanted):
        return None
    rows, size = code.rows(function), len(wanted)
    for start in positions[wanted[0]] if wanted else ():
        if tuple(row.tokens for row in rows[start : start + size]) == wanted:
            return start + offset if start + offset >= code.body_start(function) else None
    return None


def _drifts(
    code: _Code, fixed: FunctionRef, lacking: FunctionRef, edits: Sequence[_Edit], fix: CommitRef
) -> Iterator[Drift]:
    """The blocks of a fix that the one function has and the other lacks."""
    rows, others = code.rows(fixed), code.rows(lacking)
    for edit in edits:
        at, other_at = _position(code, fixed, edit), _place_of_old_lines(code, lacking, fixed, edit)
        if at is None or other_at is None or _place_of_old_lines(code, fixed, fixed, edit) is not None:
            continue
        if _is_renaming(edit, rows) or _is_foreign(code, fixed, lacking, edit) or _has_fix(others, edit):
            continue
        near = code.innermost(fixed.path, rows[at].line, fixed)
        far = code.innermost(lacking.path, others[other_at].line, lacking)
        similar, same = _similarity(code.rows(near), code.rows(far))
        if near != far and similar >= MIN_SIMILAR_PERCENT and same >= MIN_SAME_LINES_PERCENT:
            yield Drift(
                far,
                _lines(others, other_at, len(edit.removed)),
                near,
                _lines(rows, at, len(edit.added)),
                fix,
                similar,
            )


def _lines(rows: Sequence[Row], at: int, size: int) -> tuple[int, int]:
    """First and last line of some rows; of the one at the place where there are none."""
    return rows[at].line, rows[min(at + max(size, 1), len(rows)) - 1].line


def _place_of_old_lines(code: _Code, function: FunctionRef, fixed: FunctionRef, edit: _Edit) -> int | None:
    """Where the lines that an edit replaced still stand, up to names, with enough of the lines around them."""
    if not edit.before:
        return None
    rows, size = code.rows(function), len(edit.removed)
    removed = [token for line in edit.removed for token in line]
    gone = _names(edit.removed) - _names(edit.added)
    new = _names(edit.added) - _names(edit.removed)
    for before_at in code.shape_positions(function).get(_shape(edit.before[-1]), ()):
        at = before_at + 1
        there = {token for row in rows[at : at + size] for token in row.tokens}
        if (
            not gone <= there
            or new & there
            or not _context_matches(rows, at, edit, code.own_words(fixed, function))
        ):
            continue
        found = [token for row in rows[at : at + size] for token in row.tokens]
        if _literals(found) == _literals(removed):
            return at
    return None


def _context_matches(rows: Sequence[Row], at: int, edit: _Edit, own_words: tuple[set[str], set[str]]) -> bool:
    """Whether the lines at a place and around it are the old ones of the edit, up to names."""
    size = len(edit.removed)
    old = (*edit.before, *edit.removed, *edit.after)
    shapes = [_shape(line) for line in old]
    for before, after in _CONTEXT_SIZES:
        first, last = len(edit.before) - before, len(edit.before) + size + after
        if first < 0 or last > len(old) or before > at or last - first < MIN_PROOF_LINES:
            continue
        there = rows[at - before : at + size + after]
        if shapes[first:last] != [row.shape for row in there]:
            continue
        expected = [token for line in old[first:last] for token in line]
        present = [token for row in there for token in row.tokens]
        if (
            len(expected) >= MIN_PROOF_TOKENS
            and same_names(expected, present) >= MIN_SAME_NAMES_PERCENT
            and _calls_correspond(expected, present, own_words)
        ):
            return True
    return False


def _calls_correspond(
    expected: Sequence[str], present: Sequence[str], own_words: tuple[set[str], set[str]]
) -> bool:
    """Whether every call or member has the same name, or differs in words by which the two functions are told apart.

    `redundant_index(node)` in `RedundantIndex` corresponds to `redundant_object(node)` in `RedundantObject`; `get_float`
    and `get_int` do different things.
    """
    for index, (old, new) in enumerate(zip(expected, present, strict=True)):
        if old != new and is_word(old) and _is_member(expected, index):
            first, second = set(_words(old)), set(_words(new))
            if not (first - second <= own_words[0] and second - first <= own_words[1]):
                return False
    return True


def _words(name: str) -> list[str]:
    """The words a name is made of, in small letters."""
    return [word.lower() for word in _WORD.findall(name)]


def _is_foreign(code: _Code, fixed: FunctionRef, lacking: FunctionRef, edit: _Edit) -> bool:
    """Whether an edit only changes names, to some that the file of the other function does not know."""
    if [*map(_shape, edit.removed)] != [*map(_shape, edit.added)]:
        return False
    new = _names(edit.added) - _names(edit.removed)
    return fixed.path != lacking.path and not new <= code.names(lacking.path)


_CONTEXT_SIZES = tuple(
    sorted(
        ((before, after) for before in range(1, 4) for after in range(1, 4)),
        key=lambda sizes: (-sum(sizes), -min(sizes)),
    )
)


def _has_fix(rows: Sequence[Row], edit: _Edit) -> bool:
    """Whether a function has the added lines somewhere, up to names."""
    old = {*edit.before, *edit.removed, *edit.after}
    added = [line for line in edit.added if line not in old and len(line) >= MIN_LINE_TOKENS]
    if not added:
        return False
    present = [line for line in added if any(_is_like(line, row.tokens) for row in rows)]
    return len(present) == len(added) or any(len(line) >= MIN_TELLING_TOKENS for line in present)


def _is_like(line: Tokens, other: Tokens) -> bool:
    return line == other or (len(line) == len(other) and same_names(line, other) >= MIN_SAME_NAMES_PERCENT)


def _is_renaming(edit: _Edit, rows: Sequence[Row]) -> bool:
    """Whether an edit only renames variables: the old names are gone from the function."""
    first = [token for line in edit.removed for token in line]
    second = [token for line in edit.added for token in line]
    if len(first) != len(second) or _literals(first) != _literals(second) or not same_names(first, second):
        return False
    here = _names([row.tokens for row in rows])
    for index, (old, new) in enumerate(zip(first, second, strict=True)):
        if old != new and (old in here or _is_member(first, index)):
            return False
    return True


def _is_member(tokens: Sequence[str], index: int) -> bool:
    """Whether a name is called, or belongs to something else than this function."""
    return (index > 0 and tokens[index - 1] == ".") or tokens[index + 1 : index + 2] == ["("]


def _names(lines: Sequence[Tokens]) -> set[str]:
    return {token for line in lines for token in line if is_word(token) and token not in KEYWORDS}


def _literals(tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens if is_literal(token)]


def _similarity(first: Sequence[Row], second: Sequence[Row]) -> tuple[int, int]:
    """The percentages of lines that are the same in shape, and that are the same."""
    total = len(first) + len(second)
    shapes = [Counter(row.shape for row in rows) for rows in (first, second)]
    lines = [Counter(row.tokens for row in rows) for rows in (first, second)]
    return tuple(200 * (a & b).total() // max(total, 1) for a, b in (shapes, lines))


def _shape(tokens: Tokens) -> Tokens:
    return tuple(
        token if token in KEYWORDS else "a" if is_word(token) else '"' if is_literal(token) else token
        for token in tokens
    )


DRIFTS: Analysis[tuple[Drift, ...]] = Analysis("drifted copies", build)
Fixes = Mapping[str, CommitRef]

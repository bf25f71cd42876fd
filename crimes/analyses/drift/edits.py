"""The edits of a fix: blocks of changed lines of code with the lines around them, comments and blank lines left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crimes.analyses.code_tokens import KEYWORDS, TOKEN, is_literal, is_word, same_names
from crimes.analyses.drift.function_code import Row, Tokens, names_in
from crimes.model.lazy_regex import regex
from crimes.system.git_hunks import Hunk

MAX_CONTEXT_LINES = 3
_NEAR_LINES = 12  # among which those are looked for
_CLOSING = {"(": ")", "[": "]", "{": "}"}

_COMMENT = regex(r"\s*(?://|/\*|\*(?:\s|/|$)|#(?!\s*(?:if|el|end|def|undef|include|pragma)|\[)|--\s)")
_TRAILING_COMMENT = regex(r"\s(?://|#\s)[^\"'`]*$")


class Edit(NamedTuple):
    """One block of changed lines; `before` and `after` as they were before the fix."""

    before: tuple[Tokens, ...]
    removed: tuple[Tokens, ...]
    after: tuple[Tokens, ...]
    added: tuple[Tokens, ...]
    new_before: tuple[Tokens, ...]
    new_after: tuple[Tokens, ...]


def edits_of(hunk: Hunk, present: frozenset[str]) -> Iterator[Edit]:
    """The blocks of a hunk that change code and are all there: `present` are the lines of the file as it is."""
    return edits_in(
        hunk._replace(
            blocks=tuple(
                block
                for block in hunk.blocks
                if all(
                    line.strip() in present
                    for line in hunk.new[block[2] : block[3]]
                    if not _COMMENT.match(line)
                )
            )
        )
    )


def edits_in(hunk: Hunk) -> Iterator[Edit]:
    """The blocks of a hunk that change code."""
    for old_start, old_end, new_start, new_end in hunk.blocks:
        removed, added = _code(hunk.old[old_start:old_end]), _code(hunk.new[new_start:new_end])
        if removed != added:
            yield Edit(
                before=_code(hunk.old[max(old_start - _NEAR_LINES, 0) : old_start])[-MAX_CONTEXT_LINES:],
                removed=removed,
                after=_code(hunk.old[old_end : old_end + _NEAR_LINES])[:MAX_CONTEXT_LINES],
                added=added,
                new_before=_code(hunk.new[max(new_start - _NEAR_LINES, 0) : new_start])[-MAX_CONTEXT_LINES:],
                new_after=_code(hunk.new[new_end : new_end + _NEAR_LINES])[:MAX_CONTEXT_LINES],
            )


def _code(lines: Sequence[str]) -> tuple[Tokens, ...]:
    """The tokens of the lines that hold code."""
    texts = (_TRAILING_COMMENT.sub("", line) for line in lines if not _COMMENT.match(line))
    return tuple(tokens for text in texts if (tokens := tuple(TOKEN.findall(text))))


def is_renaming(edit: Edit, rows: Sequence[Row]) -> bool:
    """Whether an edit only renames variables: the old names are gone from the function."""
    old, new = joined(edit.removed), joined(edit.added)
    if len(old) != len(new) or literals_in(old) != literals_in(new) or not same_or_renamed(old, new):
        return False
    here = names_in([row.tokens for row in rows])
    return not any(
        before != after and (before in here or is_member(old, index))
        for index, (before, after) in enumerate(zip(old, new, strict=True))
    )


def unknown_variables(edit: Edit, rows: Sequence[Row]) -> set[str]:
    """Variables that the added lines use, and that neither they nor a function assign or mention."""
    tokens = joined(edit.added)
    assigned = {
        token
        for index, token in enumerate(tokens)
        if tokens[index + 1 : index + 3] == [":", "="]
        or (tokens[index + 1 : index + 2] == ["="] and tokens[index + 2 : index + 3] != ["="])
    }
    used = {
        token
        for index, token in enumerate(tokens)
        if token[0].islower() and token not in KEYWORDS and not is_member(tokens, index)
    }
    return used - assigned - names_in([row.tokens for row in rows])


def is_assertion(edit: Edit) -> bool:
    """Whether an edit only concerns assertions: what one copy is tested for need not hold for the other."""
    return all(line[0] == "assert" for line in (*edit.removed, *edit.added))


def is_in_arguments(rows: Sequence[Row], at: int) -> bool:
    """Whether a row continues a list of arguments or elements: what is added there belongs to one call or table."""
    open_brackets: list[str] = []
    for row in rows[:at]:
        for token in row.tokens:
            if token in _CLOSING:
                open_brackets.append(token)
            elif open_brackets and token == _CLOSING[open_brackets[-1]]:
                open_brackets.pop()
    return bool(open_brackets) and open_brackets[-1] != "{"


def same_or_renamed(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether every name of the one is always the same name in the other."""
    renamed: dict[str, str] = {}
    return len(first) == len(second) and all(
        renamed.setdefault(a, b) == b if is_word(a) and is_word(b) else a == b
        for a, b in zip(first, second, strict=True)
    )


def is_member(tokens: Sequence[str], index: int) -> bool:
    """Whether a name is called, or belongs to something outside the function."""
    return (index > 0 and tokens[index - 1] == ".") or tokens[index + 1 : index + 2] == ["("]


def joined(lines: Sequence[Tokens]) -> list[str]:
    """The tokens of all lines in a row."""
    return [token for line in lines for token in line]


def literals_in(tokens: Sequence[str]) -> list[str]:
    """The strings and numbers among tokens."""
    return [token for token in tokens if is_literal(token)]


def is_like(line: Tokens, other: Tokens, min_same_percent: int) -> bool:
    """Whether two lines are the same up to a few names."""
    return line == other or (len(line) == len(other) and same_names(line, other) >= min_same_percent)

"""Functions that still have the lines a fix replaced in a function like them.

Similar functions are candidates. The proof is in the fix itself: its new lines still stand in the one, its old lines with
those around them in the other, up to names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, msgpack

from crimes.analyses.code_tokens import is_word, same_names
from crimes.analyses.drift.edits import (
    Edit,
    edits_of,
    is_assertion,
    is_in_arguments,
    is_like,
    is_member,
    is_renaming,
    joined,
    literals_in,
    unknown_variables,
)
from crimes.analyses.drift.fix_patches import FixOf, fixes_of, read_hunks
from crimes.analyses.drift.function_code import FunctionCode, Row, Tokens, names_in, shape_of, words_of
from crimes.analyses.drift.similar_functions import SHINGLES, FunctionRef, similar_pairs
from crimes.analyses.history.fixes import CommitRef
from crimes.analyses.history.history import HISTORY
from crimes.detection.context import Analysis, Context
from crimes.incremental.query import load, save
from crimes.model.digests import digest_of

# Lines of the same shape in both functions. Old lines that still stand are proof by themselves; where a fix only added or
# only removed lines, the functions have to be more alike.
MIN_SIMILAR_PERCENT = 55
MIN_SIMILAR_PERCENT_ADDED = 65
MIN_SIMILAR_PERCENT_REMOVED = 70
MIN_SAME_LINES_PERCENT = 25  # lines with the same names too
MIN_SAME_NAMES_PERCENT = 60  # in the lines of the proof
MIN_PROOF_LINES = 3
MIN_PROOF_TOKENS = 15
MIN_TELLING_TOKENS = 6  # a shorter line stands in many functions
MIN_LINE_TOKENS = 3
_MEMO = "drifts"
_CONTEXT_SIZES = sorted(
    ((before, after) for before in (1, 2, 3) for after in (1, 2, 3)),
    key=lambda sizes: (-sum(sizes), -min(sizes)),
)


class Drift(Struct, frozen=True, array_like=True):
    """A function that lacks a part of a fix which a function like it has. Functions are indexes into the facts."""

    lacking: FunctionRef
    lacking_lines: tuple[int, int]  # that still read as before the fix
    fixed: FunctionRef
    fixed_lines: tuple[int, int]
    adds: bool  # whether `fixed_lines` are new; else they only follow what was removed
    removes: bool  # whether `lacking_lines` were replaced; else the new lines are missing before them
    fix: CommitRef
    similar_percent: int


def build(context: Context) -> tuple[Drift, ...]:
    """Every drift that is proven, the newest fix first."""
    history = context[HISTORY]
    partners: dict[FunctionRef, list[FunctionRef]] = {}
    for first, second in similar_pairs(context[SHINGLES]):
        if not (_is_text(first.path) and _is_text(second.path)):
            continue
        partners.setdefault(first, []).append(second)
        partners.setdefault(second, []).append(first)
    paths = sorted({function.path for function in partners})
    fixes = fixes_of(history, paths)
    memory = context.memory
    contents = [memory.content_key(path) for path in paths] if memory else []
    key = digest_of(msgpack.encode((sorted(fixes), sorted(partners), contents))) if all(contents) else b""
    saved = load(memory, _MEMO, tuple[bytes, tuple[Drift, ...]]) if memory and key else None
    if saved and saved[0] == key:
        return tuple(saved[1])
    drifts = _find(context, partners, fixes)
    if memory and key:
        save(memory, _MEMO, (key, drifts))
    return drifts


def _is_text(path: str) -> bool:
    """Whether a name is UTF-8; results about others could not be saved."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _find(
    context: Context,
    partners: Mapping[FunctionRef, Sequence[FunctionRef]],
    fixes: Mapping[FixOf, CommitRef],
) -> tuple[Drift, ...]:
    code = FunctionCode(context)
    edits = {
        key: [edit for hunk in hunks for edit in edits_of(hunk, code.stripped(key[1]))]
        for key, hunks in read_hunks(context, sorted(fixes)).items()
    }
    by_path: dict[str, list[FunctionRef]] = {}
    for function in sorted(partners):
        by_path.setdefault(function.path, []).append(function)
    drifts: list[Drift] = []
    for (sha, path), own in edits.items():
        for fixed in by_path[path] if own else ():
            standing = [edit for edit in own if _place_of_new_lines(code, fixed, edit) is not None]
            for lacking in partners[fixed] if standing else ():
                other_edits = edits.get((sha, lacking.path), ())
                if all(_place_of_new_lines(code, lacking, edit) is None for edit in other_edits):
                    drifts += _drifts(code, fixed, lacking, standing, fixes[sha, path])
    return tuple(
        sorted(
            set(drifts),
            key=lambda drift: (-drift.fix.when.timestamp(), drift.lacking, drift.fixed, drift.lacking_lines),
        )
    )


def _place_of_new_lines(code: FunctionCode, function: FunctionRef, edit: Edit) -> int | None:
    """Where the new lines of an edit begin in the body of a function; None where they do not stand any more."""
    if any(len(line) >= MIN_LINE_TOKENS for line in edit.added):
        wanted, offset = edit.added, 0
    else:
        before = edit.new_before[-2:]
        wanted, offset = (*before, *edit.added, *edit.new_after[:2]), len(before)
    positions = code.positions(function)
    if not wanted or not all(line in positions for line in wanted):
        return None
    rows, size = code.rows(function), len(wanted)
    for start in positions[wanted[0]]:
        if tuple(row.tokens for row in rows[start : start + size]) == wanted:
            at = min(start + offset, len(rows) - 1)
            return at if at >= code.body_start(function) else None
    return None


def _drifts(
    code: FunctionCode, fixed: FunctionRef, lacking: FunctionRef, edits: Sequence[Edit], fix: CommitRef
) -> list[Drift]:
    """The edits of a fix that the one function has and the other lacks; none where most of the fix does not apply."""
    drifts = [drift for edit in edits if (drift := _drift(code, fixed, lacking, edit, fix)) is not None]
    rows = code.rows(lacking)
    applicable = sum(not _has_fix(rows, edit) for edit in edits)
    return drifts if 2 * len(drifts) >= applicable else []


def _drift(
    code: FunctionCode, fixed: FunctionRef, lacking: FunctionRef, edit: Edit, fix: CommitRef
) -> Drift | None:
    rows, others = code.rows(fixed), code.rows(lacking)
    at, other_at = _place_of_new_lines(code, fixed, edit), _place_of_old_lines(code, fixed, lacking, edit)
    if at is None or other_at is None:
        return None
    own_at = _place_of_old_lines(code, fixed, fixed, edit)
    if own_at is not None and not at <= own_at <= at + len(edit.added):
        return None  # another place of the fixed function was left as it is
    if is_assertion(edit) or is_renaming(edit, rows):
        return None
    if not edit.removed and (is_in_arguments(rows, at) or unknown_variables(edit, others)):
        return None
    if _is_foreign(code, fixed, lacking, edit) or _has_fix(others, edit):
        return None
    near, far = code.innermost(fixed, rows[at].line), code.innermost(lacking, others[other_at].line)
    similar, same = _similarity(code.rows(near), code.rows(far))
    if near == far or similar < _min_similar(edit) or same < MIN_SAME_LINES_PERCENT:
        return None
    return Drift(
        lacking=far,
        lacking_lines=_lines(others, other_at, len(edit.removed)),
        fixed=near,
        fixed_lines=_lines(rows, at, len(edit.added)),
        adds=bool(edit.added),
        removes=bool(edit.removed),
        fix=fix,
        similar_percent=similar,
    )


def _min_similar(edit: Edit) -> int:
    if edit.removed and edit.added:
        return MIN_SIMILAR_PERCENT
    return MIN_SIMILAR_PERCENT_REMOVED if edit.removed else MIN_SIMILAR_PERCENT_ADDED


def _lines(rows: Sequence[Row], at: int, size: int) -> tuple[int, int]:
    """First and last line of some rows; of the one at the place where there are none."""
    return rows[at].line, rows[min(at + max(size, 1), len(rows)) - 1].line


def _place_of_old_lines(
    code: FunctionCode, fixed: FunctionRef, function: FunctionRef, edit: Edit
) -> int | None:
    """Where the lines that an edit replaced still stand, up to names, with enough of the lines around them."""
    if not edit.before:
        return None
    rows, size = code.rows(function), len(edit.removed)
    old_literals = literals_in(joined(edit.removed))
    gone = names_in(edit.removed) - names_in(edit.added)
    new = names_in(edit.added) - names_in(edit.removed)
    for before_at in code.shape_positions(function).get(shape_of(edit.before[-1]), ()):
        at = before_at + 1
        there = joined([row.tokens for row in rows[at : at + size]])
        if (
            gone.issubset(there)
            and new.isdisjoint(there)
            and literals_in(there) == old_literals
            and _surroundings_match(code, fixed, function, at, edit)
        ):
            return at
    return None


def _surroundings_match(
    code: FunctionCode, fixed: FunctionRef, function: FunctionRef, at: int, edit: Edit
) -> bool:
    """Whether the lines at a place and around it are the old ones of the edit, up to names."""
    rows, size = code.rows(function), len(edit.removed)
    old = (*edit.before, *edit.removed, *edit.after)
    shapes = [*map(shape_of, old)]
    for before, after in _CONTEXT_SIZES:
        first, last = len(edit.before) - before, len(edit.before) + size + after
        if first < 0 or last > len(old) or before > at or last - first < MIN_PROOF_LINES:
            continue
        there = [row.tokens for row in rows[at - before : at + size + after]]
        if shapes[first:last] != [*map(shape_of, there)]:
            continue
        expected, present = joined(old[first:last]), joined(there)
        if (
            len(expected) >= MIN_PROOF_TOKENS
            and same_names(expected, present) >= MIN_SAME_NAMES_PERCENT
            and _calls_correspond(expected, present, code.own_words(fixed), code.own_words(function))
        ):
            return True
    return False


def _calls_correspond(
    expected: Sequence[str], present: Sequence[str], own_words: set[str], other_words: set[str]
) -> bool:
    """Whether every call or member has the same name, or differs in words by which the two functions are told apart.

    `redundant_index(node)` in `RedundantIndex` corresponds to `redundant_object(node)` in `RedundantObject`; `get_float`
    and `get_int` do different things.
    """
    for index, (old, new) in enumerate(zip(expected, present, strict=True)):
        if old != new and is_word(old) and is_member(expected, index):
            first, second = set(words_of(old)), set(words_of(new))
            if not (first - second <= own_words and second - first <= other_words):
                return False
    return True


def _is_foreign(code: FunctionCode, fixed: FunctionRef, lacking: FunctionRef, edit: Edit) -> bool:
    """Whether an edit only changes names, to some that the file of the other function does not know."""
    if fixed.path == lacking.path or [*map(shape_of, edit.removed)] != [*map(shape_of, edit.added)]:
        return False
    return not code.has_names(lacking.path, names_in(edit.added) - names_in(edit.removed))


def _has_fix(rows: Sequence[Row], edit: Edit) -> bool:
    """Whether a function has the added lines somewhere, up to names."""
    old = {*edit.before, *edit.removed, *edit.after}
    added = [line for line in edit.added if line not in old and len(line) >= MIN_LINE_TOKENS]
    present = [
        line for line in added if any(is_like(line, row.tokens, MIN_SAME_NAMES_PERCENT) for row in rows)
    ]
    if not present:
        return False
    return len(present) == len(added) or any(len(line) >= MIN_TELLING_TOKENS for line in present)


def _similarity(first: Sequence[Row], second: Sequence[Row]) -> tuple[int, int]:
    """The percentages of lines that are the same in shape, and that are the same."""
    total = max(len(first) + len(second), 1)
    shapes = [Counter(shape_of(row.tokens) for row in rows) for rows in (first, second)]
    lines = [Counter[Tokens](row.tokens for row in rows) for rows in (first, second)]
    return 200 * (shapes[0] & shapes[1]).total() // total, 200 * (lines[0] & lines[1]).total() // total


DRIFTS: Analysis[tuple[Drift, ...]] = Analysis("drifts", build)

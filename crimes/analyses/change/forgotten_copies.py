"""Copies of the same code of which a change edits some and not the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from crimes.analyses.change.lost_names import Changes
from crimes.analyses.change.state import State


class CopyPlace(Struct, frozen=True, order=True):
    """One of several copies, in the earlier state."""

    file: str
    start: int
    end: int
    symbol: str = ""


class ForgottenCopies(Struct, frozen=True):
    """A copy that was edited, and those that were not, with their present lines."""

    edited: CopyPlace
    others: tuple[CopyPlace, ...]


def find_forgotten_copies(
    before: State, after: State, changes: Changes, groups: Iterable[Sequence[CopyPlace]]
) -> list[ForgottenCopies]:
    """Groups of which some copies were edited and others were not. The states need to hold the changed files only."""
    results = []
    for group in groups:
        present = {copy: _present_lines(before, after, changes, copy) for copy in group}
        edited = [
            copy for copy, now in present.items() if now is None and _is_still_there(after, changes, copy)
        ]
        others = [now for now in present.values() if now is not None]
        if edited and others:
            results.append(ForgottenCopies(edited[0], tuple(sorted(others))))
    return results


def _present_lines(before: State, after: State, changes: Changes, copy: CopyPlace) -> CopyPlace | None:
    """Where a copy is now, if its code is the same; None if it was edited or is gone."""
    now = changes.now(copy.file)
    if now == copy.file and now not in changes.touched:
        return copy
    former = before.code(copy.file)[copy.start - 1 : copy.end]
    numbered = [(n, line.strip()) for n, line in enumerate(after.code(now), start=1) if line.strip()]
    wanted = [line.strip() for line in former if line.strip()]
    texts = [text for _, text in numbered]
    for at in range(len(texts) - len(wanted) + 1):
        if wanted and texts[at] == wanted[0] and texts[at : at + len(wanted)] == wanted:
            return CopyPlace(now, numbered[at][0], numbered[at + len(wanted) - 1][0], copy.symbol)
    return None


def _is_still_there(after: State, changes: Changes, copy: CopyPlace) -> bool:
    """Whether the function of a copy is still there: one that was deleted has no code to keep alike."""
    facts = after.facts(changes.now(copy.file))
    if facts is None:
        return False
    return not copy.symbol or any(function.qualname == copy.symbol for function in facts.functions)

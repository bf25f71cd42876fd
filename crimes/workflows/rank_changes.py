"""Files that a change moved to another place among the ranked files: those that moved a lot.

Much is a twentieth of all ranked files and at least three places, with one of the two places among the riskiest fifth: farther down,
files are so alike that a few lines move one past many others. Only files that the change touched are looked at, because the places of the
others move with time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from crimes.model.edit_risk import RankedFile, RankedFiles

MIN_MOVED_PLACES = 3
MIN_MOVED_SHARE = 0.05  # of all ranked files
MAX_PLACE_SHARE = 0.2  # of all ranked files: a place beyond says little


class RankChange(Struct, frozen=True):
    """A file whose place among the ranked files moved a lot."""

    file: str  # path from the root, in the later state
    was: RankedFile | None  # the file in the earlier state; null when it is new
    now: RankedFile  # the file in the later state
    ranked: int  # files that were ranked in the later state


def rank_changes(
    before: RankedFiles, now: RankedFiles, touched: Collection[str], renamed: Mapping[str, str]
) -> tuple[RankChange, ...]:
    """The touched files whose place moved a lot, the riskiest first; none where history is limited."""
    if comparison_fault(before, now):
        return ()
    return tuple(_changes(before, now, touched, renamed))


def comparison_fault(before: RankedFiles, now: RankedFiles) -> str:
    """Why the places cannot be compared; empty when they can."""
    withheld = now.withheld or before.withheld
    if withheld:
        return f"edit risk is not compared: {withheld}"
    reason = now.history_limited or before.history_limited
    return f"edit risk is not compared, history_limited: {reason}" if reason else ""


def _changes(
    before: RankedFiles, now: RankedFiles, touched: Collection[str], renamed: Mapping[str, str]
) -> Iterator[RankChange]:
    earlier = {file.file: file for file in before.files}
    shortest = max(MIN_MOVED_PLACES, MIN_MOVED_SHARE * now.ranked)
    first = max(1.0, MAX_PLACE_SHARE * now.ranked)
    for file in now.files:
        if file.file not in touched:
            continue
        was = earlier.get(renamed.get(file.file, file.file))
        if was is None:
            moved = file.rank <= first and now.ranked > MIN_MOVED_PLACES
        else:
            moved = abs(file.rank - was.rank) >= shortest and min(file.rank, was.rank) <= first
        if moved:
            yield RankChange(file.file, was, file, now.ranked)

"""What edit risk needs of a file's past: commits and fix commits, each weighing less the older it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from crimes.model.edit_risk import COMMIT_HALF_LIFE_DAYS, FIX_HALF_LIFE_DAYS, HORIZON_DAYS, age_weight

_DAY_SECONDS = 86_400
MONTHS = 12
_MONTH_DAYS = 365 / MONTHS


class PastEdits(Struct, frozen=True):
    """The commits of a file that are not by bots, and those of them that call themselves fixes.

    A fix of more than 30 source files counts as a commit only. What `fixes.py` reads to tell real fixes from others is not
    used: how much of it is read depends on other files.
    """

    commits: float = 0.0  # each weighing half after 180 days
    fixes: float = 0.0  # each weighing half after 730 days
    commits_365d: int = 0
    fixes_365d: int = 0
    fixes_180d: int = 0
    # Those of 365 days in twelve equal parts, the oldest first; empty when there are none.
    commits_by_month: tuple[int, ...] = ()
    fixes_by_month: tuple[int, ...] = ()


NO_EDITS = PastEdits()


class CountedCommit(NamedTuple):
    """A commit that counts as a change of its files."""

    person: str  # the author; empty for a bot
    age_days: float
    weight: float
    fix_weight: float  # 0 when it is no fix


def counted_commit(person: str, age_seconds: int, *, is_fix: bool) -> CountedCommit:
    """A commit with its weights; that of a bot weighs nothing."""
    days = age_seconds / _DAY_SECONDS
    return CountedCommit(
        person=person,
        age_days=days,
        weight=age_weight(days, COMMIT_HALF_LIFE_DAYS) if person else 0.0,
        fix_weight=age_weight(days, FIX_HALF_LIFE_DAYS) if person and is_fix else 0.0,
    )


def past_edits(commits: Iterable[CountedCommit]) -> PastEdits:
    """The sums over the commits of a file."""
    weight = fix_weight = 0.0
    fixes_180d = 0
    by_month, fixes_by_month = [0] * MONTHS, [0] * MONTHS
    for commit in commits:
        weight += commit.weight
        recent = commit.age_days <= 365
        month = MONTHS - 1 - min(int(max(commit.age_days, 0) / _MONTH_DAYS), MONTHS - 1)
        by_month[month] += recent and bool(commit.person)
        if commit.fix_weight:
            fix_weight += commit.fix_weight
            fixes_by_month[month] += recent
            fixes_180d += commit.age_days <= HORIZON_DAYS
    return PastEdits(
        commits=weight,
        fixes=fix_weight,
        commits_365d=sum(by_month),
        fixes_365d=sum(fixes_by_month),
        fixes_180d=fixes_180d,
        commits_by_month=tuple(by_month) if any(by_month) else (),
        fixes_by_month=tuple(fixes_by_month) if any(fixes_by_month) else (),
    )

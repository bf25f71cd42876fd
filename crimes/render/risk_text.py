"""Edit risk in words. Standard library only: the hook passes plain objects with the same attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crimes.model.wording import count, ordinal

if TYPE_CHECKING:
    from crimes.model.edit_risk import RankedFile
    from crimes.workflows.rank_changes import RankChange

LIMITED = "history is limited"
YEAR = "the year before the last commit"
YEAR_OF_EACH = "commits and fixes are counted in the year before the last commit of each repository"


def risk_sentence(file: RankedFile, ranked: int, year: str = "the past year") -> str:
    """The file's place, how likely a fix is, and what both rest on: what a briefing opens with."""
    place = f"{ordinal(file.rank)} of {count(ranked, 'file')}"
    if not file.band:
        return f"{place} by size, complexity and visible commits ({LIMITED}): {counts_text(file, year)}"
    return f"{place}; {share_text(file.band)} within six months: {counts_text(file, year)}"


def share_text(band: str, which: str = "this") -> str:
    """How many files need a fix: "about 1 in 4 files like this needs a fix"."""
    number = band.removeprefix("under ")
    if number != band:
        return f"fewer than {number} files like {which} need a fix"
    return f"{band} files like {which} {'needs' if ' 1 in ' in band else 'need'} a fix"


def band_text(band: str) -> str:
    """The band of a file in a list that names the period: "about 1 in 4 files like it needs a fix"; empty without a band."""
    return share_text(band, "it") if band else ""


def edit_risk_text(file: RankedFile) -> str:
    """What a file is ranked by, and its band: "edit risk 31.42 (about 3 in 4 files like it need a fix)"."""
    band = f" ({band_text(file.band)})" if file.band else ""
    return f"edit risk {file.edit_risk:.2f}{band}"


def counts_text(file: RankedFile, year: str = "the past year") -> str:
    """Commits, fixes, complexity and size of a file; without what there is none of.

    `year` is the year in words, for a page that does not name the day it ends on. Where history is limited, it is not known as a whole.
    """
    window = f"in {year}" if file.band else "visible"
    if file.commits_365d:
        past = f"{commits_text(file.commits_365d, file.fixes_365d)} {window}"
    else:
        past = f"no commits in {year}" if file.band else ""
    complexity = f"complexity {file.complexity:,} in " if file.complexity else ""
    return "; ".join(filter(None, (past, f"{complexity}{count(file.lines, 'line')} of code")))


def commits_text(commits: int, fixes: int) -> str:
    """How many commits there are, and how many of them are fixes: "12 commits, 3 of them fixes,"."""
    if not fixes:
        return count(commits, "commit")
    if commits == 1:
        return "1 commit, a fix,"
    number = "all" if fixes == commits else f"{fixes:,}"
    return f"{count(commits, 'commit')}, {number} of them {'a fix' if fixes == 1 else 'fixes'},"


def rank_change_text(change: RankChange) -> str:
    """Where a file was and is, and the counts that changed: "from 40th to 12th of 215 files by edit risk: 90 to 120 lines"."""
    was, now = change.was, change.now
    if was is None:
        return f"new, {ordinal(now.rank)} of {count(change.ranked, 'file')} by edit risk: {counts_text(now, YEAR)}"
    counts = (
        ("{} to {} lines", was.lines, now.lines),
        ("complexity {} to {}", was.complexity, now.complexity),
        (f"{{}} to {{}} commits in {YEAR}", was.commits_365d, now.commits_365d),
        (f"{{}} to {{}} fixes in {YEAR}", was.fixes_365d, now.fixes_365d),
    )
    changed = [text.format(f"{before:,}", f"{after:,}") for text, before, after in counts if before != after]
    places = f"from {ordinal(was.rank)} to {ordinal(now.rank)} of {count(change.ranked, 'file')} by edit risk"
    return f"{places}: {', '.join(changed)}" if changed else places

"""Edit risk in words. Standard library only: the hook passes plain objects with the same attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crimes.model.wording import count, ordinal

if TYPE_CHECKING:
    from crimes.model.edit_risk import RankedFile
    from crimes.workflows.rank_changes import RankChange

LIMITED = "history_limited"


def risk_sentence(file: RankedFile, ranked: int) -> str:
    """The file's place, how likely a fix is, and what both rest on: what a briefing opens with."""
    place = f"{ordinal(file.rank)} of {ranked:,}"
    if not file.band:
        return f"{place} by size, complexity and visible commits ({LIMITED}): {counts_text(file)}"
    return f"{place}; {share_text(file.band)} within six months: {counts_text(file)}"


def share_text(band: str, which: str = "this") -> str:
    """How many files need a fix: "about 1 in 4 files like this needs a fix"."""
    number = band.removeprefix("under ")
    if number != band:
        return f"fewer than {number} files like {which} need a fix"
    return f"{band} files like {which} {'needs' if ' 1 in ' in band else 'need'} a fix"


def counts_text(file: RankedFile) -> str:
    """Commits, fixes, complexity and size of a file; without what there is none of.

    Where history is limited, a year is not known as a whole.
    """
    commits = count(file.commits_365d, "commit") if file.commits_365d else ""
    fixes = count(file.fixes_365d, "fix", "fixes") if file.fixes_365d else ""
    window = "in a year" if file.band else "visible"
    past = f"{' and '.join(filter(None, (commits, fixes)))} {window}" if commits else ""
    if not past and file.band:
        past = "no commits in a year"
    complexity = f"complexity {file.complexity:,} in " if file.complexity else ""
    return ", ".join(filter(None, (past, f"{complexity}{count(file.lines, 'line')}")))


def rank_change_text(change: RankChange) -> str:
    """Where a file was and is, and the counts that changed: "40th to 12th of 215; complexity 100 to 300"."""
    was, now = change.was, change.now
    if was is None:
        return f"new, {ordinal(now.rank)} of {change.ranked:,} by edit risk: {counts_text(now)}"
    counts = (
        ("lines", was.lines, now.lines),
        ("complexity", was.complexity, now.complexity),
        ("commits in a year", was.commits_365d, now.commits_365d),
        ("fixes in a year", was.fixes_365d, now.fixes_365d),
    )
    changed = [f"{name} {before:,} to {after:,}" for name, before, after in counts if before != after]
    places = f"{ordinal(was.rank)} to {ordinal(now.rank)} of {change.ranked:,} by edit risk"
    return f"{places}: {', '.join(changed)}" if changed else places

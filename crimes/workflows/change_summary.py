"""What a host shows of a change besides its new findings: the verdict, the totals, and which lines changed."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from crimes.model.errors import EnvironmentFault
from crimes.model.wording import count
from crimes.system import git
from crimes.system.git_diff import Change, difference, untracked_files

if TYPE_CHECKING:
    from crimes.model.change import ChangeItem
    from crimes.model.report import Crime
    from crimes.tracking.baseline import BaselineCheck
    from crimes.workflows.comparison import Comparison


class ChangeSummary(Struct, frozen=True):
    """One change. `changes` is None where no diff is known: then every line counts as changed."""

    verdict: str
    changes: Mapping[str, Change] | None = None  # by file, as findings name it
    broken: tuple[ChangeItem, ...] = ()  # what the change broke: annotated at every place, changed or not
    look: tuple[ChangeItem, ...] = ()  # what to look at: listed, never annotated

    def line_of(self, crime: Crime) -> int | None:
        """The line to annotate: the first changed one of the finding; None where the change touched none of it."""
        if self.changes is None:
            return crime.lines.start
        return changed_line(crime, self.changes.get(crime.file))


def changed_line(crime: Crime, change: Change | None) -> int | None:
    """The first new line of what the finding is about: its symbol, or the whole file."""
    if change is None:
        return None
    if not crime.symbol and crime.lines.end == 1:
        return change.added[0].start if change.added else None
    return change.first_added(crime.lines.start, crime.lines.end)


def summarise_change(root: Path, comparison: Comparison, head: str) -> ChangeSummary:
    """The summary of a comparison; `head` is empty where the later state is the work tree."""
    base = comparison.base.commit
    changes = _changed_lines(root, base, comparison.head.commit if head else "") if base else None
    return ChangeSummary(comparison.verdict.line, changes, comparison.broken, comparison.look)


def summarise_check(checked: BaselineCheck) -> ChangeSummary:
    """The summary of a report that was compared with a baseline."""
    new = f"{count(len(checked.new), 'finding')} not in the baseline"
    return ChangeSummary(f"{new}, {checked.known:,} known, {len(checked.stale):,} fixed")


def _changed_lines(root: Path, base: str, head: str) -> Mapping[str, Change]:
    """Every changed file with its new lines; of a file that git does not know yet, all lines are new."""
    with git.unavailable_as(EnvironmentFault, f"{base[:12]} cannot be compared"):
        changes = dict(difference(root, base, head).changes)
        untracked = set() if head else untracked_files(root)
    whole = (range(1, sys.maxsize),)
    return changes | {path: Change(path, path, added=whole) for path in untracked}

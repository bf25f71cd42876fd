"""What an edit did: findings that are new or gone, files that usually change with the edited ones and did not, tests that reach it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from crimes.model.errors import EnvironmentFault, Unavailable
from crimes.model.report import Crime, Gate
from crimes.system import git
from crimes.system.git_diff import Change, difference
from crimes.workflows.briefing.command import without_parts
from crimes.workflows.briefing.record import Briefing
from crimes.workflows.comparison import Comparison

SCHEMA_VERSION = "1.0"
_TIED = 3  # commits together
_SHARE = 0.4  # of the commits of an edited file
_FORGOTTEN = 12


class Forgotten(Struct, frozen=True):
    """A file that was not edited, though it changed in `commits` of the last `of` commits of one that was."""

    file: str
    edited: str
    commits: int
    of: int


class Check(Struct, frozen=True):
    """The work tree against HEAD. Lists are sorted worst or most likely first."""

    schema_version: str
    base: str
    line: str  # the verdict in a line
    edited: tuple[str, ...]
    new: tuple[Crime, ...]
    fixed: tuple[Crime, ...]
    forgotten: tuple[Forgotten, ...]
    commands: tuple[str, ...]
    tests: tuple[str, ...]
    warnings: tuple[str, ...]
    gate: Gate | None


class Edits(Struct, frozen=True):
    """What differs from HEAD: files that git tracks, and files that it does not know yet."""

    changes: tuple[Change, ...]
    untracked: frozenset[str]

    def files(self) -> tuple[str, ...]:
        """All of them, sorted."""
        return tuple(sorted({*(change.path for change in self.changes), *self.untracked}))


def edits_in(root: Path) -> Edits:
    """EnvironmentFault when git cannot tell."""
    try:
        changes = difference(root, "HEAD", lines=False).changes
        others = git.run(git.find(root), "ls-files", "-z", "--others", "--exclude-standard")
    except Unavailable as reason:
        raise EnvironmentFault(f"nothing to check against: {reason}") from reason
    return Edits(tuple(changes.values()), frozenset(filter(None, os.fsdecode(others).split("\0"))))


def check_of(comparison: Comparison, edited: Sequence[str], known: Mapping[str, Briefing]) -> Check:
    """What there is to say of these edits; `known` has the briefings of the edited files as far as there are any."""
    briefings = [known[file] for file in edited if file in known]
    tests = dict.fromkeys(
        test for one in briefings for test in (*one.tests.importing, *one.tests.by_name) if test
    )
    return Check(
        schema_version=SCHEMA_VERSION,
        base=comparison.base.commit,
        line=comparison.verdict.line,
        edited=tuple(edited),
        new=comparison.new,
        fixed=comparison.fixed,
        forgotten=_forgotten(briefings, set(edited)),
        commands=without_parts(one.tests.command for one in briefings),
        tests=tuple(tests),
        warnings=comparison.warnings,
        gate=comparison.gate,
    )


def _forgotten(briefings: Sequence[Briefing], edited: set[str]) -> tuple[Forgotten, ...]:
    found: dict[str, Forgotten] = {}
    for briefing in briefings:
        for one in briefing.companions:
            tied = one.commits >= _TIED and one.commits >= _SHARE * one.of
            if tied and one.file not in edited:
                new = Forgotten(one.file, briefing.file, one.commits, one.of)
                old = found.get(one.file)
                if old is None or new.commits * old.of > old.commits * new.of:
                    found[one.file] = new
    ranked = sorted(found.values(), key=lambda one: (-one.commits / one.of, -one.commits, one.file))
    return tuple(ranked[:_FORGOTTEN])

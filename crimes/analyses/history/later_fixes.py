"""Fixes that followed a commit: what an earlier ranking of its files is checked against.

A commit is a fix by the rule of edit risk: not a merge, not by a bot, not listed in .git-blame-ignore-revs, with a subject that
calls itself a fix, and at most 30 source files. Those that an end commit reaches and the cut does not have followed the cut, whenever
they were written: that is what nobody could know at the cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from os import fsencode

from msgspec import Struct

from crimes.analyses.history.fixes import MAX_FIX_FILES
from crimes.analyses.history.git_log import LoggedCommit, log_records, parse_record
from crimes.analyses.history.history import datetime_at, ignored_revisions, person_of
from crimes.analyses.history.subjects import is_fix
from crimes.model.facts import Role
from crimes.model.repository import File
from crimes.system import git


class LaterFix(Struct, frozen=True):
    """A fix commit that changed at least one file of the cut."""

    sha: str  # abbreviated to twelve
    when: datetime
    subject: str
    files: tuple[str, ...]  # that it changed, by the names they had at the cut


def later_fixes(tree: git.WorkTree, cut: str, end: str, files: Mapping[str, File]) -> tuple[LaterFix, ...]:
    """The fixes between two commits, oldest first; `files` are those of the cut. Unavailable when git cannot list them.

    A file that was renamed unchanged is followed; one that was deleted keeps the fixes it had until then, a deleting fix among them.
    """
    follower = _Follower(tree, files)
    ignored = ignored_revisions(tree)
    commits = [parse_record(record) for record in log_records(tree, f"{cut}..{end}")]
    fixes = []
    for commit in reversed(commits):
        touched = follower.follow(commit)
        if touched and commit.sha not in ignored and _claims_fix(commit) and not _is_broad(touched, files):
            fixes.append(
                LaterFix(
                    sha=commit.sha.decode("ascii")[:12],
                    when=datetime_at(int(commit.seconds or 0)),
                    subject=commit.subject.decode("utf-8", "replace"),
                    files=tuple(sorted(touched)),
                )
            )
    return tuple(fixes)


class _Follower:
    """Takes the commits from the oldest to the newest, and knows by which name each file of the cut goes."""

    def __init__(self, tree: git.WorkTree, files: Mapping[str, File]) -> None:
        self._named = {tree.prefix + fsencode(path): path for path in files}

    def follow(self, commit: LoggedCommit) -> set[str]:
        """The files of the cut that a commit changed; none for a merge, whose commits are listed themselves."""
        if b" " in commit.parents:
            return set()
        # The old name stays known: on another branch the file still has it.
        for old, new in commit.renamed:
            if old in self._named:
                self._named[new] = self._named[old]
        return {self._named[name] for name in commit.names if name in self._named}


def _claims_fix(commit: LoggedCommit) -> bool:
    return bool(person_of(commit.author, commit.email)) and is_fix(commit.subject.decode("utf-8", "replace"))


def _is_broad(touched: set[str], files: Mapping[str, File]) -> bool:
    return sum(files[path].role is Role.SOURCE for path in touched) > MAX_FIX_FILES

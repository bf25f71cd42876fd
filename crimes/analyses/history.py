"""What git remembers: churn, fixes, authors, files that change together. One `git log` per scan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from crimes.context import Analysis, Context


@dataclass(frozen=True)
class CommitRef:
    """One commit as a reader wants to see it."""

    sha: str  # abbreviated to twelve
    when: datetime
    author: str
    subject: str


@dataclass(frozen=True)
class FileHistory:
    """One file's past, renames followed."""

    commits_90d: int
    commits_365d: int
    commits_all: int
    fixes: tuple[CommitRef, ...]  # fix commits of the last 365 days, newest first
    authors: tuple[tuple[str, int], ...]  # name, commits; most first
    last: CommitRef | None
    author_last_seen: Mapping[str, datetime]  # last commit anywhere in the repository, for this file's authors


@dataclass(frozen=True)
class History:
    """The repository's past up to the reference time."""

    files: Mapping[str, FileHistory]  # files of the present tree
    together: Mapping[tuple[str, str], int]  # sorted pair -> commits of 365 days that changed both
    pair_commits: Mapping[str, int]  # commits of 365 days that count for `together`, by file
    reference_time: datetime
    head: str
    commits: int
    first_commit: datetime | None
    limited: bool  # shallow, or cut short
    reason: str

    def partners(self, path: str, limit: int) -> tuple[tuple[str, int], ...]:
        """Files that changed together with this one, most often first."""
        raise NotImplementedError


def build(context: Context) -> History:
    raise NotImplementedError


HISTORY = Analysis("history", build)

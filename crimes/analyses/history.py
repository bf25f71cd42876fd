"""What git remembers: churn, fixes, authors, files that change together. One `git log` per scan.

What counts:
- a merge is not a change of its own: its commits are already counted;
- a commit listed in .git-blame-ignore-revs was declared meaningless by its authors and counts for nothing;
- a bot's commit counts as churn, but a bot is no author, fixes nothing and couples nothing;
- a commit of more than 30 files couples nothing;
- the commits a shallow clone was cut at show every file as new, and count for nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import combinations
from os import fsencode

from crimes import git
from crimes.analyses.commit_log import LoggedCommit, read_log
from crimes.analyses.subjects import is_bot, is_fix
from crimes.context import Analysis, Context
from crimes.discover import read_inside
from crimes.errors import Unavailable

DAY = 86_400
BULK = 30  # files; a commit that changes more says nothing about any two of them
FEWEST_TOGETHER = 3
IGNORED_REVISIONS = ".git-blame-ignore-revs"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = -62_135_596_800, 253_402_300_799  # the years a datetime can hold


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
    author_last_seen: Mapping[str, datetime]  # last commit anywhere in the repository, for these authors


@dataclass(frozen=True)
class History:
    """The repository's past up to the reference time."""

    files: Mapping[str, FileHistory]  # files of the present tree
    together: Mapping[tuple[str, str], int]  # sorted pair -> commits of 365 days that changed both, 3 or more
    pair_commits: Mapping[str, int]  # commits of 365 days that count for `together`, by file
    reference_time: datetime
    head: str
    commits: int
    first_commit: datetime | None
    limited: bool  # shallow, or cut short
    reason: str

    def partners(self, path: str, limit: int) -> tuple[tuple[str, int], ...]:
        """Files that changed together with this one, most often first."""
        return self._partners.get(path, ())[:limit]

    @cached_property
    def _partners(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for (one, other), count in self.together.items():
            found.setdefault(one, []).append((other, count))
            found.setdefault(other, []).append((one, count))
        return {
            path: tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0]))) for path, pairs in found.items()
        }


@dataclass
class _Past:
    """One file's past while it is being gathered."""

    commits_90d: int = 0
    commits_365d: int = 0
    commits_all: int = 0
    fixes: list[CommitRef] = field(default_factory=list)
    authors: Counter[str] = field(default_factory=Counter)
    last: CommitRef | None = None


class _Gatherer:
    """Goes through the commits from the newest to the oldest, keeping each name's present name."""

    def __init__(
        self, present: Mapping[bytes, str], ignored: frozenset[str], shallow: bool, as_of: int | None
    ) -> None:
        self.pasts = {path: _Past() for path in present.values()}
        self.last_seen: dict[str, int] = {}
        self.together: Counter[tuple[str, str]] = Counter()
        self.pair_commits: Counter[str] = Counter()
        self.head = ""
        self.reference = as_of or 0
        self.commits = 0
        self.first: int | None = None
        self.boundary: int | None = None  # the newest commit a shallow clone was cut at
        self._present = dict(present)
        self._ignored = ignored
        self._shallow = shallow
        self._as_of = as_of

    def add(self, commit: LoggedCommit) -> None:
        if not self.head:
            self.head = commit.sha
            self.reference = commit.seconds if self._as_of is None else self._as_of
        touched = self._follow(commit)
        if self._as_of is not None and commit.seconds > self._as_of:
            return
        self.commits += 1
        self.first = commit.seconds if self.first is None else min(self.first, commit.seconds)
        person = "" if is_bot(commit.author, commit.email) else commit.author or commit.email
        if person:
            self.last_seen[person] = max(commit.seconds, self.last_seen.get(person, commit.seconds))
        if self._shallow and commit.parents == 0:
            self.boundary = max(commit.seconds, self.boundary or commit.seconds)
        elif touched and commit.sha not in self._ignored:
            self._count(commit, touched, person)

    def _follow(self, commit: LoggedCommit) -> list[str]:
        """The present names of the files a commit changed, sorted; names it gave are taken back."""
        if commit.parents > 1:
            return []
        touched = {self._present[change.name] for change in commit.changes if change.name in self._present}
        renamed = {
            change.old: self._present[change.name]
            for change in commit.changes
            if change.old and change.name in self._present
        }
        self._present.update(renamed)
        return sorted(touched)

    def _count(self, commit: LoggedCommit, touched: list[str], person: str) -> None:
        age = self.reference - commit.seconds
        in_year = age <= 365 * DAY
        fix = bool(person) and in_year and is_fix(commit.subject)
        ref = _reference(commit) if fix else None  # most commits are only counted
        for path in touched:
            past = self.pasts[path]
            past.commits_all += 1
            past.commits_365d += in_year
            past.commits_90d += age <= 90 * DAY
            if past.last is None:
                past.last = ref = ref or _reference(commit)
            if person:
                past.authors[person] += 1
            if fix and ref is not None:
                past.fixes.append(ref)
        if person and in_year and len(commit.changes) <= BULK:
            self.pair_commits.update(touched)
            self.together.update(combinations(touched, 2))


def _reference(commit: LoggedCommit) -> CommitRef:
    return CommitRef(commit.sha[:12], _moment(commit.seconds), commit.author or commit.email, commit.subject)


def build(context: Context) -> History:
    """Read the log once. Unavailable without a usable repository or without a single commit."""
    tree = git.find(context.repo.root)
    shallow = git.run(tree, "rev-parse", "--is-shallow-repository").strip() == b"true"
    present = {tree.prefix + fsencode(path): path for path in context.repo.files}
    as_of = None if context.as_of is None else int(context.as_of.timestamp())
    gathered = _Gatherer(present, _ignored_revisions(tree), shallow, as_of)
    limits: list[str] = []
    try:
        for commit in read_log(tree):
            gathered.add(commit)
    except Unavailable as reason:
        if not gathered.head:
            raise
        limits.append(f"git log stopped early: {reason}")
    if shallow:
        limits.append(_shallow_reason(gathered))
    last_seen = {person: _moment(seconds) for person, seconds in gathered.last_seen.items()}
    pairs = sorted(gathered.together.items())
    return History(
        files={path: _settle(past, last_seen) for path, past in sorted(gathered.pasts.items())},
        together={pair: count for pair, count in pairs if count >= FEWEST_TOGETHER},
        pair_commits=dict(sorted(gathered.pair_commits.items())),
        reference_time=_moment(gathered.reference),
        head=gathered.head,
        commits=gathered.commits,
        first_commit=None if gathered.first is None else _moment(gathered.first),
        limited=bool(limits),
        reason="; ".join(limits),
    )


def _settle(past: _Past, last_seen: Mapping[str, datetime]) -> FileHistory:
    return FileHistory(
        commits_90d=past.commits_90d,
        commits_365d=past.commits_365d,
        commits_all=past.commits_all,
        fixes=tuple(sorted(past.fixes, key=lambda fix: fix.when, reverse=True)),
        authors=tuple(sorted(past.authors.items(), key=lambda author: (-author[1], author[0]))),
        last=past.last,
        author_last_seen={person: last_seen[person] for person in sorted(past.authors)},
    )


def _shallow_reason(gathered: _Gatherer) -> str:
    cut = gathered.reference if gathered.boundary is None else gathered.boundary
    days = max(0, (gathered.reference - cut) // DAY)
    return f"shallow clone: {days} days of history are visible; check out with fetch-depth: 0"


def _ignored_revisions(tree: git.WorkTree) -> frozenset[str]:
    """Commits the repository asks `git blame` to look past."""
    try:
        text = read_inside(tree.top, IGNORED_REVISIONS)
    except OSError:
        return frozenset()  # most repositories have no such file
    return frozenset(revision.decode() for revision in re.findall(rb"^[0-9a-f]{40,64}\b", text, re.MULTILINE))


def _moment(seconds: int) -> datetime:
    return EPOCH + timedelta(seconds=min(max(seconds, EARLIEST), LATEST))


HISTORY = Analysis("history", build)

"""What git remembers: churn, fixes, authors, files that change together. One `git log` per scan.

What counts:
- three years: what was before says little of a file as it is, and takes git ten times as long to tell;
- a merge is not a change of its own: its commits are already counted;
- a commit listed in .git-blame-ignore-revs was declared meaningless by its authors and counts for nothing;
- a bot's commit counts as churn, but a bot is no author, fixes nothing and couples nothing;
- a commit of more than 30 files couples nothing;
- the commits a shallow clone was cut at show every file as new, and count for nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from itertools import combinations
from os import fsencode

from msgspec import Struct

from crimes.analyses.history.cochange import NO_CHANGES, ChangeSets, change_sets
from crimes.analyses.history.commit_log import WINDOW, LoggedCommit, read_log
from crimes.analyses.history.subjects import is_bot, is_fix
from crimes.detection.context import Analysis, Context
from crimes.model.errors import Unavailable
from crimes.system import git
from crimes.system.safe_files import read_inside

DAY = 86_400
BULK = 30  # files; a commit that changes more says nothing about any two of them
FEWEST_TOGETHER = 3
FEWEST_DAYS = 90  # of a past that statistics can be made of
TELLING = 3  # words of a subject that two different commits do not share
SHALLOW = "shallow clone"
IGNORED_REVISIONS = ".git-blame-ignore-revs"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = -62_135_596_800, 253_402_300_799  # the years a datetime can hold


class CommitRef(Struct, frozen=True):
    """One commit as a reader wants to see it."""

    sha: str  # abbreviated to twelve
    when: datetime
    author: str
    subject: str


class FileHistory(Struct, frozen=True):
    """One file's past of three years, renames followed."""

    commits_90d: int
    commits_365d: int
    commits_3y: int
    fixes: tuple[CommitRef, ...]  # fix commits of the last 365 days, newest first
    authors: tuple[tuple[str, int], ...]  # name, commits; most first
    last: CommitRef | None
    author_last_seen: Mapping[str, datetime]  # last commit anywhere in the repository, for these authors


class History(Struct, frozen=True, dict=True):
    """The repository's past: three years up to the reference time."""

    files: Mapping[str, FileHistory]  # files of the present tree
    together: Mapping[tuple[str, str], int]  # sorted pair -> commits of 365 days that changed both, 3 or more
    pair_commits: Mapping[str, int]  # commits of 365 days that count for `together`, by file
    reference_time: datetime
    head: str
    commits: int
    first_commit: datetime | None
    limited: bool  # shallow, or cut short
    reason: str
    cut: str = ""  # the reason in two words
    days: int = 0  # that are visible when it is limited
    changes: ChangeSets = NO_CHANGES  # of all commits, and of files that are not read too

    def doubts(self) -> tuple[str, ...]:
        """Reasons to doubt that there is enough of a past for statistics."""
        age = (self.reference_time - self.first_commit).days if self.first_commit else 0
        return (
            *((f"history is not whole: {self.cut}",) if self.limited else ()),
            *((f"history goes back {age} days only",) if age < FEWEST_DAYS else ()),
        )

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


class _Past:
    """One file's past while it is being gathered."""

    __slots__ = ("commits", "commits_90d", "commits_365d", "fixes", "last", "path", "read")

    def __init__(self, path: str, read: bool) -> None:
        self.path = path
        self.read = read  # whether it is a file of a language
        self.commits: list[int] = []  # the numbers of those that count
        self.commits_90d = self.commits_365d = 0
        self.fixes: list[CommitRef] = []
        self.last: CommitRef | None = None


class _Gatherer:
    """Goes through the commits from the newest to the oldest, keeping what each name is called at present."""

    def __init__(
        self,
        present: Mapping[bytes, str],
        read: Container[str],
        ignored: frozenset[bytes],
        shallow: bool,
        as_of: int | None,
    ) -> None:
        self._named = {name: _Past(path, path in read) for name, path in present.items()}
        self.pasts = sorted((past for past in self._named.values() if past.read), key=lambda past: past.path)
        self.changed: list[list[str]] = []  # by each commit that may couple files
        self.people: list[str] = []  # who made each commit that counts; empty for a bot
        self.last_seen: dict[str, int] = {}
        self.together: Counter[tuple[str, str]] = Counter()
        self.pair_commits: Counter[str] = Counter()
        self.head = ""
        self.reference = as_of or 0
        self.commits = 0
        self.first: int | None = None
        self.boundary: int | None = None  # the newest commit a shallow clone was cut at
        self._ignored = ignored
        self._shallow = shallow
        self._as_of = as_of

    def add(self, commit: LoggedCommit) -> None:
        seconds = int(commit.seconds or 0)
        if not self.head:
            self.head = _text(commit.sha)
            self.reference = seconds if self._as_of is None else self._as_of
        if seconds < self.reference - WINDOW:
            return
        touched = self._follow(commit)
        if self._as_of is not None and seconds > self._as_of:
            return
        self.commits += 1
        if self.first is None or seconds < self.first:
            self.first = seconds
        person = _person(commit.author, commit.email)
        if person and self.last_seen.get(person, seconds) <= seconds:
            self.last_seen[person] = seconds
        if self._shallow and not commit.parents:
            self.boundary = max(seconds, self.boundary or seconds)
        elif touched and commit.sha not in self._ignored:
            self._count(commit, seconds, touched, person)

    def _follow(self, commit: LoggedCommit) -> list[_Past]:
        """The files a commit changed, some perhaps twice; names it gave are taken back."""
        if commit.parents.find(b" ") >= 0:
            return []
        named = self._named
        touched = [named[name] for name in commit.names if name in named]
        if commit.renamed:
            named.update({old: named[name] for old, name in commit.renamed if name in named})
        return touched

    def _count(self, commit: LoggedCommit, seconds: int, touched: list[_Past], person: str) -> None:
        if person and len(commit.names) <= BULK:
            self.changed.append(sorted({past.path for past in touched}))
        touched = [past for past in touched if past.read]
        number = len(self.people)
        self.people.append(person)
        seen_first = []
        for past in touched:
            commits = past.commits
            if not commits:
                seen_first.append(past)
                commits.append(number)
            elif commits[-1] != number:
                commits.append(number)
        if seen_first:
            reference = _reference(commit, seconds)
            for past in seen_first:
                past.last = reference
        if self.reference - seconds <= 365 * DAY:
            self._count_recent(commit, seconds, touched, person)

    def _count_recent(self, commit: LoggedCommit, seconds: int, touched: list[_Past], person: str) -> None:
        fix = _reference(commit, seconds) if person and is_fix(_text(commit.subject)) else None
        files = sorted(set(touched), key=lambda past: past.path)
        for past in files:
            past.commits_365d += 1
            past.commits_90d += self.reference - seconds <= 90 * DAY
            if fix is not None:
                past.fixes.append(fix)
        if person and len(commit.names) <= BULK:
            paths = [past.path for past in files]
            self.pair_commits.update(paths)
            self.together.update(combinations(paths, 2))


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


@lru_cache(maxsize=4096)
def _person(author: bytes, email: bytes) -> str:
    """What to call the author of a commit; nothing for a bot."""
    name, address = _text(author), _text(email)
    return "" if is_bot(name, address) else name or address


def _reference(commit: LoggedCommit, seconds: int) -> CommitRef:
    author = _text(commit.author or commit.email)
    return CommitRef(_text(commit.sha)[:12], _moment(seconds), author, _text(commit.subject))


def build(context: Context) -> History:
    """Read the log once. Unavailable without a usable repository or without a single commit."""
    tree = git.find(context.repo.root)
    shallow = git.run(tree, "rev-parse", "--is-shallow-repository").strip() == b"true"
    present = {tree.prefix + fsencode(path): path for path in context.repo.paths}
    as_of = None if context.as_of is None else int(context.as_of.timestamp())
    gathered = _Gatherer(present, context.repo.files, _ignored_revisions(tree), shallow, as_of)
    limits: list[str] = []
    try:
        for commit in (context.commits or read_log)(tree):
            gathered.add(commit)
    except Unavailable as reason:
        if not gathered.head:
            raise
        limits.append(f"git log stopped early: {reason}")
    days = _visible_days(gathered)
    if shallow:
        limits.append(f"{SHALLOW}: {days} days of history are visible; check out with fetch-depth: 0")
    last_seen = {person: _moment(seconds) for person, seconds in gathered.last_seen.items()}
    pairs = sorted(gathered.together.items())
    return History(
        files={past.path: _settle(past, gathered.people, last_seen) for past in gathered.pasts},
        together={pair: count for pair, count in pairs if count >= FEWEST_TOGETHER},
        pair_commits=dict(sorted(gathered.pair_commits.items())),
        reference_time=_moment(gathered.reference),
        head=gathered.head,
        commits=gathered.commits,
        first_commit=None if gathered.first is None else _moment(gathered.first),
        limited=bool(limits),
        reason="; ".join(limits),
        cut=(SHALLOW if shallow else "git log stopped early") if limits else "",
        days=days if limits else 0,
        changes=change_sets(gathered.changed),
    )


def _settle(past: _Past, people: list[str], last_seen: Mapping[str, datetime]) -> FileHistory:
    authors = Counter(map(people.__getitem__, past.commits))
    authors.pop("", None)
    return FileHistory(
        commits_90d=past.commits_90d,
        commits_365d=past.commits_365d,
        commits_3y=len(past.commits),
        fixes=_fixes(past),
        authors=tuple(sorted(authors.items(), key=lambda author: (-author[1], author[0]))),
        last=past.last,
        author_last_seen={person: last_seen[person] for person in sorted(authors)},
    )


def _fixes(past: _Past) -> tuple[CommitRef, ...]:
    """Newest first. A fix that was brought to another branch, and came back with it, is one fix."""
    newest: dict[str, CommitRef] = {}
    for fix in sorted(past.fixes, key=lambda fix: fix.when, reverse=True):
        says_little = len(fix.subject.split()) < TELLING
        newest.setdefault(fix.sha if says_little else fix.subject, fix)
    return tuple(newest.values())


def _visible_days(gathered: _Gatherer) -> int:
    """Days before the reference time of which all commits are there, up to where a clone or the log was cut."""
    cut = gathered.first if gathered.boundary is None else gathered.boundary
    return max(0, (gathered.reference - (gathered.reference if cut is None else cut)) // DAY)


def _ignored_revisions(tree: git.WorkTree) -> frozenset[bytes]:
    """Commits the repository asks `git blame` to look past."""
    try:
        text = read_inside(tree.top, IGNORED_REVISIONS)
    except OSError:
        return frozenset()  # most repositories have no such file
    return frozenset(re.findall(rb"^[0-9a-f]{40,64}\b", text, re.MULTILINE))


def _moment(seconds: int) -> datetime:
    return EPOCH + timedelta(seconds=min(max(seconds, EARLIEST), LATEST))


HISTORY = Analysis("history", build)

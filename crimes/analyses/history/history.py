"""The history of files: churn, fixes, authors, files that change together. One `git log` per scan.

What counts:
- three years: older commits say little about a file as it is, and take git ten times as long;
- a merge is not a change of its own: its commits are already counted;
- a commit listed in .git-blame-ignore-revs counts for nothing: its authors say it changed no behaviour;
- a bot's commit counts as churn, but a bot is no author, fixes nothing and couples nothing;
- a commit of more than 30 files couples nothing;
- a commit counts when it was committed, or where many share that second, as after an import, when it was written;
- of the commits that call themselves fixes, those that `fixes.py` counts; for edit risk, those of `past_edits.py`;
- the commits a shallow clone was cut at show every file as new, and count for nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from itertools import combinations
from os import fsdecode, fsencode

from msgspec import Struct

from crimes.analyses.history.cochange import NO_CHANGES, ChangeSets, build_change_sets
from crimes.analyses.history.fixes import (
    BROAD,
    MAX_FIX_FILES,
    REVERTED,
    UPKEEP,
    Claimed,
    CommitRef,
    FileFixes,
    Fix,
    count_fixes,
)
from crimes.analyses.history.git_log import WINDOW_SECONDS, LoggedCommit, read_log
from crimes.analyses.history.past_edits import (
    NO_EDITS,
    CountedCommit,
    PastEdits,
    counted_commit,
    past_edits,
)
from crimes.analyses.history.pull_requests import merged_branches
from crimes.analyses.history.subjects import is_bot, is_fix, mentions_fix, reverted_subject
from crimes.detection.context import Analysis, Context
from crimes.model.errors import Unavailable
from crimes.model.facts import Role
from crimes.model.repository import File
from crimes.model.wording import count
from crimes.system import git
from crimes.system.safe_files import read_inside

DAY_SECONDS = 86_400
MAX_COUPLING_FILES = 30  # a commit that changes more says nothing about any two of them
MIN_TOGETHER_COMMITS = 3
MIN_HISTORY_DAYS = 90  # that statistics need
MIN_IMPORTED_COMMITS = 50  # with one commit time: an import made them
SHALLOW = "shallow clone"
IGNORED_REVISIONS = ".git-blame-ignore-revs"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MIN_SECONDS, MAX_SECONDS = -62_135_596_800, 253_402_300_799  # the years a datetime can hold


class FileHistory(Struct, frozen=True):
    """Three years of one file, renames followed."""

    commits_90d: int
    commits_365d: int
    commits_3y: int
    fixes: tuple[CommitRef, ...]  # of the last 365 days, newest first
    authors: tuple[tuple[str, int], ...]  # name, commits; most first
    last: CommitRef | None
    author_last_seen: Mapping[str, datetime]  # last commit anywhere in the repository, for these authors
    # commits that speak of a fix and do not count, by reason
    left_out_fixes: tuple[tuple[str, int], ...] = ()
    older_fixes: tuple[CommitRef, ...] = ()  # fix commits of the two years before that, newest first
    edits: PastEdits = NO_EDITS  # what edit risk weighs
    former_names: tuple[str, ...] = ()  # paths before it was moved unchanged, newest first


class History(Struct, frozen=True, dict=True):
    """Three years of the repository up to the reference time."""

    files: Mapping[str, FileHistory]  # files of the present tree
    together: Mapping[tuple[str, str], int]  # sorted pair -> commits of 365 days that changed both, 3 or more
    pair_commits: Mapping[str, int]  # commits of 365 days that count for `together`, by file
    reference_time: datetime
    head: str
    commits: int
    first_commit: datetime | None
    limited: bool  # shallow clone, or the log was cut short
    reason: str
    cut: str = ""  # the reason in two words
    days: int = 0  # visible ones, when it is limited
    changes: ChangeSets = NO_CHANGES  # includes files that no language reads

    def doubts(self) -> tuple[str, ...]:
        """Reasons to doubt that there is enough history for statistics."""
        age = (self.reference_time - self.first_commit).days if self.first_commit else 0
        return (
            *((f"history is incomplete: {self.cut}",) if self.limited else ()),
            *((f"history goes back only {age} days",) if age < MIN_HISTORY_DAYS else ()),
        )

    def partners(self, path: str, limit: int) -> tuple[tuple[str, int], ...]:
        """Files that changed together with this one, most often first."""
        return self._partners.get(path, ())[:limit]

    @cached_property
    def _partners(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        partners: dict[str, list[tuple[str, int]]] = {}
        for (first, second), commits in self.together.items():
            partners.setdefault(first, []).append((second, commits))
            partners.setdefault(second, []).append((first, commits))
        return {path: _most_first(pairs) for path, pairs in partners.items()}


class _Past:
    """The past of one file while it is gathered."""

    __slots__ = (
        "commits",
        "commits_90d",
        "commits_365d",
        "fixes",
        "former_names",
        "last",
        "left_out",
        "older_fixes",
        "path",
        "read",
        "source",
    )

    def __init__(self, path: str, file: File | None) -> None:
        self.path = path
        self.read = file is not None  # whether a language reads it
        self.source = file is not None and file.role is Role.SOURCE
        self.commits: list[int] = []  # numbers of those that count
        self.commits_90d = self.commits_365d = 0
        self.fixes: list[Fix] = []
        self.older_fixes: list[CommitRef] = []
        self.left_out: Counter[str] = Counter()
        self.last: CommitRef | None = None
        self.former_names: list[bytes] = []


class _Gatherer:
    """Takes the commits from the newest to the oldest, and follows each name to the file it is today."""

    def __init__(
        self,
        present: Mapping[bytes, str],
        files: Mapping[str, File],
        ignored: frozenset[bytes],
        shallow: bool,
        as_of: int | None,
    ) -> None:
        self._named = {name: _Past(path, files.get(path)) for name, path in present.items()}
        self.pasts = sorted((past for past in self._named.values() if past.read), key=lambda past: past.path)
        self.changed: list[list[str]] = []  # files of each commit that may couple them
        self.changed_by: list[str] = []  # the commits of `changed`
        self.counted: list[CountedCommit] = []
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
        self._reverted: set[str] = set()  # subjects of commits that newer ones took back
        self.parents: dict[bytes, bytes] = {}  # since 365 days before the reference time

    def add(self, commit: LoggedCommit, seconds: int) -> None:
        if not self.head:
            self.head = _decode(commit.sha)
            self.reference = seconds if self._as_of is None else self._as_of
        if seconds < self.reference - WINDOW_SECONDS:
            return
        touched = self._follow(commit)
        if self.reference - seconds <= 365 * DAY_SECONDS:
            self.parents[commit.sha] = commit.parents
        if self._as_of is not None and seconds > self._as_of:
            return
        self.commits += 1
        if self.first is None or seconds < self.first:
            self.first = seconds
        person = person_of(commit.author, commit.email)
        if person and self.last_seen.get(person, seconds) <= seconds:
            self.last_seen[person] = seconds
        if self._shallow and not commit.parents:
            self.boundary = max(seconds, self.boundary or seconds)
        elif touched and commit.sha not in self._ignored:
            self._count(commit, seconds, touched, person)

    def _follow(self, commit: LoggedCommit) -> list[_Past]:
        """The files a commit changed, some perhaps twice. Its renames are undone for the older commits that follow."""
        if commit.parents.find(b" ") >= 0:
            return []
        named = self._named
        touched = [named[name] for name in commit.names if name in named]
        if commit.renamed:
            moved = [(old, named[name]) for old, name in commit.renamed if name in named]
            named.update(moved)
            for old, past in moved:
                past.former_names.append(old)
        return touched

    def _count(self, commit: LoggedCommit, seconds: int, touched: list[_Past], person: str) -> None:
        if person and len(commit.names) <= MAX_COUPLING_FILES:
            self.changed.append(sorted({past.path for past in touched}))
            self.changed_by.append(_decode(commit.sha)[:12])
        touched = [past for past in touched if past.read]
        number = len(self.counted)
        claims_fix = bool(person and touched) and is_fix(_decode(commit.subject))
        narrow = claims_fix and not _is_broad(set(touched))
        self.counted.append(counted_commit(person, self.reference - seconds, is_fix=narrow))
        newest = []
        for past in touched:
            commits = past.commits
            if not commits:
                newest.append(past)
                commits.append(number)
            elif commits[-1] != number:
                commits.append(number)
        if newest:
            last = _commit_ref(commit, seconds)
            for past in newest:
                past.last = last
        if self.reference - seconds <= 365 * DAY_SECONDS:
            self._count_recent(commit, seconds, touched, person, claims_fix)
        elif claims_fix:
            fix = _commit_ref(commit, seconds)
            for past in set(touched):
                past.older_fixes.append(fix)

    def _count_recent(
        self, commit: LoggedCommit, seconds: int, touched: list[_Past], person: str, claims_fix: bool
    ) -> None:
        files = sorted(set(touched), key=lambda past: past.path)
        for past in files:
            past.commits_365d += 1
            past.commits_90d += self.reference - seconds <= 90 * DAY_SECONDS
        if person:
            self._note_fix(commit, seconds, files, claims_fix)
        if person and len(commit.names) <= MAX_COUPLING_FILES:
            paths = [past.path for past in files]
            self.pair_commits.update(paths)
            self.together.update(combinations(paths, 2))

    def _note_fix(self, commit: LoggedCommit, seconds: int, files: list[_Past], claims_fix: bool) -> None:
        """Add the commit to the fixes of its files, or to what was left out if it only speaks of a fix."""
        subject = _decode(commit.subject)
        undone = reverted_subject(subject)
        if undone and subject not in self._reverted:
            self._reverted.add(undone)
        if not mentions_fix(subject):
            return
        reason = self._reason_to_leave_out(subject, files) if claims_fix else UPKEEP
        self._reverted.discard(subject)  # an older commit of this name is another one
        if reason:
            for past in files:
                past.left_out[reason] += 1
            return
        fix = _commit_ref(commit, seconds)
        for past in files:
            past.fixes.append(Fix(commit.sha, fix, self._name_then(commit, past)))

    def _reason_to_leave_out(self, subject: str, files: list[_Past]) -> str:
        if subject in self._reverted:
            return REVERTED
        return BROAD if _is_broad(files) else ""

    def _name_then(self, commit: LoggedCommit, past: _Past) -> bytes:
        return next(name for name in commit.names if self._named.get(name) is past)


def _is_broad(files: Iterable[_Past]) -> bool:
    """Whether a commit of these files changed too many for a fix to say something about each."""
    return sum(past.source for past in files) > MAX_FIX_FILES


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


@lru_cache(maxsize=4096)
def person_of(author: bytes, email: bytes) -> str:
    """The name of the author of a commit; empty for a bot."""
    name, address = _decode(author), _decode(email)
    return "" if is_bot(name, address) else name or address


def _commit_ref(commit: LoggedCommit, seconds: int) -> CommitRef:
    author = _decode(commit.author or commit.email)
    return CommitRef(_decode(commit.sha)[:12], datetime_at(seconds), author, _decode(commit.subject))


def build(context: Context) -> History:
    """Read the log once. Unavailable without a usable repository or without a single commit."""
    tree = git.find(context.repo.root)
    shallow = git.run(tree, "rev-parse", "--is-shallow-repository").strip() == b"true"
    present = {tree.prefix + fsencode(path): path for path in context.repo.paths}
    as_of = None if context.as_of is None else int(context.as_of.timestamp())
    gathered = _Gatherer(present, context.repo.files, ignored_revisions(tree), shallow, as_of)
    limits: list[str] = []
    log: list[LoggedCommit] = []
    try:
        log.extend((context.commits or read_log)(tree))
    except Unavailable as reason:
        if not log:
            raise
        limits.append(f"git log stopped early: {reason}")
    for commit, seconds in _dated(log):
        gathered.add(commit, seconds)
    fixes = _fixes(gathered, context, tree)
    days = _visible_days(gathered)
    if shallow:
        limits.append(
            f"{SHALLOW} with {count(days, 'day')} of history; run `git fetch --unshallow`, or set fetch-depth: 0 in CI"
        )
    last_seen = {person: datetime_at(seconds) for person, seconds in gathered.last_seen.items()}
    pairs = sorted(gathered.together.items())
    return History(
        files={
            past.path: _file_history(past, fixes[past.path], gathered.counted, last_seen, tree.prefix)
            for past in gathered.pasts
        },
        together={pair: commits for pair, commits in pairs if commits >= MIN_TOGETHER_COMMITS},
        pair_commits=dict(sorted(gathered.pair_commits.items())),
        reference_time=datetime_at(gathered.reference),
        head=gathered.head,
        commits=gathered.commits,
        first_commit=None if gathered.first is None else datetime_at(gathered.first),
        limited=bool(limits),
        reason="; ".join(limits),
        cut=(SHALLOW if shallow else "git log stopped early") if limits else "",
        days=days if limits else 0,
        changes=build_change_sets(gathered.changed, gathered.changed_by),
    )


def _dated(log: list[LoggedCommit]) -> Iterator[tuple[LoggedCommit, int]]:
    """Each commit with its time: when it was written, if an import gave many commits one commit time."""
    sharing = Counter(commit.seconds for commit in log)
    for commit in log:
        seconds = int(commit.seconds or 0)
        if sharing[commit.seconds] >= MIN_IMPORTED_COMMITS:
            seconds = min(seconds, int(commit.authored or seconds))
        yield commit, seconds


def _fixes(gathered: _Gatherer, context: Context, tree: git.WorkTree) -> dict[str, FileFixes]:
    """The fixes that count, by path."""
    files = context.repo.files
    claimed = {
        past.path: Claimed(files[past.path].language, past.fixes, past.left_out) for past in gathered.pasts
    }
    sources = {past.path for past in gathered.pasts if past.source}
    branch_of = merged_branches(gathered.head.encode(), gathered.parents)
    return count_fixes(claimed, branch_of, sources.__contains__, tree, context.memory)


def _file_history(
    past: _Past,
    fixes: FileFixes,
    counted: list[CountedCommit],
    last_seen: Mapping[str, datetime],
    prefix: bytes,
) -> FileHistory:
    commits = [counted[number] for number in past.commits]
    authors = Counter(commit.person for commit in commits)
    authors.pop("", None)
    return FileHistory(
        commits_90d=past.commits_90d,
        commits_365d=past.commits_365d,
        commits_3y=len(past.commits),
        fixes=fixes.counted,
        authors=_most_first(authors.items()),
        last=past.last,
        author_last_seen={person: last_seen[person] for person in sorted(authors)},
        left_out_fixes=fixes.left_out,
        older_fixes=tuple(sorted(past.older_fixes, key=lambda fix: fix.when, reverse=True)),
        edits=past_edits(commits),
        former_names=tuple(
            fsdecode(name.removeprefix(prefix)) for name in past.former_names if name.startswith(prefix)
        ),
    )


def _most_first(counts: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts, key=lambda item: (-item[1], item[0])))


def _visible_days(gathered: _Gatherer) -> int:
    """Days before the reference time with all their commits, back to where the clone or the log was cut."""
    cut = gathered.first if gathered.boundary is None else gathered.boundary
    return max(0, (gathered.reference - (gathered.reference if cut is None else cut)) // DAY_SECONDS)


def ignored_revisions(tree: git.WorkTree) -> frozenset[bytes]:
    """Commits the repository asks `git blame` to skip."""
    try:
        text = read_inside(tree.top, IGNORED_REVISIONS)
    except OSError:
        return frozenset()  # most repositories have no such file
    return frozenset(re.findall(rb"^[0-9a-f]{40,64}\b", text, re.MULTILINE))


def datetime_at(seconds: int) -> datetime:
    """The moment so many seconds after 1970, or the nearest that a datetime can hold."""
    return EPOCH + timedelta(seconds=min(max(seconds, MIN_SECONDS), MAX_SECONDS))


HISTORY = Analysis("history", build)

"""Runs `git log` and parses it: who, when, why, and which files."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from crimes.model.errors import Unavailable
from crimes.system import git

# Names only: counting lines costs twenty times as much, and fails where a partial clone lacks the contents.
# Only unchanged files count as renamed, for the same reason; an empty file is no evidence of anything.
LOG = ("log", "-z", "--name-status", "-M100%", "--no-rename-empty", f"-O{os.devnull}", "--encoding=UTF-8")
QUIET = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--no-decorate")

# A NUL before each commit and the one that ends the commit before it are two in a row: a place to split at. No field
# can hold a line break.
WITH_MAILMAP = ("--use-mailmap", "--format=%x00%H%n%ct%n%P%n%at%n%aN%n%aE%n%s")
WITHOUT_MAILMAP = ("--no-use-mailmap", "--format=%x00%H%n%ct%n%P%n%at%n%an%n%ae%n%s")
FIELDS = 7

MIN_DATE_SECONDS = 100_000_000  # git does not read smaller numbers as seconds
WINDOW_SECONDS = 1095 * 86_400  # of history before the reference time that count
MAX_ENDS = 8  # where the log may stop early; each is looked behind
MAX_COMMITS_BEHIND = 500  # that are looked at there
MAX_LOG_BYTES = 2_000_000_000
MAX_RECORD_BYTES = 100_000_000  # of one commit: a million names
MAX_COUNT_SECONDS = 20  # for counting all commits of one file


class LoggedCommit(NamedTuple):
    """One commit, undecoded: a log is long, and most of its text is never shown."""

    sha: bytes
    seconds: bytes  # commit time; empty when the commit is damaged
    parents: bytes
    authored: bytes  # author time in seconds; empty when the commit is damaged
    author: bytes
    email: bytes
    subject: bytes
    names: list[bytes]  # files it changed, relative to the top of the work tree
    renamed: list[tuple[bytes, bytes]]  # of those, the name before and the name after


def read_log(tree: git.WorkTree) -> Iterator[LoggedCommit]:
    """All commits behind HEAD, newest first. Unavailable, possibly after some commits, when git gives up."""
    return map(parse_record, log_records(tree))


def log_records(tree: git.WorkTree, *commits: str, since: int | None = None) -> Iterator[bytes]:
    """Raw records of all commits or of those named; with `since`, of those not older than that."""
    person = WITH_MAILMAP if has_usable_mailmap(tree) else WITHOUT_MAILMAP
    arguments = (*LOG, *QUIET, *person)
    if since is None or since < MIN_DATE_SECONDS:
        records = _records(tree, *arguments, *commits)
        return records if since is None else _not_older(records, since)
    if not commits and (found := _records_up_to_older(tree, arguments, since)) is not None:
        return iter(found)
    date_filter = (f"--since-as-filter={since}",) if _has_since_as_filter(tree) else ()
    return _not_older(_records(tree, *arguments, *date_filter, *commits), since)


def _records(tree: git.WorkTree, *arguments: str) -> Iterator[bytes]:
    return _split_records(git.stream(tree, *arguments, "--", max_bytes=MAX_LOG_BYTES))


def _not_older(records: Iterator[bytes], since: int) -> Iterator[bytes]:
    return (record for record in records if commit_seconds(record) >= since)


def _records_up_to_older(tree: git.WorkTree, arguments: Sequence[str], since: int) -> list[bytes] | None:
    """The records behind HEAD, where git may stop at older commits: it need not walk all of history.

    None if one that counts could lie behind an older commit, as clocks differ: a warm and a cold scan would see different
    commits. For that a piece of the history behind each commit it stopped at is looked at.
    """
    try:
        records = list(_not_older(_records(tree, *arguments, f"--since={since}"), since))
        fields = [record.split(b"\n", 3) for record in records]
        ends = {parent for field in fields for parent in field[2].split()} - {field[0] for field in fields}
        if len(ends) > MAX_ENDS:
            return None
        for end in sorted(ends):
            walk = ("rev-list", "--timestamp", f"--max-count={MAX_COMMITS_BEHIND}", os.fsdecode(end), "--")
            if any(int(line.split()[0]) >= since for line in git.run(tree, *walk).splitlines()):
                return None
    except Unavailable:  # the slow way says why, after the commits that can be read
        return None
    return records


def commit_seconds(record: bytes) -> int:
    """The commit time of a record."""
    return int(record.split(b"\n", 2)[1] or 0)


def _has_since_as_filter(tree: git.WorkTree) -> bool:
    """Whether git is 2.37 or later; with an earlier one the whole log is read and most of it dropped."""
    numbers = re.findall(rb"\d+", git.run(tree, "version"))
    return [int(number) for number in numbers[:2]] >= [2, 37]


def count_commits(root: Path, path: str) -> int:
    """How many commits ever touched a file, without merges; 0 when git cannot tell.

    Quick for one file; for all of them it would take a third of a scan, so a scan counts three years.
    """
    try:
        tree = git.find(root)
        name = f":(top,literal){os.fsdecode(tree.prefix)}{path}"
        count = git.run(
            tree, "rev-list", "--count", "--no-merges", "HEAD", "--", name, seconds=MAX_COUNT_SECONDS
        )
    except (Unavailable, ValueError):  # no history; or a name from an untrusted report that no file can have
        return 0
    return int(count)


def parse_record(record: bytes) -> LoggedCommit:
    """A record as git prints it, split into its fields."""
    head, _, diff = record.partition(b"\0\n")
    fields = head.split(b"\n", FIELDS - 1)
    fields += [b""] * (FIELDS - len(fields))
    words = diff.split(b"\0")  # status, name, status, name; a rename has two names
    if diff.find(b"R100") < 0:
        return LoggedCommit._make((*fields, words[1::2], []))
    return LoggedCommit._make((*fields, *_changed_names(words)))


def _changed_names(words: list[bytes]) -> tuple[list[bytes], list[tuple[bytes, bytes]]]:
    names: list[bytes] = []
    renamed: list[tuple[bytes, bytes]] = []
    following = iter(words)
    for status in following:
        name = next(following, b"")
        if status.startswith(b"R"):
            before, name = name, next(following, b"")
            renamed.append((before, name))
        names.append(name)
    return names, renamed


def _split_records(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The records in the output of git. Where it breaks off inside one, the complete part of that."""
    begun = [b"\0"]  # pieces of the record that is being read; the first commit also follows two
    size, failure = 0, None
    try:
        for piece in pieces:
            if begun[-1].endswith(b"\0"):  # a separator may lie across two pieces
                begun[-1], piece = begun[-1][:-1], b"\0" + piece
            first, *others = piece.split(b"\0\0")
            begun.append(first)
            size += len(first)
            if size > MAX_RECORD_BYTES:
                raise Unavailable(f"a commit lists more than {MAX_RECORD_BYTES:,} bytes of names")
            if others:
                yield from filter(None, (b"".join(begun), *others[:-1]))
                begun, size = [others[-1]], len(others[-1])
    except Unavailable as reason:
        failure = reason
    if last := b"".join(begun).rpartition(b"\0")[0]:
        yield last
    if failure is not None:
        raise failure


def has_usable_mailmap(tree: git.WorkTree) -> bool:
    """Whether .mailmap is a regular file: git would wait forever for a pipe."""
    try:
        return stat.S_ISREG(os.lstat(tree.top / ".mailmap").st_mode)
    except OSError:
        return False

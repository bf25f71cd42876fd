"""The commits of a repository as `git log` tells them: who, when, why, and which files."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from crimes.model.errors import Unavailable
from crimes.system import git

# Names only: counting lines costs twenty times as much, and fails where a partial clone lacks the contents.
# Only unchanged files count as renamed, for the same reason; an empty file is no evidence of anything.
LOG = ("log", "-z", "--name-status", "-M100%", "--no-rename-empty", f"-O{os.devnull}", "--encoding=UTF-8")
QUIET = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--no-decorate")

# A NUL before each commit makes two with the one that ends the commit before: a place to split at. No field
# but the last could hold a line's end, and that one cannot either.
WITH_MAILMAP = ("--use-mailmap", "--format=%x00%H%n%ct%n%P%n%aN%n%aE%n%s")
WITHOUT_MAILMAP = ("--no-use-mailmap", "--format=%x00%H%n%ct%n%P%n%an%n%ae%n%s")
FIELDS = 6

FIRST_DATE = 100_000_000  # git takes smaller numbers of seconds for something else
WINDOW = 1095 * 86_400  # seconds before the reference time that anybody looks at
LONGEST_LOOK = 20  # seconds for all commits of one file


class LoggedCommit(NamedTuple):
    """One commit, undecoded: a log is long, and most of its text is never shown."""

    sha: bytes
    seconds: bytes  # commit time; empty when the commit is damaged
    parents: bytes
    author: bytes
    email: bytes
    subject: bytes
    names: list[bytes]  # files it changed, relative to the top of the work tree
    renamed: list[tuple[bytes, bytes]]  # of those, the name before and the name after


def read_log(tree: git.WorkTree) -> Iterator[LoggedCommit]:
    """All commits behind HEAD, newest first. Unavailable, possibly after some commits, when git gives up."""
    return map(understood, log_records(tree))


def log_records(tree: git.WorkTree, *commits: str, since: int | None = None) -> Iterator[bytes]:
    """The same as git prints them, of all commits or of those named; with `since`, of those not older than that."""
    person = WITH_MAILMAP if has_usable_mailmap(tree) else WITHOUT_MAILMAP
    # Not `--since`, which goes no further back than the first that is older: clocks differ, and the warm and the cold
    # scan would see different commits.
    filtered = since is not None and since >= FIRST_DATE and _knows_the_filter(tree)
    late = (f"--since-as-filter={since}",) if filtered else ()
    records = _records(git.stream(tree, *LOG, *QUIET, *person, *late, *commits, "--"))
    return records if since is None else (record for record in records if seconds_of(record) >= since)


def seconds_of(record: bytes) -> int:
    """When a commit was made."""
    return int(record.split(b"\n", 2)[1] or 0)


def _knows_the_filter(tree: git.WorkTree) -> bool:
    """Whether git is of version 2.37 or later; with an earlier one the whole log is read and most of it dropped."""
    numbers = re.findall(rb"\d+", git.run(tree, "version"))
    return [int(number) for number in numbers[:2]] >= [2, 37]


def commits_ever(root: Path, path: str) -> int:
    """How many commits touched a file since the beginning, merges left out; 0 when git cannot tell.

    For one file this is a moment's work, for all of them as much as a third of a scan: a scan counts three years.
    """
    try:
        tree = git.find(root)
        name = f":(top,literal){os.fsdecode(tree.prefix)}{path}"
        said = git.run(tree, "rev-list", "--count", "--no-merges", "HEAD", "--", name, seconds=LONGEST_LOOK)
    except (Unavailable, ValueError):  # no history; a name from a stranger's report that no file can have
        return 0
    return int(said)


def understood(record: bytes) -> LoggedCommit:
    head, _, diff = record.partition(b"\0\n")
    fields = head.split(b"\n", FIELDS - 1)
    fields += [b""] * (FIELDS - len(fields))
    words = diff.split(b"\0")  # status, name, status, name; a rename has two names
    if diff.find(b"R100") < 0:
        return LoggedCommit._make((*fields, words[1::2], []))
    return LoggedCommit._make((*fields, *_names(words)))


def _names(words: list[bytes]) -> tuple[list[bytes], list[tuple[bytes, bytes]]]:
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


def _records(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What git prints of each commit. Of one it broke off in, what is complete."""
    rest = b"\0"  # the first commit, too, then stands after two
    failure = None
    try:
        for piece in pieces:
            *whole, rest = (rest + piece).split(b"\0\0")
            yield from filter(None, whole)
    except Unavailable as reason:
        failure = reason
    if last := rest.rpartition(b"\0")[0]:
        yield last
    if failure is not None:
        raise failure


def has_usable_mailmap(tree: git.WorkTree) -> bool:
    """git would wait forever for a .mailmap that is a pipe."""
    try:
        return stat.S_ISREG(os.lstat(tree.top / ".mailmap").st_mode)
    except OSError:
        return False

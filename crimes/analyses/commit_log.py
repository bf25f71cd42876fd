"""The commits of a repository as `git log` tells them: who, when, why, and which files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import chain, islice, repeat
from typing import NamedTuple

from crimes import git
from crimes.errors import Unavailable

# Names only: counting lines costs twenty times as much, and fails where a partial clone lacks the contents.
# Only unchanged files count as renamed, for the same reason; an empty file is no evidence of anything.
LOG = ("log", "-z", "--name-status", "-M100%", "--no-rename-empty", f"-O{os.devnull}", "--encoding=UTF-8")
QUIET = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--no-decorate")

WITH_MAILMAP = ("--use-mailmap", "--format=%H%x00%aN%x00%aE%x00%ct%x00%P%x00%s")
WITHOUT_MAILMAP = ("--no-use-mailmap", "--format=%H%x00%an%x00%ae%x00%ct%x00%P%x00%s")


class Change(NamedTuple):
    """A file a commit changed; `old` is its name before, when the commit renamed it, else empty."""

    old: bytes
    name: bytes


class LoggedCommit(NamedTuple):
    """One commit. Names of files are as git has them: relative to the top of the work tree, undecoded."""

    sha: str
    author: str
    email: str
    seconds: int  # commit time
    parents: int
    subject: str
    changes: list[Change]


def read_log(tree: git.WorkTree) -> Iterator[LoggedCommit]:
    """All commits behind HEAD, newest first. Unavailable, possibly after some commits, when git gives up."""
    person = WITH_MAILMAP if _has_usable_mailmap(tree) else WITHOUT_MAILMAP
    tokens = _tokens(git.stream(tree, *LOG, *QUIET, *person, "--"))
    token = next(tokens, b"")
    while token:
        author, email, seconds, parents, subject = islice(chain(tokens, repeat(b"")), 5)
        changes: list[Change] = []
        sha, token = token, next(tokens, b"").removeprefix(b"\n")
        while 0 < len(token) < 5:  # a status such as M or R100; a commit's id is ten times as long
            old = next(tokens, b"") if token[:1] in b"RC" else b""
            changes.append(Change(old, next(tokens, b"")))
            token = next(tokens, b"")
        yield LoggedCommit(
            sha.decode("ascii", "replace"),
            author.decode("utf-8", "replace"),
            email.decode("utf-8", "replace"),
            int(seconds or 0),
            len(parents.split()),
            subject.decode("utf-8", "replace"),
            changes,
        )
    next(tokens, b"")  # raises what ended the log early


def _tokens(pieces: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    try:
        for piece in pieces:
            *whole, rest = (rest + piece).split(b"\0")
            yield from whole
    except Unavailable:
        yield b""  # ends the commit before, which is complete
        raise


def _has_usable_mailmap(tree: git.WorkTree) -> bool:
    """git would wait forever for a .mailmap that is a pipe."""
    try:
        return stat.S_ISREG(os.lstat(tree.top / ".mailmap").st_mode)
    except OSError:
        return False

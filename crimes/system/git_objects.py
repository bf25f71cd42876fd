"""The files of a commit, read from git's objects: no checkout is touched and no filter runs."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from crimes.model.errors import Unavailable
from crimes.model.lazy_regex import regex
from crimes.system import git

_WHOLE_ID = regex(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MAX_COMMITS_KNOWN = 1_000
_commits: set[tuple[git.WorkTree, str]] = set()  # ids that git said are commits
MAX_BLOB_BYTES = 50_000_000
MAX_NAMES_ASKED = 200  # on a command line; the whole list of a commit is quick


class Blob(NamedTuple):
    """A file of a commit. `content` is None above the size limit; of a link it is the target."""

    path: str  # from the top of the work tree
    link: bool
    size: int
    content: bytes | None


class _Entry(NamedTuple):
    path: str
    mode: int
    object: bytes
    size: int


def commit_of(tree: git.WorkTree, revision: str) -> str:
    """The id of the commit a branch, tag or id names. Unavailable when it names none."""
    # A comparison asks for the same whole id several times; what it names never changes.
    if _WHOLE_ID.fullmatch(revision) and (tree, revision) in _commits:
        return revision
    commit = _resolve(tree, revision)
    if len(_commits) >= _MAX_COMMITS_KNOWN:
        _commits.clear()
    _commits.add((tree, commit))
    return commit


def head_commit(tree: git.WorkTree) -> str:
    """The commit that is checked out; empty where the first one is still to come. Unavailable when git cannot tell."""
    try:
        return commit_of(tree, "HEAD")
    except git.NoAnswer:
        raise
    except Unavailable:
        if has_commits(tree):
            raise
        return ""


def _resolve(tree: git.WorkTree, revision: str) -> str:
    try:
        output = git.run(tree, "rev-parse", "--verify", "--end-of-options", revision + "^{commit}")
    except git.NoAnswer:
        raise
    except Unavailable as reason:
        raise Unavailable(f"'{revision}' is not a commit in this repository{_shallow_hint(tree)}") from reason
    commit = output.decode("ascii").strip()
    if commit.startswith("^"):
        raise Unavailable(f"'{revision}' excludes a commit instead of naming one")
    return commit


def has_commits(tree: git.WorkTree) -> bool:
    """Whether the branch that is checked out has a commit: in a new repository the first one is still to come."""
    return bool(git.run(tree, "rev-parse", "--verify", "--quiet", "HEAD", accepted=(0, 1)).strip())


def is_shallow(tree: git.WorkTree) -> bool:
    """Whether the clone was cut off at some depth."""
    return git.run(tree, "rev-parse", "--is-shallow-repository").strip() == b"true"


def commit_before(tree: git.WorkTree, commit: str, seconds: int) -> str:
    """The last commit at or before a moment on the first-parent line of a commit: what a branch held then. Empty without one."""
    output = git.run(tree, "rev-list", "-1", "--first-parent", f"--min-age={max(seconds, 0)}", commit, "--")
    return output.decode("ascii").strip()


def commit_time(tree: git.WorkTree, commit: str) -> int:
    """When a commit was committed, in seconds since 1970."""
    return int(git.run(tree, "rev-list", "-1", "--timestamp", commit, "--").split()[0])


def first_commit_seconds(tree: git.WorkTree, commit: str) -> int:
    """When the first-parent line of a commit begins."""
    output = git.run(tree, "rev-list", "-1", "--first-parent", "--max-parents=0", "--timestamp", commit, "--")
    return int(output.split()[0])


def _shallow_hint(tree: git.WorkTree) -> str:
    """Advice for a commit that a shallow clone may lack, else empty."""
    return (
        ", which is a shallow clone; run `git fetch --unshallow`, or set fetch-depth: 0 in CI"
        if is_shallow(tree)
        else ""
    )


def merge_base(tree: git.WorkTree, commit: str, other: str = "HEAD") -> str:
    """The commit where two commits part. Unavailable when there is none in this clone."""
    base = git.run(tree, "merge-base", commit, other, accepted=(0, 1)).decode("ascii").strip()
    if not base:
        raise Unavailable(f"no common commit in this repository{_shallow_hint(tree)}")
    return base


def tree_at(
    tree: git.WorkTree,
    revision: str,
    max_bytes: int = MAX_BLOB_BYTES,
    names: Collection[str] | None = None,
) -> Iterator[Blob]:
    """Every file and link of a commit, or those with these names, in git's order.

    Submodules are left out: they hold no content of ours.
    """
    commit = commit_of(tree, revision)
    if names is None:
        entries = list(_entries(tree, commit))
    else:
        is_plain = len(names) <= MAX_NAMES_ASKED and not any(name.startswith(":") for name in names)
        few = sorted(names) if is_plain else ()  # a colon would begin a pattern
        entries = [entry for entry in _entries(tree, commit, few) if entry.path in names]
    readable = [entry for entry in entries if entry.size <= max_bytes]
    contents = _contents(tree, readable)
    for entry in entries:
        content = next(contents) if entry.size <= max_bytes else None
        yield Blob(entry.path, stat.S_ISLNK(entry.mode), entry.size, content)


def tree_bytes(tree: git.WorkTree, commit: str) -> int:
    """The size of all files of a commit together. Unavailable when git cannot tell."""
    return sum(entry.size for entry in _entries(tree, commit))


def _entries(tree: git.WorkTree, commit: str, names: Sequence[str] = ()) -> Iterator[_Entry]:
    """What a commit holds under these names, which git takes as they are; all of it without any."""
    listing = git.run(tree, "ls-tree", "-r", "-z", "--long", "--full-tree", commit, "--", *names)
    for record in listing.split(b"\0")[:-1]:
        head, _, path = record.partition(b"\t")
        mode, kind, object_, size = head.split()
        if kind != b"blob":
            continue
        if not size.isdigit():
            raise Unavailable(f"an object of {commit[:12]} is missing in this clone")
        yield _Entry(os.fsdecode(path), int(mode, 8), object_, int(size))


def _contents(tree: git.WorkTree, entries: list[_Entry]) -> Iterator[bytes]:
    """The content of each entry, from one process: `id type size`, a newline, the bytes, a newline."""
    requests = (entry.object + b"\n" for entry in entries)
    reader = _Reader(git.stream(tree, "cat-file", "--batch", "--buffer", stdin=requests))
    for entry in entries:
        head = reader.line().split(b" ")
        if head != [entry.object, b"blob", str(entry.size).encode()]:
            raise Unavailable(f"git could not read an object: {head[-1].decode('ascii', 'replace')[:40]}")
        yield reader.take(entry.size)
        reader.take(1)


class _Reader:
    """Lines and counted bytes out of pieces of any size."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""

    def line(self) -> bytes:
        """All up to the next newline, without it."""
        while b"\n" not in self._rest:
            self._rest += self._next()
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def take(self, size: int) -> bytes:
        """Exactly so many bytes."""
        parts, missing = [], size
        while missing > len(self._rest):
            parts.append(self._rest)
            missing -= len(self._rest)
            self._rest = self._next()
        parts.append(self._rest[:missing])
        self._rest = self._rest[missing:]
        return b"".join(parts)

    def _next(self) -> bytes:
        piece = next(self._pieces, None)
        if piece is None:
            raise Unavailable("the output of git is cut off")
        return piece

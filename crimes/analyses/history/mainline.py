"""The changes that were merged into a branch, and what later commits did about them: fixes and reverts."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from datetime import UTC, datetime

from msgspec import Struct

from crimes.analyses.history.git_log import QUIET
from crimes.analyses.history.subjects import is_fix, reverted_subject
from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.git_diff import lines_of
from crimes.system.git_patches import read_patches

MIN_TELLING_CHARS = 8  # of a line; a shorter one stands in many places
_REVERTED_COMMIT = regex(rb"This reverts commit ([0-9a-f]{7,64})")
_ENTRY = "--format=%x00%H%n%P%n%ct%n%s"
_WITH_BODY = "--format=%x00%H%n%ct%n%s%n%b"
_LINES = ("diff", "--unified=0", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames")


class MergedChange(Struct, frozen=True):
    """A commit on the main line, and the state it was merged into."""

    commit: str
    base: str  # its first parent
    time: datetime
    subject: str
    is_merge: bool


class LaterCommit(Struct, frozen=True):
    """A commit that followed a change and repaired it or took it back."""

    commit: str
    time: datetime
    subject: str
    is_revert: bool
    same_lines: bool  # it edited lines that the change wrote, or took the change back as a whole


def merged_changes(tree: git.WorkTree, number: int) -> list[MergedChange]:
    """The last changes of the checked-out branch, newest first, by first parents; commits without a parent have no change.

    Below a folder of the repository, those that touched it. Unavailable when git cannot tell.
    """
    below = ("--", ":(top,literal)" + os.fsdecode(tree.prefix)) if tree.prefix else ("--",)
    log = ("--first-parent", f"-n{number}", *QUIET, "--encoding=UTF-8", _ENTRY, "HEAD", *below)
    changes = []
    for record in _records(tree, *log):
        commit, parents, seconds, subject = record.rstrip(b"\n").split(b"\n", 3)
        ids = parents.decode("ascii").split()
        if ids:
            changes.append(
                MergedChange(commit.decode("ascii"), ids[0], _moment(seconds), _text(subject), len(ids) > 1)
            )
    return changes


def later_commits(tree: git.WorkTree, change: MergedChange, files: Collection[str]) -> Iterator[LaterCommit]:
    """Fixes of the same files and reverts of the change, oldest first. Unavailable when git cannot tell.

    `files` are names below the root that the change is held against.
    """
    own = _records(tree, *QUIET, "--format=%x00%H%n%s", f"{change.base}..{change.commit}", "--")
    parts = [record.rstrip(b"\n").partition(b"\n") for record in own]
    commits = {commit for commit, _, _ in parts}
    subjects = {_text(subject) for _, _, subject in parts}
    later = _log_after(tree, change.commit)
    names = [os.fsdecode(tree.prefix) + file for file in sorted(files)]
    touching = {commit for commit, *_ in _log_after(tree, change.commit, names)} if names else set()
    fixes = [commit for commit, _, subject, _ in later if commit in touching and is_fix(_text(subject))]
    written = _written_lines(tree, change, names) if fixes else frozenset()
    editing = _editing(tree, fixes, names, written)
    for commit, seconds, subject, body in later:
        is_revert = _reverts(_text(subject), body, commits, subjects)
        if is_revert or commit in fixes:
            yield LaterCommit(
                commit.decode("ascii"),
                _moment(seconds),
                _text(subject),
                is_revert=is_revert,
                same_lines=is_revert or commit in editing,
            )


def _log_after(
    tree: git.WorkTree, commit: str, names: Collection[str] = ()
) -> list[tuple[bytes, bytes, bytes, bytes]]:
    """Id, time, subject and body of the commits after one, oldest first."""
    below = [f":(top,literal){name}" for name in names]
    options = ("--no-merges", "--reverse", "--topo-order", *QUIET, "--encoding=UTF-8", _WITH_BODY)
    records = (record.split(b"\n", 3) for record in _records(tree, *options, f"{commit}..HEAD", "--", *below))
    return [(commit, seconds, subject, body) for commit, seconds, subject, body in records]


def _records(tree: git.WorkTree, *options: str) -> list[bytes]:
    """What `git log` says of each commit, in a format that begins with a zero byte."""
    return b"".join(git.stream(tree, "log", *options)).split(b"\0")[1:]


def _reverts(subject: str, body: bytes, commits: Collection[bytes], subjects: Collection[str]) -> bool:
    """Whether a commit takes one of these back: by its id, or where that is not said, by its subject."""
    stated = _REVERTED_COMMIT.findall(body)
    if stated:
        return any(commit.startswith(prefix) for prefix in stated for commit in commits)
    return reverted_subject(subject) in subjects


def _written_lines(tree: git.WorkTree, change: MergedChange, names: Collection[str]) -> frozenset[bytes]:
    """The lines that a change wrote into some files, trimmed; those too short to tell anything are left out."""
    below = [f":(top,literal){name}" for name in names]
    output = lines_of(git.stream(tree, *_LINES, change.base, change.commit, "--", *below))
    added = (line[1:].strip() for line in output if line.startswith(b"+") and not line.startswith(b"+++"))
    return frozenset(line for line in added if len(line) >= MIN_TELLING_CHARS)


def _editing(
    tree: git.WorkTree, commits: Collection[bytes], names: Collection[str], written: Collection[bytes]
) -> frozenset[bytes]:
    """Of these commits, those that edit one of the lines."""
    if not commits or not written:
        return frozenset()
    patches = read_patches(tree, commits, [os.fsencode(name) for name in names])
    return frozenset(
        patch.sha for patch in patches if any(line.strip() in written for line in patch.before.lines)
    )


def _moment(seconds: bytes) -> datetime:
    return datetime.fromtimestamp(int(seconds or 0), UTC)


def _text(subject: bytes) -> str:
    return subject.decode("utf-8", "replace")

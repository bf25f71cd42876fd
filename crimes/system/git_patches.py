"""What some commits did to some files: both versions in full, and the lines that differ. One git process reads them all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.git_diff import lines_of, new_name

MAX_CONTEXT_LINES = 100_000  # the whole file
MAX_SECONDS = 60

_PATCH = (
    "diff-tree",
    "--stdin",
    "-r",
    "--patch",
    f"--unified={MAX_CONTEXT_LINES}",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=all",
    "--diff-algorithm=myers",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    f"-O{os.devnull}",
)
_COMMIT = regex(rb"[0-9a-f]{40,64}$")
_HUNK = regex(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class Version(NamedTuple):
    """One side of a patch."""

    source: bytes
    changed: list[int]  # numbers of the lines that the other side has not, sorted


class Patch(NamedTuple):
    """A commit's change of one file. A file that is new or deleted has none."""

    sha: bytes
    path: bytes  # its name then, from the top of the work tree
    before: Version
    after: Version


def read_patches(tree: git.WorkTree, shas: Iterable[bytes], paths: Iterable[bytes]) -> Iterator[Patch]:
    """The patches of the commits to the files, in the order of the commits.

    Unavailable, possibly after some patches, when git cannot tell: a partial clone may lack the contents.
    """
    names = [f":(top,literal){os.fsdecode(path)}" for path in paths]
    stdin = (sha + b"\n" for sha in shas)
    sha = path = b""
    lines = lines_of(git.stream(tree, *_PATCH, "--", *names, stdin=stdin, seconds=MAX_SECONDS))
    for line in lines:
        if _COMMIT.match(line):
            sha = line
        elif line.startswith(b"--- "):
            path = b"" if line == b"--- /dev/null" else b"?"
        elif line.startswith(b"+++ "):
            path = path and os.fsencode(new_name(line))
        elif match := _HUNK.match(line):
            before, after = _versions(int(match[1] or 1), int(match[2] or 1), lines)
            if path:
                yield Patch(sha, path, before, after)


def _versions(old_lines: int, new_lines: int, lines: Iterator[bytes]) -> tuple[Version, Version]:
    """Both sides of a hunk that spans the file; as many lines are read as its head promises."""
    before: list[bytes] = []
    after: list[bytes] = []
    removed: list[int] = []
    added: list[int] = []
    while len(before) < old_lines or len(after) < new_lines:
        line = next(lines, b"\\end")
        kind, text = line[:1], line[1:]
        if text == b"end" and kind == b"\\":
            break
        if kind in (b" ", b"-"):
            before.append(text)
        if kind in (b" ", b"+"):
            after.append(text)
        if kind == b"-":
            removed.append(len(before))
        elif kind == b"+":
            added.append(len(after))
    return Version(b"\n".join(before), removed), Version(b"\n".join(after), added)

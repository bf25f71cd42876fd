"""What some commits did to some files: the lines that differ, alone or within both versions. One git process reads them all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from crimes.model.errors import Unavailable
from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.git_diff import lines_of, new_name

WHOLE_FILE_LINES = 100_000  # of context: more than a file has
MAX_SECONDS = 60

_PATCH = (
    "diff-tree",
    "--stdin",
    "-r",
    "--patch",
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
    """One side of a patch: the lines that are shown, and the numbers among them of those the other side has not."""

    lines: list[bytes]
    changed: list[int]  # sorted, from 1


class Patch(NamedTuple):
    """A commit's change of one file. A file that is new or deleted has none."""

    sha: bytes
    path: bytes  # its name then, from the top of the work tree
    before: Version
    after: Version


def read_patches(
    tree: git.WorkTree, shas: Iterable[bytes], paths: Iterable[bytes], context_lines: int = 0
) -> Iterator[Patch]:
    """The patches of the commits to the files, in the order of the commits; `context_lines` around each change.

    Unavailable, possibly after some patches, when git cannot tell: a partial clone may lack the contents.
    """
    names = [f":(top,literal){os.fsdecode(path)}" for path in paths]
    stdin = [sha + b"\n" for sha in shas]
    options = (*_PATCH, f"--unified={context_lines}", "--", *names)
    sha = b""
    patch: Patch | None = None
    lines = lines_of(git.stream(tree, *options, stdin=stdin, seconds=MAX_SECONDS))
    for line in lines:
        if match := _HUNK.match(line):
            if patch:
                _add_hunk(patch, int(match[1] or 1), int(match[2] or 1), lines)
        elif line.startswith(b"diff --git ") or _COMMIT.match(line):
            if patch and patch.path:
                yield patch
            sha = sha if line.startswith(b"diff") else line
            patch = Patch(sha, b"", Version([], []), Version([], []))
        elif line.startswith(b"+++ ") and patch:
            patch = patch._replace(path=os.fsencode(new_name(line)))
        elif line.startswith(b"new file mode "):
            patch = None
    if patch and patch.path:
        yield patch


def _add_hunk(patch: Patch, old_lines: int, new_lines: int, lines: Iterator[bytes]) -> None:
    """Add a hunk to both sides; as many lines are read as its head promises."""
    before, after = patch.before, patch.after
    while old_lines > 0 or new_lines > 0:
        line = next(lines, None)
        if line is None:
            raise Unavailable("the diff ended in the middle of a hunk")
        kind, text = line[:1], line[1:]
        if kind in (b" ", b"-"):
            before.lines.append(text)
            old_lines -= 1
        if kind in (b" ", b"+"):
            after.lines.append(text)
            new_lines -= 1
        if kind == b"-":
            before.changed.append(len(before.lines))
        elif kind == b"+":
            after.changed.append(len(after.lines))

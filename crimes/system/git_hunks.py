"""What single commits changed in some files, line by line, with the lines around each change."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.git_diff import lines_of, new_name

CONTEXT_LINES = 6
MAX_PATCH_BYTES = 8_000_000  # of one answer of git; what comes after is not read
_PATCH = (
    "show",
    "--format=%H%x00%at%x00%an%x00%s",
    "--no-use-mailmap",
    "--no-decorate",
    "--no-notes",
    "--no-show-signature",
    "--patch",
    f"--unified={CONTEXT_LINES}",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-renames",
    "--ignore-submodules=all",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    f"-O{os.devnull}",
)
_COMMIT = regex(rb"[0-9a-f]{40,64}(?=\0|$)")
_HUNK = regex(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class Hunk(NamedTuple):
    """One hunk: the lines before and after the commit, and where they differ.

    A block (a, b, c, d) says that `old[a:b]` became `new[c:d]`.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    blocks: tuple[tuple[int, int, int, int], ...]


class PatchedCommit(NamedTuple):
    """A commit as its patch names it."""

    sha: str
    authored: int  # in seconds
    author: str
    subject: str


def patches_of(
    tree: git.WorkTree, commits: Sequence[str], paths: Sequence[str]
) -> Iterator[tuple[PatchedCommit, str, Hunk]]:
    """Commit, path and hunk for all that the commits changed in these files of `root`.

    A path is what the commit calls it; whoever wants the edits under an earlier name asks for that too. Merges are left out.
    """
    names = [f":(top,literal){os.fsdecode(tree.prefix)}{path}" for path in paths]
    output = git.stream(tree, *_PATCH, *commits, "--", *names)
    commit, path = PatchedCommit("", 0, "", ""), ""
    prefix = os.fsdecode(tree.prefix)
    lines = lines_of(_first_bytes(output, MAX_PATCH_BYTES))
    for line in lines:
        if match := _HUNK.match(line):
            hunk = _parse_hunk(match, lines)
            if hunk is None:
                return
            if path:
                yield commit, path, hunk
        elif line.startswith(b"+++ "):
            path = new_name(line).removeprefix(prefix)
        elif _COMMIT.match(line):
            sha, seconds, author, subject = line.decode("utf-8", "replace").split("\0", 3)
            commit = PatchedCommit(sha, int(seconds or 0), author, subject)


def files_changed(tree: git.WorkTree, commits: Sequence[str]) -> dict[str, int]:
    """How many files each commit changed, by its whole name."""
    arguments = (
        "--name-only",
        "--no-renames",
        "--no-show-signature",
        "--no-notes",
        "--no-color",
        f"-O{os.devnull}",
    )
    output = git.run(tree, "show", "--format=%H", *arguments, *commits, "--") if commits else b""
    counts: dict[str, int] = {}
    sha = ""
    for line in output.split(b"\n"):
        if _COMMIT.match(line):
            sha = line.decode("ascii")
            counts[sha] = 0
        elif line:
            counts[sha] += 1
    return counts


def _first_bytes(pieces: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """The pieces up to a limit; the last one ends with a line."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            yield piece[: piece.rfind(b"\n") + 1]
            return
        yield piece


def _parse_hunk(match: re.Match[bytes], lines: Iterator[bytes]) -> Hunk | None:
    """The hunk whose head was read; None where the output breaks off inside it."""
    old_left, new_left = int(match[1] or 1), int(match[2] or 1)
    old: list[str] = []
    new: list[str] = []
    blocks: list[tuple[int, int, int, int]] = []
    is_open = False
    while old_left > 0 or new_left > 0:
        line = next(lines, None)
        if line is None:
            return None
        kind, text = line[:1], line[1:].decode("utf-8", "replace")
        if kind == b"\\":
            continue
        if kind == b" ":
            is_open = False
        elif not is_open:
            is_open = True
            blocks.append((len(old), len(old), len(new), len(new)))
        if kind != b"+":
            old.append(text)
            old_left -= 1
        if kind != b"-":
            new.append(text)
            new_left -= 1
        if is_open:
            blocks[-1] = (blocks[-1][0], len(old), blocks[-1][2], len(new))
    return Hunk(tuple(old), tuple(new), tuple(blocks))

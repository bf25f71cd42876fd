"""What the index says and `git diff` does not: files in conflict, and files that git is told not to look at.

These are `assume-unchanged`, `skip-worktree`, and what a sparse checkout leaves out. `git diff` calls them unchanged, whatever
the work tree holds.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from msgspec import Struct

from crimes.system import git
from crimes.system.safe_files import read_inside

_UNMERGED = "M"
_SKIPPED = "Ss"  # tags of `ls-files -v`; a small letter is `assume-unchanged`


class Unwatched(Struct, frozen=True):
    """What became of the files that git does not look at. Names are below the root and sorted."""

    edited: tuple[str, ...] = ()  # another content than the index has
    deleted: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  # not checked out: the checkout is sparse
    unmerged: tuple[str, ...] = ()  # a merge left them in conflict


def unwatched_files(tree: git.WorkTree) -> Unwatched:
    """The files below the root that git is told not to look at, compared with the index. Unavailable when git cannot tell."""
    edited: list[str] = []
    deleted: list[str] = []
    left_out: list[str] = []
    flagged, unmerged = _index_entries(tree)
    for tag, object_id, name in flagged:
        if not os.path.lexists(tree.root / name):
            (left_out if tag in _SKIPPED else deleted).append(name)
        elif not _has_content(tree.root, name, object_id):
            edited.append(name)
    if left_out and not _is_sparse(tree):
        deleted, left_out = sorted(deleted + left_out), []
    return Unwatched(tuple(edited), tuple(deleted), tuple(left_out), tuple(sorted(unmerged)))


def _index_entries(tree: git.WorkTree) -> tuple[list[tuple[str, str, str]], set[str]]:
    """Tag, object and name of every file that has one of the flags, and the names in conflict; submodules are none of our content."""
    flagged, unmerged = [], set()
    for record in git.run(tree, "ls-files", "-z", "-v", "--stage").split(b"\0"):
        if record.startswith(b"H ") or not record:
            continue
        head, _, name = os.fsdecode(record).partition("\t")
        tag, mode, object_id, _ = head.split(" ")
        if tag.upper() == _UNMERGED:
            unmerged.add(name)
        elif mode != "160000":
            flagged.append((tag, object_id, name))
    return flagged, unmerged


def _has_content(root: Path, name: str, object_id: str) -> bool:
    """Whether a file is what the index has, with line ends as git stores them or as they are. A link is not followed."""
    file = root / name
    try:
        content = os.fsencode(file.readlink()) if file.is_symlink() else read_inside(root, name)
    except OSError:
        return False
    return object_id in (
        _object_id(content, object_id),
        _object_id(content.replace(b"\r\n", b"\n"), object_id),
    )


def _object_id(content: bytes, like: str) -> str:
    """The id git gives to a content, by the hash that another id was made with."""
    hash_of = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return hash_of(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _is_sparse(tree: git.WorkTree) -> bool:
    answer = git.run(tree, "config", "--type=bool", "--get", "core.sparseCheckout", accepted=(0, 1))
    return answer.strip() == b"true"

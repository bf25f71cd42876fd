"""What changed between a commit and the work tree, or another commit: files, and the lines of the new side that a diff shows.

git makes the diff, with everything closed that a repository could use to run a program or to change its shape.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from crimes.model.errors import Unavailable
from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.git_objects import commit_of
from crimes.system.git_unwatched import Unwatched, unwatched_files

RAW = (
    "diff",
    "--raw",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=all",
    "--find-renames",
    "--relative",  # names from the folder that is looked at, and only those below it
    f"-O{os.devnull}",  # no order file
)
DIFF = (
    *RAW,
    "--patch",
    "--unified=3",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
MAX_CHANGED_FILES = 1_000_000
_HUNK = regex(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_SUBMODULE_MODE = b"160000"
_ESCAPE = regex(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_ESCAPES = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
}


class Change(Struct, frozen=True):
    """A file the diff touches. Lines are those of the new side; both tuples are sorted and do not overlap."""

    path: str  # what it is called now; a deleted file keeps its name
    old: str  # what it was called; the same unless it was moved
    deleted: bool = False
    shown: tuple[range, ...] = ()  # every line of the hunks: where a comment can stand
    added: tuple[range, ...] = ()  # of those, the ones that are new or changed

    def shows(self, line: int) -> bool:
        """Whether a hunk shows the line."""
        return any(line in part for part in self.shown)

    def adds(self, line: int) -> bool:
        """Whether the line is new or changed."""
        return any(line in part for part in self.added)

    def first_added(self, start: int, end: int) -> int | None:
        """The first new line from `start` to `end`, both inside."""
        for part in self.added:
            line = max(part.start, start)
            if line in part and line <= end:
                return line
        return None


class Difference(Struct, frozen=True):
    """The diff of a commit; files that git does not track are not part of it."""

    base: str
    changes: Mapping[str, Change]  # by present name, sorted
    left_out: tuple[
        str, ...
    ] = ()  # files that a sparse checkout does not have: nothing of them is in the work tree
    unmerged: tuple[str, ...] = ()  # files that a merge left in conflict

    @property
    def moved(self) -> Mapping[str, str]:
        """The former name of each file that was moved, by its present one."""
        return {path: change.old for path, change in self.changes.items() if change.old != path}


def difference(root: Path, revision: str, until: str = "", *, lines: bool = True) -> Difference:
    """Everything below `root` that differs from a commit, in the work tree or at another commit.

    Without `lines` only names are compared, which is much cheaper. Files that git is told not to look at are compared all
    the same. Unavailable when git cannot tell.
    """
    tree = git.find(root)
    commit = commit_of(tree, revision)
    ends = [commit, commit_of(tree, until)] if until else [commit]
    options = DIFF if lines else RAW
    output = git.stream(tree, *options, *ends, "--", variables=git.without_filters(tree))
    changes = parse_diff(lines_of(output))
    unwatched = Unwatched()
    if not until:
        unwatched = unwatched_files(tree)
        whole = (range(1, sys.maxsize),)
        changes |= {name: Change(name, name, added=whole) for name in unwatched.edited}
        changes |= {name: Change(name, name, deleted=True) for name in unwatched.deleted}
    ordered = {path: changes[path] for path in sorted(changes)}
    return Difference(commit, ordered, unwatched.left_out, unwatched.unmerged)


# Files that git keeps during an operation; a rebase picks commits, so it comes first.
_OPERATIONS = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
}


def index_changes(root: Path, *, to_work_tree: bool = False) -> dict[str, Change]:
    """Files below `root` that differ between HEAD and the index, or between the index and the work tree.

    In a hook of `git commit -a` the index is another file, which git names.
    """
    tree = git.find(root)
    sides = () if to_work_tree else ("--cached",)
    variables = git.without_filters(tree) | _index_of_hook(tree)
    return parse_diff(lines_of(git.stream(tree, *RAW, *sides, "--", variables=variables)))


def known_files(root: Path) -> set[str]:
    """Files below `root` that git tracks, as the index has them. Unavailable when git cannot tell."""
    names = git.run(git.find(root), "ls-files", "-z", "--cached")
    return set(filter(None, os.fsdecode(names).split("\0")))


def untracked_files(root: Path) -> set[str]:
    """Files below `root` that git does not know yet and does not ignore. Unavailable when git cannot tell."""
    names = git.run(git.find(root), "ls-files", "-z", "--others", "--exclude-standard")
    return set(filter(None, os.fsdecode(names).split("\0")))


def changed_submodules(
    root: Path, revision: str, until: str = "", differing: Collection[str] | None = None
) -> list[str]:
    """Submodules below `root` that point at another commit than at a revision; what changed in them is not looked at.

    `differing` names the files of `root` that are not in the work tree as they are at the revision, if known.
    """
    tree = git.find(root)
    has_none = not os.path.lexists(tree.top / ".gitmodules")
    if (
        has_none
        and not until
        and tree.root == tree.top
        and differing is not None
        and ".gitmodules" not in differing
    ):
        return []
    ends = [commit_of(tree, end) for end in (revision, until) if end]
    # The file that lists them may be gone with the last one.
    if has_none and not any(_lists_submodules(tree, end) for end in ends):
        return []
    options = [option for option in RAW if not option.startswith("--ignore-submodules")]
    output = git.stream(
        tree, *options, "--ignore-submodules=dirty", *ends, "--", variables=git.without_filters(tree)
    )
    lines = (line for line in lines_of(output) if _SUBMODULE_MODE in line[1:].split(b" ")[:2])
    return sorted(_parse_raw(line).path for line in lines)


def _lists_submodules(tree: git.WorkTree, commit: str) -> bool:
    return bool(git.run(tree, "ls-tree", "--full-tree", "--name-only", commit, "--", ".gitmodules"))


def edited_submodules(root: Path) -> list[str]:
    """Submodules below `root` with edits that are not committed there. Each is asked as a repository of its own, so that
    its settings run nothing."""
    tree = git.find(root)
    if not os.path.lexists(tree.top / ".gitmodules"):
        return []
    records = os.fsdecode(git.run(tree, "ls-files", "-z", "--stage")).split("\0")
    names = {
        record.partition("\t")[2] for record in records if record.startswith(os.fsdecode(_SUBMODULE_MODE))
    }
    return sorted(name for name in names if _is_edited(root / name))


def _is_edited(folder: Path) -> bool:
    """Whether a submodule has edits; not if it is not checked out."""
    if folder.is_symlink() or not os.path.lexists(folder / ".git"):
        return False
    return bool(difference(folder, "HEAD", lines=False).changes or untracked_files(folder))


def operation_in_progress(root: Path) -> str:
    """What git is in the middle of while files are in conflict: `merge`, `rebase`, `cherry-pick` or `revert`."""
    tree = git.find(root)
    folder = Path(os.fsdecode(git.run(tree, "rev-parse", "--absolute-git-dir").rstrip(b"\n")))
    for mark, operation in _OPERATIONS.items():
        if os.path.lexists(folder / mark):
            return operation
    return "merge"


def ignored_names(root: Path, names: Iterable[str]) -> set[str]:
    """Of these names below `root`, those that the ignore rules leave out, tracked or not. Unavailable when git cannot tell."""
    stdin = os.fsencode("\0".join(names))
    if not stdin:
        return set()
    output = git.run(
        git.find(root), "check-ignore", "--no-index", "-z", "--stdin", stdin=stdin, accepted=(0, 1)
    )
    return set(filter(None, os.fsdecode(output).split("\0")))


def _index_of_hook(tree: git.WorkTree) -> dict[str, str]:
    """The index that a running commit names, if it is one of this repository."""
    name = os.environ.get("GIT_INDEX_FILE")
    if not name:
        return {}
    own = os.path.realpath(os.fsdecode(git.run(tree, "rev-parse", "--absolute-git-dir").rstrip(b"\n")))
    path = os.path.realpath(os.path.join(tree.top, name))
    return {"GIT_INDEX_FILE": path} if path.startswith(os.path.join(own, "")) else {}


def parse_diff(lines: Iterable[bytes]) -> dict[str, Change]:
    """The changes in the output of `git diff --raw --patch` with quoted names; each line without its newline."""
    changes: dict[str, Change] = {}
    shown: dict[str, list[range]] = {}
    added: dict[str, list[range]] = {}
    path = ""
    lines = iter(lines)
    for line in lines:
        if line.startswith(b":"):
            change = _parse_raw(line)
            changes[change.path] = change
            if len(changes) > MAX_CHANGED_FILES:
                raise Unavailable(f"more than {MAX_CHANGED_FILES:,} files differ")
        elif line.startswith(b"+++ "):
            path = new_name(line)
        elif match := _HUNK.match(line):
            shown_here, added_here = _parse_hunk(match, lines)
            if path:
                shown.setdefault(path, []).extend(shown_here)
                added.setdefault(path, []).extend(added_here)
    for path, ranges in shown.items():
        change = changes.get(path) or Change(path, path)
        changes[path] = replace(change, shown=tuple(ranges), added=tuple(added[path]))
    return changes


def _parse_raw(line: bytes) -> Change:
    """`:mode mode id id STATUS`, a tab, and the name; of a moved file both names."""
    head, *names = line.split(b"\t")
    if not names:
        raise Unavailable("the output of git diff has a line without a name")
    old, new = _unquote(names[0]), _unquote(names[-1])
    return Change(new, old, deleted=head.rpartition(b" ")[2] == b"D")


def new_name(line: bytes) -> str:
    """The name after `+++ `, empty for /dev/null. A tab follows a name with a space in it."""
    name = line[4:].removesuffix(b"\t")
    return "" if name == b"/dev/null" else _unquote(name).removeprefix("b/")


def _unquote(text: bytes) -> str:
    if text.startswith(b'"'):
        text = _ESCAPE.sub(_unescape, text[1:-1])
    return os.fsdecode(text)


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8)]) if len(code) == 3 else _ESCAPES.get(code, code)


def _parse_hunk(match: re.Match[bytes], lines: Iterator[bytes]) -> tuple[list[range], list[range]]:
    """The lines a hunk shows and those it adds; as many lines are read as its head promises."""
    old_left = int(match[1] or 1)
    start = line_number = int(match[2])
    end = start + int(match[3] or 1)
    added: list[range] = []
    while old_left > 0 or line_number < end:
        line = next(lines, None)
        if line is None:
            raise Unavailable("the output of git diff is cut off")
        kind = line[:1]
        if kind == b"\\":  # no newline at the end of the file: about the line before
            continue
        if kind == b"+":
            if added and added[-1].stop == line_number:
                added[-1] = range(added[-1].start, line_number + 1)
            else:
                added.append(range(line_number, line_number + 1))
        if kind != b"-":
            line_number += 1
        if kind != b"+":
            old_left -= 1
    return [range(start, end)] if end > start else [], added


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines in pieces of any size; a line may span many of them."""
    pending: list[bytes] = []
    for piece in pieces:
        first, *others = piece.split(b"\n")
        pending.append(first)
        if others:
            yield b"".join(pending)
            yield from others[:-1]
            pending = [others[-1]]
    if any(pending):
        yield b"".join(pending)

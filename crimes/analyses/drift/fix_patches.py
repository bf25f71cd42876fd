"""What fix commits changed in a few files: read from git once for each commit and file, then from the cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.analyses.history.fixes import CommitRef
from crimes.analyses.history.history import History
from crimes.detection.context import Context
from crimes.incremental.query import load, save
from crimes.model.errors import Unavailable
from crimes.system import git
from crimes.system.git_hunks import Hunk, patches_of

MAX_FILE_FIXES = 20  # the newest of each file
MAX_COMMITS = 300
_MEMO = "fix patches"

FixOf = tuple[str, str]  # abbreviated commit, path


def fixes_of(
    history: History, paths: Sequence[str], max_file_fixes: int = MAX_FILE_FIXES
) -> dict[FixOf, CommitRef]:
    """The newest fix commits of these files in three years, by commit and file."""
    listed = [
        (fix, path)
        for path in paths
        if path in history.files  # git does not know a new file yet
        for fix in (*history.files[path].fixes, *history.files[path].older_fixes)[:max_file_fixes]
    ]
    by_age = sorted({(fix.when, fix.sha) for fix, _ in listed})
    newest = {sha for _, sha in by_age[-MAX_COMMITS:]}
    return {(fix.sha, path): fix for fix, path in listed if fix.sha in newest}


def read_hunks(
    context: Context, wanted: Sequence[FixOf], memo: str = _MEMO
) -> Mapping[FixOf, tuple[Hunk, ...]]:
    """The hunks of each commit in each file. Readers of different files use different names of memos."""
    memory = context.memory
    known: dict[FixOf, tuple[Hunk, ...]] = (
        load(memory, memo, dict[tuple[str, str], tuple[Hunk, ...]]) if memory else None
    ) or {}
    missing = [key for key in wanted if key not in known]
    if missing:
        known |= _read(git.find(context.repo.root), missing)
        if memory:
            save(memory, memo, {key: known[key] for key in wanted})
    return {key: known[key] for key in wanted}


def _read(tree: git.WorkTree, keys: Sequence[FixOf]) -> dict[FixOf, tuple[Hunk, ...]]:
    """The hunks of each commit and file; none where git cannot tell."""
    hunks: dict[FixOf, list[Hunk]] = {key: [] for key in keys}
    commits = sorted({sha for sha, _ in keys})
    try:
        for commit, path, hunk in patches_of(tree, commits, sorted({path for _, path in keys})):
            if (commit.sha[:12], path) in hunks:
                hunks[commit.sha[:12], path].append(hunk)
    except Unavailable:
        return dict.fromkeys(keys, ())
    return {key: tuple(rows) for key, rows in hunks.items()}

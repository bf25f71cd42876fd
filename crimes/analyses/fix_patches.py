"""What fix commits changed in a few files: read from git once for each commit and file, then from the cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.analyses.history.history import CommitRef, History
from crimes.detection.context import Context
from crimes.incremental.query import load, save
from crimes.model.errors import Unavailable
from crimes.system import git
from crimes.system.git_patches import Hunk, patches_of

MAX_FILE_FIXES = 25  # the newest of each file
MAX_COMMITS = 400
_MEMO = "fix patches"

FixOf = tuple[str, str]  # abbreviated commit, path


def read_fixes(
    context: Context, history: History, paths: Sequence[str]
) -> tuple[Mapping[str, CommitRef], Mapping[FixOf, tuple[Hunk, ...]]]:
    """The fix commits of these files in three years, and the hunks of each in each file."""
    listed = [
        (fix, path)
        for path in paths
        for fix in (*history.files[path].fixes, *history.files[path].older_fixes)[:MAX_FILE_FIXES]
    ]
    newest = sorted({fix.sha: fix for fix, _ in listed}.values(), key=lambda fix: (fix.when, fix.sha))
    commits = {fix.sha: fix for fix in newest[-MAX_COMMITS:]}
    wanted = sorted({(fix.sha, path) for fix, path in listed if fix.sha in commits})
    memory = context.memory
    known: dict[FixOf, tuple[Hunk, ...]] = (
        load(memory, _MEMO, dict[tuple[str, str], tuple[Hunk, ...]]) if memory else None
    ) or {}
    missing = [key for key in wanted if key not in known]
    if missing:
        known |= _read(git.find(context.repo.root), missing)
        if memory:
            save(memory, _MEMO, {key: known[key] for key in wanted})
    return commits, {key: known[key] for key in wanted}


def _read(tree: git.WorkTree, keys: Sequence[FixOf]) -> dict[FixOf, tuple[Hunk, ...]]:
    """The hunks of each commit and file; none where git cannot tell."""
    hunks: dict[FixOf, list[Hunk]] = {key: [] for key in keys}
    shas = sorted({sha for sha, _ in keys})
    try:
        for commit, path, hunk in patches_of(tree, shas, sorted({path for _, path in keys})):
            if (commit[:12], path) in hunks:
                hunks[commit[:12], path].append(hunk)
    except Unavailable:
        return dict.fromkeys(keys, ())
    return {key: tuple(rows) for key, rows in hunks.items()}

"""Which fixes of three years changed each tangled function: the fix history of a file says little about one function of many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta

from crimes.analyses.drift.fix_patches import fixes_of, read_hunks
from crimes.analyses.function_totals import TOTALS
from crimes.analyses.history.fixes import CommitRef
from crimes.analyses.history.history import HISTORY
from crimes.detection.context import Analysis, Context
from crimes.model.facts import Function, Role
from crimes.system.git_hunks import Hunk

MIN_TANGLED = 50  # complexity after the discounts, from which the fixes of a function are read
# A fix on the branch at hand does not count yet: a pull request that repairs a function does not make it worse.
MIN_FIX_AGE = timedelta(days=30)
MAX_FILE_FIXES = 60  # the newest of each file
NEAR_LINES = 3  # around a change, which show where it was
MIN_LINE_CHARS = 8  # a shorter line stands in many functions
MIN_KNOWN_LINES = 2
_MEMO = "fix patches of functions"

FunctionFixes = Mapping[str, Mapping[int, tuple[CommitRef, ...]]]  # by path and index of the function


def build(context: Context) -> FunctionFixes:
    """By path and index of each tangled function: the fixes that changed it, newest first."""
    history, files = context[HISTORY], context.repo.files
    paths = [
        path
        for path, totals in context[TOTALS].items()
        if totals.most_tangled >= MIN_TANGLED and files[path].role is Role.SOURCE
    ]
    newest = history.reference_time - MIN_FIX_AGE
    fixes = {key: fix for key, fix in fixes_of(history, paths, MAX_FILE_FIXES).items() if fix.when <= newest}
    hunks = read_hunks(context, sorted(fixes), _MEMO)
    by_path: dict[str, list[tuple[CommitRef, tuple[Hunk, ...]]]] = {}
    for (sha, path), fix in fixes.items():
        by_path.setdefault(path, []).append((fix, hunks[sha, path]))
    return {
        path: _fixes_by_function(
            files[path].facts.functions,
            context.repo.read(path).decode("utf-8", "replace").splitlines(),
            by_path.get(path, ()),
        )
        for path in paths
    }


def _fixes_by_function(
    functions: Iterable[Function], lines: list[str], fixes: Collection[tuple[CommitRef, tuple[Hunk, ...]]]
) -> dict[int, tuple[CommitRef, ...]]:
    by_function = {}
    for index, function in enumerate(functions):
        if function.tangle is None or function.tangle.cost < MIN_TANGLED:
            continue
        own = frozenset(map(str.strip, lines[function.start - 1 : function.end]))
        other = frozenset(map(str.strip, (*lines[: function.start - 1], *lines[function.end :])))
        changing = [fix for fix, hunks in fixes if any(is_in(hunk, own, other) for hunk in hunks)]
        by_function[index] = distinct(changing)
    return by_function


def is_in(hunk: Hunk, lines: Collection[str], other: Collection[str]) -> bool:
    """Whether a change was made among these lines, and not among the others of the file.

    Most of what it left and of what stood around it is among them, and a part of that nowhere else.
    """
    for _, _, start, end in hunk.blocks:
        near = [line.strip() for line in hunk.new[max(start - NEAR_LINES, 0) : end + NEAR_LINES]]
        telling = [line for line in near if len(line) >= MIN_LINE_CHARS]
        known = [line for line in telling if line in lines]
        is_here = len(known) >= MIN_KNOWN_LINES and 2 * len(known) > len(telling)
        if is_here and any(line not in other for line in known):
            return True
    return False


def distinct(fixes: Iterable[CommitRef]) -> tuple[CommitRef, ...]:
    """Newest first; the same subject twice is a fix that was picked to another branch."""
    by_subject: dict[str, CommitRef] = {}
    for fix in sorted(fixes, key=lambda fix: (fix.when, fix.sha), reverse=True):
        by_subject.setdefault(fix.subject, fix)
    return tuple(by_subject.values())


FUNCTION_FIXES = Analysis("function_fixes", build)

"""Which commits of three years changed each tangled function: the history of a file says little about one function of many.

What counts is a change of behaviour: not of comments or white space alone, not by a bot, and not by a commit of more than 30 files,
which imports, moves or reformats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from crimes.analyses.history.fixes import CommitRef
from crimes.analyses.history.git_log import WINDOW_SECONDS
from crimes.analyses.history.history import HISTORY, History
from crimes.analyses.history.pull_requests import pull_request_number
from crimes.detection.context import Analysis, Context
from crimes.incremental.query import load, save
from crimes.model.errors import Unavailable
from crimes.model.facts import Function, Role
from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.git_hunks import Hunk, patches_of

MIN_TANGLED = 50  # complexity after the discounts, from which the edits of a function are read
# An edit on the branch at hand does not count yet: a pull request that repairs a function does not make it worse.
MIN_EDIT_AGE = timedelta(days=30)
SAME_WORK = timedelta(days=3)  # of one author: steps of one piece of work
MAX_FILE_COMMITS = 150  # the newest of each file, besides the fixes
MAX_COMMITS = 1200
COMMITS_AT_ONCE = 100  # that git is asked for
NEAR_LINES = 3  # around a change, which show where it was
MIN_LINE_CHARS = 8  # a shorter line stands in many functions
MIN_KNOWN_LINES = 2
COMMENT = regex(r"(?://|/\*|\*|#(?!\s*(?:if|else|elif|endif|define)\b)|--\s|<!--)")
_MEMO = "edits of functions"

CommitOfFile = tuple[str, str]  # abbreviated commit, path


class FileEdit(Struct, frozen=True, array_like=True):
    """What one commit changed in one file."""

    commit: CommitRef
    hunks: tuple[Hunk, ...]
    name: str  # of the file at that time


class FunctionPast(Struct, frozen=True):
    """The edits of a function in three years, newest first; `fixes` are those among them that say so.

    `written` is when a commit added most of its lines to a file that was there; None if none of these years did.
    """

    edits: tuple[CommitRef, ...] = ()
    fixes: tuple[CommitRef, ...] = ()
    written: datetime | None = None


class FilePast(Struct, frozen=True):
    """The pasts of the tangled functions of a file, by index; and when the file was created, if an ordinary commit did."""

    functions: Mapping[int, FunctionPast]
    created: datetime | None = None


Tangled = Mapping[str, Collection[int]]  # functions by path and index


def edit_period(history: History) -> str:
    """The time whose edits of functions count, in words: two days would read as those of the first and the last edit."""
    first = history.reference_time - timedelta(seconds=WINDOW_SECONDS)
    last = history.reference_time - MIN_EDIT_AGE
    return f"in three years ({first:%Y-%m} to {last:%Y-%m})"


class FunctionEdits:
    """Reads the edits of functions; what nobody asks about is not read."""

    def __init__(self, context: Context) -> None:
        self._context, self._history = context, context[HISTORY]

    def of(self, tangled: Tangled) -> Mapping[str, FilePast]:
        """By path: the edits of its functions, of those that are tangled enough and that history knows."""
        context, history = self._context, self._history
        chosen = {path: self._chosen(path, indexes) for path, indexes in tangled.items()}
        paths = [path for path, functions in chosen.items() if functions]
        by_path: dict[str, list[FileEdit]] = {path: [] for path in paths}
        names = {path: (path, *history.files[path].former_names) for path in paths}
        for (_, path), edit in _read_edits(context, _commits_of(history, paths), names).items():
            by_path[path].append(edit)
        return {
            path: _file_past(
                chosen[path],
                context.repo.read(path).decode("utf-8", "replace").splitlines(),
                edits,
                history,
                path,
            )
            for path, edits in by_path.items()
        }

    def _chosen(self, path: str, indexes: Collection[int]) -> dict[int, Function]:
        file = self._context.repo.files[path]
        if file.role is not Role.SOURCE or path not in self._history.files:
            return {}
        functions = {index: file.facts.functions[index] for index in indexes}
        return {
            index: function
            for index, function in functions.items()
            if function.tangle and function.tangle.cost >= MIN_TANGLED
        }


def _commits_of(history: History, paths: Iterable[str]) -> list[CommitOfFile]:
    """The fixes and the newest commits of each file, of at most `MAX_COMMITS` commits."""
    changes, wanted = history.changes, set[tuple[int, str]]()
    for path in paths:
        past = history.files[path]
        fixes = {fix.sha for fix in (*past.fixes, *past.older_fixes)}
        numbers = changes.commits_of(path)
        wanted |= {(number, path) for number in numbers[:MAX_FILE_COMMITS]}
        wanted |= {(number, path) for number in numbers if changes.shas[number] in fixes}
    newest = set(sorted({number for number, _ in wanted})[:MAX_COMMITS])
    return sorted((changes.shas[number], path) for number, path in wanted if number in newest)


def _read_edits(
    context: Context, wanted: Sequence[CommitOfFile], names: Mapping[str, Sequence[str]]
) -> Mapping[CommitOfFile, FileEdit]:
    """What each commit changed in each file. What an earlier scan read is not read again."""
    memory = context.memory
    known: dict[CommitOfFile, FileEdit] = (
        load(memory, _MEMO, dict[tuple[str, str], FileEdit]) if memory else None
    ) or {}
    missing = [key for key in wanted if key not in known]
    if missing:
        known |= _read(git.find(context.repo.root), missing, names)
        if memory:
            save(memory, _MEMO, {key: known[key] for key in wanted if key in known})
    return {key: known[key] for key in wanted if key in known}


def _read(
    tree: git.WorkTree, keys: Sequence[CommitOfFile], names: Mapping[str, Sequence[str]]
) -> dict[CommitOfFile, FileEdit]:
    """The edits by commit and file, also under the names it had; none where git cannot tell."""
    wanted, shas = set(keys), sorted({sha for sha, _ in keys})
    present = sorted({path for _, path in keys})
    known_as = {
        path: [path] for path in present
    }  # files by the names they have or had; who has it now comes first
    for path in present:
        for name in names[path][1:]:
            known_as.setdefault(name, []).append(path)
    hunks: dict[CommitOfFile, list[Hunk]] = {}
    named: dict[CommitOfFile, str] = {}
    refs: dict[str, CommitRef] = {}
    try:
        for start in range(0, len(shas), COMMITS_AT_ONCE):
            asked = shas[start : start + COMMITS_AT_ONCE]
            paths = {path for sha, path in keys if asked[0] <= sha <= asked[-1]}
            for commit, name, hunk in patches_of(
                tree, asked, sorted({n for path in paths for n in names[path]})
            ):
                sha = commit.sha[:12]
                key = next(((sha, path) for path in known_as.get(name, ()) if (sha, path) in wanted), None)
                if key is not None:
                    when = datetime.fromtimestamp(commit.authored, UTC)
                    refs[sha] = CommitRef(sha, when, commit.author, commit.subject)
                    hunks.setdefault(key, []).append(hunk)
                    named[key] = name
    except (Unavailable, OverflowError, ValueError):  # a partial clone; a date that no calendar has
        return {}
    return {key: FileEdit(refs[key[0]], tuple(rows), named[key]) for key, rows in hunks.items()}


def _file_past(
    functions: Mapping[int, Function],
    lines: list[str],
    edits: Collection[FileEdit],
    history: History,
    path: str,
) -> FilePast:
    newest = history.reference_time - MIN_EDIT_AGE
    file = history.files[path]
    fixes = {fix.sha for fix in (*file.fixes, *file.older_fixes)}
    first_name = (path, *file.former_names)[-1]
    creating = [
        edit.commit.when
        for edit in edits
        if edit.name == first_name and not any(hunk.old for hunk in edit.hunks)
    ]
    editing = [edit for edit in edits if any(hunk.old for hunk in edit.hunks)]
    counted = [edit for edit in editing if edit.commit.when <= newest]
    pasts: dict[int, FunctionPast] = {}
    for index, function in functions.items():
        own = frozenset(map(str.strip, lines[function.start - 1 : function.end]))
        other = frozenset(map(str.strip, (*lines[: function.start - 1], *lines[function.end :])))
        changing = [edit.commit for edit in counted if any(is_in(hunk, own, other) for hunk in edit.hunks)]
        pasts[index] = FunctionPast(
            edits=distinct(changing, fixes),
            fixes=distinct((commit for commit in changing if commit.sha in fixes), fixes),
            written=max((edit.commit.when for edit in editing if is_written(edit.hunks, own)), default=None),
        )
    return FilePast(pasts, min(creating, default=None))


def is_in(hunk: Hunk, lines: Collection[str], other: Collection[str]) -> bool:
    """Whether behaviour was changed among these lines, and not among the others of the file.

    Most of what the change left and of what stood around it is among them, and a part of that nowhere else.
    """
    for old_start, old_end, start, end in hunk.blocks:
        if _is_cosmetic(hunk.old[old_start:old_end], hunk.new[start:end]):
            continue
        near = [line.strip() for line in hunk.new[max(start - NEAR_LINES, 0) : end + NEAR_LINES]]
        telling = [line for line in near if len(line) >= MIN_LINE_CHARS]
        known = [line for line in telling if line in lines]
        is_here = len(known) >= MIN_KNOWN_LINES and 2 * len(known) > len(telling)
        if is_here and any(line not in other for line in known):
            return True
    return False


def is_written(hunks: Collection[Hunk], lines: Collection[str]) -> bool:
    """Whether a commit added most of these lines."""
    telling = {line for line in lines if len(line) >= MIN_LINE_CHARS}
    added = {
        line.strip()
        for hunk in hunks
        for old_start, old_end, start, end in hunk.blocks
        if not _is_cosmetic(hunk.old[old_start:old_end], hunk.new[start:end])
        for line in hunk.new[start:end]
    }
    removed = {
        line.strip()
        for hunk in hunks
        for old_start, old_end, _, _ in hunk.blocks
        for line in hunk.old[old_start:old_end]
    }
    return 2 * len(telling & (added - removed)) > len(telling)


def _is_cosmetic(old: Iterable[str], new: Iterable[str]) -> bool:
    """Whether two versions of some lines differ in comments and white space only."""
    return _code(old) == _code(new)


def _code(lines: Iterable[str]) -> str:
    stripped = (line.strip() for line in lines)
    return "".join("".join(line.split()) for line in stripped if not COMMENT.match(line))


def distinct(commits: Iterable[CommitRef], fixes: Collection[str]) -> tuple[CommitRef, ...]:
    """Newest first, without the same work twice.

    The same subject or pull request again is a commit that was picked to another branch. What else an author changed within days is
    a step of the same work, unless it is a fix.
    """
    chosen: list[CommitRef] = []
    seen: set[str] = set()
    last: dict[str, datetime] = {}
    for commit in sorted(commits, key=lambda commit: (commit.when, commit.sha), reverse=True):
        keys = {commit.subject, pull_request_number(commit.subject)} - {""}
        is_step = (
            commit.author in last
            and last[commit.author] - commit.when < SAME_WORK
            and commit.sha not in fixes
        )
        if seen.isdisjoint(keys) and not is_step:
            chosen.append(commit)
        seen |= keys
        last[commit.author] = commit.when
    return tuple(chosen)


FUNCTION_EDITS = Analysis("function_edits", FunctionEdits)

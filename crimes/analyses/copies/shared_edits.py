"""Edits that history made in several copies: in one commit, or in one copy first and in another later."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from crimes.analyses.clones import Copy
from crimes.analyses.code_tokens import TOKEN, same_names
from crimes.analyses.copies.groups import Region, SourceLines
from crimes.analyses.copies.past_edits import CommitOfFile, PastChange, PastEdits
from crimes.analyses.drift.edits import Edit, edits_in, joined, same_or_renamed
from crimes.analyses.drift.function_code import Tokens
from crimes.analyses.history.fixes import CommitRef
from crimes.analyses.history.history import History
from crimes.model.lazy_regex import regex

MAX_READ_CHANGES = 300  # of single files
MAX_READ_FIXES = 80  # of single files
MAX_REGION_FILES = 10
MAX_FILE_COMMITS = 25  # the newest of a file that holds all copies
MAX_FILE_FIXES = 10
MAX_COMMIT_FILES = 30  # a commit that changes more is a sweep
MAX_RENAMING_FILES = 6  # a commit that renames something in more files is one too
# A change that is under review now must not make the finding it is judged by.
MIN_EDIT_AGE = timedelta(days=14)
MIN_AGE = timedelta(days=14)  # of a copy: what changes earlier belongs to writing it
MIN_LATER = timedelta(days=2)  # between two commits that are not one piece of work
SAME_WORK = timedelta(days=7)
MIN_EDIT_TOKENS = 4
MIN_LINE_TOKENS = 3
MIN_STANDING_LINES = 3
MIN_STANDING_PERCENT = 60
MIN_SAME_NAMES_PERCENT = 50
_NEW_FILE = Edit((), (), (), (), (), ())
_NEAR_LINES = 3  # around a copy that belong to it as well


# Commits that say of themselves that they change no behaviour.
_UPKEEP = regex(
    r"^revert\b|\b(?:bump\w*|upgrad\w+|refactor\w*|clean(?:s|ed|er|ing|up)?|clean-?ups?|lint\w*|(?:re)?format\w*|styles?|moderni[sz]\w+|renam\w+"
    r"|clippy|ruff|prettier|eslint|typos?|spelling|licen[cs]es?|copyright|simplif\w+|tidy\w*|nits?|everywhere|where (?:possible|appropriate)|warnings?|sonar\w*|coverity"
    r"|error-?prone|mutations?|(?:static|code) analy[sz]\w+|deprecat\w+|alloc(?:ation)?s?)\b",
    re.IGNORECASE,
)


class SharedEdit(NamedTuple):
    """The same edit in several copies: by one commit, or by a later one in the copy that the first had missed."""

    first: CommitRef
    later: CommitRef | None
    copies: int


class _Placed(NamedTuple):
    """An edit of one commit, and the copies it may have been made in."""

    commit: CommitRef
    path: str
    edit: Edit
    copies: frozenset[int]


def shared_edits(
    regions: Sequence[Region], past: PastEdits, source: SourceLines
) -> dict[int, tuple[SharedEdit, ...]]:
    """By the number of a region: its shared edits, the newest first."""
    wanted = commits_to_read(regions, past.history)
    lines = {path: _texts_in(path, regions, source) for path in sorted({path for _, path in wanted})}
    edits: dict[str, list[tuple[CommitRef, Edit]]] = {}
    for (_, path), change in past.changes(wanted).items():
        edits.setdefault(path, []).extend(_edits(change, lines[path]))
    candidates = {
        number: _of_region(region, edits, source, past.history.reference_time - MIN_EDIT_AGE)
        for number, region in enumerate(regions)
        if any(path in edits for path in region.files)
    }
    shas = {
        commit.sha
        for shared in candidates.values()
        for edit, _ in shared
        for commit in (edit.first, edit.later)
        if commit
    }
    sizes = past.files_changed(shas) if shas else {}
    result = {}
    for number, shared in candidates.items():
        own = [edit for edit, is_renaming in shared if _is_no_sweep(edit, is_renaming, sizes)]
        if own:
            result[number] = tuple(distinct_edits(own))
    return result


def commits_to_read(regions: Sequence[Region], history: History) -> list[CommitOfFile]:
    """Commits that may have edited several copies of a region, with the files to look at; the larger regions first.

    Of a region in several files: commits that changed two of them, then fixes of one. Of a region in one file: its newest.
    """
    changes = history.changes
    first: list[CommitOfFile] = []
    second: list[CommitOfFile] = []
    for region in regions:
        paths = region.files[:MAX_REGION_FILES]
        own = {path: [changes.shas[commit] for commit in changes.commits_of(path)] for path in paths}
        if len(paths) == 1:
            first += [(sha, paths[0]) for sha in own[paths[0]][:MAX_FILE_COMMITS]]
            continue
        first += [(shas[-1], path) for path, shas in own.items() if shas]  # may have written the file
        together = Counter(sha for shas in own.values() for sha in shas)
        first += [(sha, path) for path in paths for sha in own[path] if together[sha] > 1]
        for path in paths:
            past = history.files.get(path)
            fixes = (*past.fixes, *past.older_fixes) if past else ()
            second += [(fix.sha, path) for fix in fixes[:MAX_FILE_FIXES]]
    return list(
        dict.fromkeys(
            (*list(dict.fromkeys(first))[:MAX_READ_CHANGES], *list(dict.fromkeys(second))[:MAX_READ_FIXES])
        )
    )


def _texts_in(path: str, regions: Sequence[Region], source: SourceLines) -> frozenset[str]:
    """The lines of all copies in a file, without indentation."""
    text = source.of(path)
    return frozenset(
        line.strip()
        for region in regions
        for copy in region.copies
        if copy.path == path
        for line in text[max(copy.start - 1 - _NEAR_LINES, 0) : copy.end + _NEAR_LINES]
    )


def _edits(change: PastChange, lines: frozenset[str]) -> Iterator[tuple[CommitRef, Edit]]:
    """The edits of a change that may have been made in a copy: lines of one stand around them."""
    for hunk in change.hunks:
        if not hunk.old:
            yield change.commit, _NEW_FILE
            continue
        if sum(len(line) > 1 and line in lines for line in map(str.strip, hunk.new)) < MIN_STANDING_LINES:
            continue
        for edit in edits_in(hunk):
            if joined(edit.removed) != joined(edit.added) and not _is_preprocessor(edit):
                yield change.commit, edit


def _is_preprocessor(edit: Edit) -> bool:
    """Whether an edit only changes under which conditions code is compiled."""
    return all(line[0] == "#" for line in (*edit.removed, *edit.added))


def _of_region(
    region: Region,
    edits: Mapping[str, Sequence[tuple[CommitRef, Edit]]],
    source: SourceLines,
    until: datetime,
) -> list[tuple[SharedEdit, bool]]:
    """Shared edits of a region, and whether each only renames something."""
    lines = [_lines_of(copy, source) for copy in region.copies]
    placed: list[_Placed] = []
    elsewhere: dict[str, list[Edit]] = {}
    written: dict[tuple[int, CommitRef], set[Tokens]] = {}
    for path in region.files:
        own = [number for number, copy in enumerate(region.copies) if copy.path == path]
        for commit, edit in edits.get(path, ()):
            for number in own:
                own_lines = lines[number]
                new = own_lines if edit is _NEW_FILE else own_lines.intersection(edit.added)
                written.setdefault((number, commit), set()).update(new)
            inside = frozenset(number for number in own if _stands_in(edit, lines[number]))
            if not inside:
                elsewhere.setdefault(commit.sha, []).append(edit)
            elif commit.when <= until and len(joined(edit.removed + edit.added)) >= MIN_EDIT_TOKENS:
                placed.append(_Placed(commit, path, edit, inside))
    born: dict[int, datetime] = {}  # when most of a copy was written, where that is less than three years ago
    for (number, commit), lines_written in written.items():
        if 2 * len(lines_written) > len(lines[number]):
            born[number] = max(born.get(number, commit.when), commit.when)
    placed = [
        place
        for place in placed
        if all(born[number] + MIN_AGE < place.commit.when for number in place.copies if number in born)
        and not is_upkeep(place.commit.subject)
    ]
    return [*_together(placed, elsewhere), *_later(placed, born)]


def _lines_of(copy: Copy, source: SourceLines) -> frozenset[Tokens]:
    text = source.of(copy.path)[max(copy.start - 1 - _NEAR_LINES, 0) : copy.end + _NEAR_LINES]
    return frozenset(tokens for line in text if (tokens := tuple(TOKEN.findall(line))))


def _stands_in(edit: Edit, lines: frozenset[Tokens]) -> bool:
    """Whether an edit was made in a copy: most of its new lines and of those around them stand there."""
    added = [line for line in edit.added if len(line) >= MIN_LINE_TOKENS]
    before = [line for line in edit.new_before if len(line) >= MIN_LINE_TOKENS]
    after = [line for line in edit.new_after if len(line) >= MIN_LINE_TOKENS]
    standing = sum(line in lines for line in (*added, *before, *after))
    if standing < MIN_STANDING_LINES or 100 * standing < MIN_STANDING_PERCENT * len(
        (*added, *before, *after)
    ):
        return False
    around = any(line in lines for line in before), any(line in lines for line in after)
    return all(around) or (any(line in lines for line in added) and any(around))


def _is_same_edit(first: Edit, second: Edit) -> bool:
    """Whether two edits do the same, up to names."""
    if (len(first.removed), len(first.added)) != (len(second.removed), len(second.added)):
        return False
    one = joined((*first.removed, *first.added))
    other = joined((*second.removed, *second.added))
    return one == other or same_names(one, other) >= MIN_SAME_NAMES_PERCENT


def _together(
    placed: Sequence[_Placed], elsewhere: Mapping[str, Sequence[Edit]]
) -> Iterable[tuple[SharedEdit, bool]]:
    """Edits that one commit made in several copies, and not in more places of the same files."""
    by_commit: dict[str, list[_Placed]] = {}
    for place in placed:
        by_commit.setdefault(place.commit.sha, []).append(place)
    for sha, places in by_commit.items():
        best: list[_Placed] = []
        for place in places:
            alike = [other for other in places if _is_same_edit(place.edit, other.edit)]
            if len(_copies_of(alike)) > 1 and len(alike) > max(len(best), 1):
                best = alike
        if not best:
            continue
        # Edits of one file can stand in any of its copies; more edits than copies were made elsewhere.
        copies = sum(
            min(len(_copies_of(own)), len(own))
            for path in sorted({place.path for place in best})
            if (own := [place for place in best if place.path == path])
        )
        others = sum(_is_same_edit(best[0].edit, edit) for edit in elsewhere.get(sha, ()))
        if copies > 1 and len(best) - copies + others < copies:
            yield SharedEdit(best[0].commit, None, copies), _is_renaming(best[0].edit)


def _copies_of(places: Sequence[_Placed]) -> frozenset[int]:
    return frozenset().union(*(place.copies for place in places))


def _later(placed: Sequence[_Placed], born: Mapping[int, datetime]) -> Iterable[tuple[SharedEdit, bool]]:
    """Edits that one copy got, and another only later, although it was there already."""
    for first in placed:
        for second in placed:
            if (
                second.commit.when - first.commit.when >= MIN_LATER
                and first.path != second.path
                and first.copies.isdisjoint(second.copies)
                and all(
                    born[number] + MIN_AGE < first.commit.when for number in second.copies if number in born
                )
                and _is_same_edit(first.edit, second.edit)
                and not any(
                    other.commit.sha in (first.commit.sha, second.commit.sha)
                    and other.path in (first.path, second.path)
                    and other is not first
                    and other is not second
                    and _is_same_edit(first.edit, other.edit)
                    for other in placed
                )
            ):
                yield SharedEdit(first.commit, second.commit, 2), _is_renaming(first.edit)


def is_upkeep(subject: str) -> bool:
    """Whether a commit says that it only cleans up."""
    return _UPKEEP.search(subject) is not None


def _is_renaming(edit: Edit) -> bool:
    """Whether an edit changes names only."""
    return same_or_renamed(joined(edit.removed), joined(edit.added))


def _is_no_sweep(edit: SharedEdit, is_renaming: bool, sizes: Mapping[str, int]) -> bool:
    limit = MAX_RENAMING_FILES if is_renaming else MAX_COMMIT_FILES
    return all(sizes.get(commit.sha, limit + 1) <= limit for commit in (edit.first, edit.later) if commit)


def distinct_edits(shared: Iterable[SharedEdit]) -> list[SharedEdit]:
    """The newest first; what one author did within a week is one piece of work, as is what has the same subject."""
    kept: list[SharedEdit] = []
    for edit in sorted(shared, key=lambda edit: (edit.first.when, edit.first.sha), reverse=True):
        if not any(_is_same_work(edit, other) for other in kept):
            kept.append(edit)
    return kept


def _is_same_work(first: SharedEdit, second: SharedEdit) -> bool:
    if (first.later is None) != (second.later is None):
        return False
    one, other = first.first, second.first
    is_near = abs(one.when - other.when) < SAME_WORK and one.author == other.author
    return is_near or one.subject == other.subject

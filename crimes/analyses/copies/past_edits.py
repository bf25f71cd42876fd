"""What some commits changed in a few files: read by one git process, then from the cache."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from crimes.analyses.history.fixes import CommitRef
from crimes.analyses.history.history import HISTORY, History
from crimes.detection.context import Analysis, Context
from crimes.incremental.query import load, save
from crimes.model.errors import Unavailable
from crimes.system import git
from crimes.system.git_hunks import Hunk, files_changed, patches_of

_MEMO = "edits of copies"

CommitOfFile = tuple[str, str]  # abbreviated commit, path


class PastChange(Struct, frozen=True, array_like=True):
    """What one commit changed in one file."""

    commit: CommitRef
    hunks: tuple[Hunk, ...]


class PastEdits:
    """Reads what commits changed; nothing where git cannot tell."""

    def __init__(self, context: Context, history: History) -> None:
        self._context = context
        self.history = history

    def changes(self, wanted: Sequence[CommitOfFile]) -> Mapping[CommitOfFile, PastChange]:
        """The changes by commit and file. What an earlier scan read is not read again."""
        memory = self._context.memory
        known: dict[CommitOfFile, PastChange] = (
            load(memory, _MEMO, dict[tuple[str, str], PastChange]) if memory else None
        ) or {}
        missing = [key for key in wanted if key not in known]
        if missing:
            known |= self._read(missing)
            if memory:
                save(memory, _MEMO, {key: known[key] for key in wanted if key in known})
        return {key: known[key] for key in wanted if key in known}

    def _read(self, keys: Sequence[CommitOfFile]) -> dict[CommitOfFile, PastChange]:
        commits, paths = sorted({sha for sha, _ in keys}), sorted({path for _, path in keys})
        wanted = set(keys)
        hunks: dict[CommitOfFile, list[Hunk]] = {}
        refs: dict[str, CommitRef] = {}
        try:
            for commit, path, hunk in patches_of(git.find(self._context.repo.root), commits, paths):
                sha = commit.sha[:12]
                if (sha, path) in wanted:
                    when = datetime.fromtimestamp(commit.authored, UTC)
                    refs[sha] = CommitRef(sha, when, commit.author, commit.subject)
                    hunks.setdefault((sha, path), []).append(hunk)
        except (Unavailable, OverflowError, ValueError):  # a partial clone; a date that no calendar has
            return {}
        nothing = CommitRef("", self.history.reference_time, "", "")  # the file had another name then
        return {key: PastChange(refs.get(key[0], nothing), tuple(hunks.get(key, ()))) for key in keys}

    def files_changed(self, shas: Iterable[str]) -> Mapping[str, int]:
        """How many files each commit changed, by the abbreviated commits asked for."""
        try:
            counts = files_changed(git.find(self._context.repo.root), sorted(shas))
        except Unavailable:
            return {}
        return {sha[:12]: number for sha, number in counts.items()}


def build(context: Context) -> PastEdits:
    """The reader. Unavailable without a history, or with one that is incomplete."""
    history = context[HISTORY]
    if history.limited:
        raise Unavailable(history.reason)
    return PastEdits(context, history)


PAST_EDITS = Analysis("past edits", build)

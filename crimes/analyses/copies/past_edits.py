"""What commits of the last three years changed in a few files: read by one git process, then from the cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from crimes.analyses.history.fixes import CommitRef
from crimes.analyses.history.git_log import WINDOW_SECONDS
from crimes.analyses.history.history import HISTORY, History
from crimes.analyses.history.subjects import is_bot
from crimes.detection.context import Analysis, Context
from crimes.incremental.query import load, save
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.system import git
from crimes.system.git_hunks import Hunk, files_changed, patches_since

_MEMO = "edits of copies"


class PastHunk(Struct, frozen=True, array_like=True):
    """A hunk of a commit."""

    commit: CommitRef
    hunk: Hunk


class PastEdits:
    """Reads what commits changed; nothing where history is incomplete."""

    def __init__(self, context: Context, history: History) -> None:
        self._context, self._history = context, history

    @property
    def history(self) -> History:
        return self._history

    def hunks(self, paths: Sequence[str]) -> Mapping[str, list[PastHunk]]:
        """The hunks of each file, newest first; without those of bots."""
        memory, history = self._context.memory, self._history
        if not paths or history.limited:
            return {}
        key = digest_of(
            "\0".join((history.head, f"{history.reference_time}", *paths)).encode("utf-8", "surrogateescape")
        )
        saved = load(memory, _MEMO, tuple[bytes, dict[str, list[PastHunk]]]) if memory else None
        if saved and saved[0] == key:
            return dict(saved[1])
        hunks = self._read(paths)
        if memory:
            save(memory, _MEMO, (key, hunks))
        return hunks

    def _read(self, paths: Sequence[str]) -> dict[str, list[PastHunk]]:
        hunks: dict[str, list[PastHunk]] = {}
        until = int(self._history.reference_time.timestamp())
        try:
            tree = git.find(self._context.repo.root)
            for commit, path, hunk in patches_since(tree, self._history.head, until - WINDOW_SECONDS, paths):
                if not is_bot(commit.author, commit.email):
                    when = datetime.fromtimestamp(commit.authored, UTC)
                    ref = CommitRef(commit.sha[:12], when, commit.author, commit.subject)
                    hunks.setdefault(path, []).append(PastHunk(ref, hunk))
        except (Unavailable, OverflowError, ValueError):  # a partial clone; a date that no calendar has
            return {}
        return hunks

    def files_changed(self, shas: Sequence[str]) -> Mapping[str, int]:
        """How many files each commit changed, by the abbreviated commits asked for."""
        try:
            counts = files_changed(git.find(self._context.repo.root), shas)
        except Unavailable:
            return {}
        return {sha[:12]: number for sha, number in counts.items()}


def build(context: Context) -> PastEdits:
    return PastEdits(context, context[HISTORY])


PAST_EDITS = Analysis("past edits", build)

"""History that need not be made again: kept with the commit, the files and the settings it was made of."""

from __future__ import annotations

import os
from datetime import datetime

import msgspec

from crimes.analyses.history.cochange import ChangeSets
from crimes.analyses.history.history import HISTORY, IGNORED_REVISIONS, FileHistory, History
from crimes.detection.context import Context
from crimes.incremental.stamps import content_digest
from crimes.incremental.store import Cache
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.system import git

_KEY = "history"


class _Kept(msgspec.Struct, array_like=True):
    """A history with what it was made of. A pair of files is a key no format has."""

    made_of: bytes
    files: dict[str, FileHistory]
    together: list[tuple[str, str, int]]
    pair_commits: dict[str, int]
    reference_time: datetime
    head: str
    commits: int
    first_commit: datetime | None
    changes: ChangeSets


_decoder = msgspec.msgpack.Decoder(_Kept)


def recall_history(cache: Cache, context: Context) -> bytes:
    """Put the kept history into the context, if it is the one that would be made: a digest of what it is made of, or nothing."""
    data = cache.state(_KEY)
    if data is None:
        return b""
    try:
        kept = _decoder.decode(data)
    except msgspec.MsgspecError:
        return b""
    same = kept.made_of == _made_of(context)
    if same:
        history = History(
            files=kept.files,
            together={(one, other): count for one, other, count in kept.together},
            pair_commits=kept.pair_commits,
            reference_time=kept.reference_time,
            head=kept.head,
            commits=kept.commits,
            first_commit=kept.first_commit,
            limited=False,
            reason="",
            changes=kept.changes,
        )
        context.put(HISTORY, history)
    return kept.made_of if same else b""


def keep_history(cache: Cache, context: Context) -> bytes:
    """Keep the history of a scan, unless it is not whole: the next time it may be. The digest of what it is made of."""
    history = context.peek(HISTORY)
    if history is None or history.limited:
        return b""
    made_of = _made_of(context, history.head)
    if not made_of:
        return b""
    kept = _Kept(
        made_of=made_of,
        files=dict(history.files),
        together=[(*pair, count) for pair, count in history.together.items()],
        pair_commits=dict(history.pair_commits),
        reference_time=history.reference_time,
        head=history.head,
        commits=history.commits,
        first_commit=history.first_commit,
        changes=history.changes,
    )
    try:
        cache.keep(_KEY, msgspec.msgpack.encode(kept))
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return b""
    return made_of


def _made_of(context: Context, head: str = "") -> bytes:
    """A digest of all that a history depends on; empty when git does not tell, or HEAD is not the one expected."""
    try:
        tree = git.find(context.repo.root)
        told = git.run(tree, "rev-parse", "--is-shallow-repository", "--verify", "HEAD")
    except Unavailable:
        return b""
    if head and told.split()[1:] != [head.encode()]:
        return b""
    files = (IGNORED_REVISIONS, ".mailmap", ".git/info/grafts", ".git/config")
    digests = (content_digest(os.path.join(tree.top, name)) or b"-" for name in files)
    # Of all files, and of those that are read: only they have a past.
    named = [*sorted(context.repo.paths), "", *sorted(context.repo.files)]
    parts = [told, os.fsencode(f"{context.as_of}"), *digests, *map(os.fsencode, named)]
    return digest_of(b"\0".join(parts))

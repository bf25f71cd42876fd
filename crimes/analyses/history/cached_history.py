"""The history of the last scan in the cache, with a digest of the commit, the files and the settings it was built from."""

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


class _SavedHistory(msgspec.Struct, array_like=True):
    """A history with the digest of its inputs. `together` is a list because a pair of files cannot be a key."""

    input_digest: bytes
    files: dict[str, FileHistory]
    together: list[tuple[str, str, int]]
    pair_commits: dict[str, int]
    reference_time: datetime
    head: str
    commits: int
    first_commit: datetime | None
    changes: ChangeSets


_decoder = msgspec.msgpack.Decoder(_SavedHistory)


def load_history(cache: Cache, context: Context) -> bytes:
    """Put the cached history into the context if its inputs are the same; returns their digest, empty if they are not."""
    data = cache.state(_KEY)
    if data is None:
        return b""
    try:
        saved = _decoder.decode(data)
    except msgspec.MsgspecError:
        return b""
    if saved.input_digest != _input_digest(context):
        return b""
    history = History(
        files=saved.files,
        together={(first, second): count for first, second, count in saved.together},
        pair_commits=saved.pair_commits,
        reference_time=saved.reference_time,
        head=saved.head,
        commits=saved.commits,
        first_commit=saved.first_commit,
        limited=False,
        reason="",
        changes=saved.changes,
    )
    context.put(HISTORY, history)
    return saved.input_digest


def save_history(cache: Cache, context: Context) -> bytes:
    """Cache the history of a scan unless it is limited: the next scan may see more. Returns the digest of its inputs."""
    history = context.peek(HISTORY)
    if history is None or history.limited:
        return b""
    digest = _input_digest(context, history.head)
    if not digest:
        return b""
    saved = _SavedHistory(
        input_digest=digest,
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
        cache.keep(_KEY, msgspec.msgpack.encode(saved))
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return b""
    return digest


def _input_digest(context: Context, head: str = "") -> bytes:
    """A digest of all that a history depends on; empty without git, or when HEAD is not `head`."""
    try:
        tree = git.find(context.repo.root)
        revision = git.run(tree, "rev-parse", "--is-shallow-repository", "--verify", "HEAD")
    except Unavailable:
        return b""
    if head and revision.split()[1:] != [head.encode()]:
        return b""
    files = (IGNORED_REVISIONS, ".mailmap", ".git/info/grafts", ".git/config")
    digests = (content_digest(os.path.join(tree.top, name)) or b"-" for name in files)
    # All files, then those that are read: only these have a FileHistory.
    paths = [*sorted(context.repo.paths), "", *sorted(context.repo.files)]
    parts = [revision, os.fsencode(f"{context.as_of}"), *digests, *map(os.fsencode, paths)]
    return digest_of(b"\0".join(parts))

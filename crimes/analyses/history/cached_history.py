"""The history of the last scan in the cache, with a digest of the code, the commit, the files and the settings it was built from."""

from __future__ import annotations

import os

import msgspec

from crimes.analyses.history.cached_log import settings_digest
from crimes.analyses.history.history import HISTORY, IGNORED_REVISIONS, History
from crimes.detection.context import Context
from crimes.incremental.code_version import code_version
from crimes.incremental.stamps import content_digest
from crimes.incremental.store import Cache
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.system import git

_KEY = "history"


class _SavedHistory(msgspec.Struct, array_like=True):
    input_digest: bytes
    history: History


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
    context.put(HISTORY, saved.history)
    return saved.input_digest


def save_history(cache: Cache, context: Context) -> bytes:
    """Cache the history of a scan unless it is limited: the next scan may see more. Returns the digest of its inputs."""
    history = context.peek(HISTORY)
    if history is None or history.limited:
        return b""
    digest = _input_digest(context, history.head)
    if not digest:
        return b""
    try:
        cache.keep(_KEY, msgspec.msgpack.encode(_SavedHistory(digest, history)))
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
    ignored = content_digest(os.path.join(tree.top, IGNORED_REVISIONS)) or b"-"
    # All files, then those that are read: only these have a FileHistory, and their roles decide which fixes count.
    files = sorted(context.repo.files.items())
    paths = [*sorted(context.repo.paths), "", *(f"{path}\0{file.role.value}" for path, file in files)]
    settings = [code_version(), settings_digest(tree), ignored, f"{context.as_of}".encode()]
    return digest_of(b"\0".join((revision, *settings, *map(os.fsencode, paths))))

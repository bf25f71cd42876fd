"""The commit log of the last scan in the cache: when HEAD moved forward, git is asked for the new commits only.

A history that was rewritten or cut short, or is read with another mailmap, is read as a whole.
"""

from __future__ import annotations

import heapq
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from crimes.analyses.history.git_log import (
    WINDOW_SECONDS,
    LoggedCommit,
    commit_seconds,
    has_usable_mailmap,
    log_records,
    parse_record,
    read_log,
)
from crimes.incremental.stamps import content_digest
from crimes.incremental.store import Cache
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.system import git

_KEY = "log"
_SEPARATOR = b"\0\0"  # never within a record


class _SavedLog(msgspec.Struct, array_like=True):
    head: str
    settings: bytes  # a digest
    since: int
    records: bytes

    def records_since(self, since: int) -> list[bytes]:
        """The records of commits not older than that."""
        records = self.records.split(_SEPARATOR)
        if since == self.since:
            return records
        return [record for record in records if commit_seconds(record) >= since]


_decoder = msgspec.msgpack.Decoder(_SavedLog)


class CachedLog:
    """Reads the part of the log that counts, as much as possible from the cache.

    Like `read_log`, it may raise Unavailable after some commits.
    """

    def __init__(self, cache: Cache | None, as_of: int | None = None) -> None:
        self._cache = cache
        self._as_of = as_of
        self._background: _BackgroundRead | None = None
        self._ahead: tuple[git.WorkTree, _State] | None = None  # what git was asked when it was read ahead

    def read_ahead(self, root: Path) -> None:
        """Start git in the background if the whole log will be needed."""
        try:
            tree = git.find(root)
            state = self._state(tree)
            self._ahead = tree, state
            if self._usable(tree, state) is None:
                self._background = _BackgroundRead(tree, state.since)
        except Unavailable:  # reported when the log is read
            return

    def __call__(self, tree: git.WorkTree) -> Iterator[LoggedCommit]:
        try:
            state = self._ahead[1] if self._ahead and self._ahead[0] == tree else self._state(tree)
        except Unavailable:
            return read_log(tree)  # raises with the reason
        saved = self._usable(tree, state)
        if saved is None:
            return self._read_whole(tree, state)
        if saved.head == state.head:
            return map(parse_record, saved.records_since(state.since))
        new = log_records(tree, f"{saved.head}..{state.head}", since=state.since)
        records = [*new, *saved.records_since(state.since)]
        ordered = _in_log_order(state.head, records)
        if len(ordered) != len(records):  # one is reached only through a commit before `since`
            return self._read_whole(tree, state)
        self._save(state, ordered)
        return map(parse_record, ordered)

    def _usable(self, tree: git.WorkTree, state: _State) -> _SavedLog | None:
        """The cached log, if it is this one or the older part of it."""
        saved = _load(self._cache) if self._cache and not state.shallow else None
        if saved is None or saved.settings != state.settings or saved.since > state.since:
            return None
        return saved if saved.head == state.head or _is_ancestor(tree, saved.head, state.head) else None

    def _read_whole(self, tree: git.WorkTree, state: _State) -> Iterator[LoggedCommit]:
        background, records = self._background, []
        for record in background.records() if background else log_records(tree, since=state.since):
            if self._cache:
                records.append(record)
            yield parse_record(record)
        if not state.shallow and records and records[0].startswith(state.head.encode()):
            self._save(state, records)

    def _save(self, state: _State, records: Iterable[bytes]) -> None:
        if self._cache:
            saved = _SavedLog(state.head, state.settings, state.since, _SEPARATOR.join(records))
            self._cache.keep(_KEY, msgspec.msgpack.encode(saved))

    def _state(self, tree: git.WorkTree) -> _State:
        revision = git.run(tree, "rev-parse", "--is-shallow-repository", "--verify", "HEAD")
        shallow, head = os.fsdecode(revision).split()
        committed = int(git.run(tree, "rev-list", "-1", "--timestamp", head, "--").split()[0])
        since = min(committed, committed if self._as_of is None else self._as_of) - WINDOW_SECONDS
        return _State(shallow == "true", head, settings_digest(tree), since)


class _BackgroundRead:
    """The log, read by a thread. A failure is raised to whoever asks for the records: half a log is no log."""

    def __init__(self, tree: git.WorkTree, since: int) -> None:
        self._records: list[bytes] = []
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._read, args=(tree, since), daemon=True)
        self._thread.start()

    def _read(self, tree: git.WorkTree, since: int) -> None:
        try:
            self._records.extend(log_records(tree, since=since))
        except Exception as fault:  # noqa: BLE001 - raised again by `records`
            self._fault = fault

    def records(self) -> Iterator[bytes]:
        self._thread.join()
        yield from self._records
        if self._fault is not None:
            raise self._fault


class _State(NamedTuple):
    """Where HEAD is, and all that changes what git prints of the same commits."""

    shallow: bool
    head: str
    settings: bytes  # a digest
    since: int  # no older commit counts


def _load(cache: Cache) -> _SavedLog | None:
    data = cache.state(_KEY)
    try:
        return _decoder.decode(data) if data else None
    except msgspec.MsgspecError:
        return None


def settings_digest(tree: git.WorkTree) -> bytes:
    """A digest of what changes how git prints the same commits."""
    files = (".mailmap", ".git/info/grafts", ".git/config")
    parts = [content_digest(os.path.join(tree.top, name)) or b"-" for name in files]
    return digest_of(b"\0".join((*parts, b"%d" % has_usable_mailmap(tree))))


def _is_ancestor(tree: git.WorkTree, old: str, new: str) -> bool:
    try:
        return os.fsdecode(git.run(tree, "merge-base", old, new)).split() == [old]
    except Unavailable:  # the old commit is gone, or they have nothing in common
        return False


def _in_log_order(head: str, records: Iterable[bytes]) -> list[bytes]:
    """The records as `git log HEAD` orders them: always the newest commit whose child is already listed.

    Of several with the same time, the one that was reached first.
    """
    by_sha = {record.partition(b"\n")[0]: record for record in records}
    ordered: list[bytes] = []
    waiting: list[tuple[int, int, bytes]] = []
    seen: set[bytes] = set()

    def add(sha: bytes) -> None:
        if sha in by_sha and sha not in seen:
            seen.add(sha)
            heapq.heappush(waiting, (-commit_seconds(by_sha[sha]), len(seen), sha))

    add(head.encode())
    while waiting:
        record = by_sha[heapq.heappop(waiting)[2]]
        ordered.append(record)
        for parent in record.split(b"\n", 3)[2].split():
            add(parent)
    return ordered

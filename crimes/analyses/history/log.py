"""The commit log, kept: when HEAD moved forward only the new commits are asked for.

A history that was rewritten, cut short, or is read with another mailmap is asked for as a whole.
"""

from __future__ import annotations

import heapq
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from crimes.analyses.history.commit_log import (
    WINDOW,
    LoggedCommit,
    has_usable_mailmap,
    log_records,
    read_log,
    seconds_of,
    understood,
)
from crimes.incremental.stamps import content_digest
from crimes.incremental.store import Cache
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.system import git

_KEY = "log"
_BETWEEN = b"\0\0"  # never within a record


class _Kept(msgspec.Struct, array_like=True):
    head: str
    read_with: bytes
    since: int
    records: bytes

    def split(self, since: int) -> list[bytes]:
        """Its records, of commits not older than that."""
        records = self.records.split(_BETWEEN)
        return records if since == self.since else [one for one in records if seconds_of(one) >= since]


_decoder = msgspec.msgpack.Decoder(_Kept)


class Log:
    """Reads what counts of the log, and knows what was read before.

    As `read_log`, it may raise Unavailable after some commits.
    """

    def __init__(self, cache: Cache | None, as_of: int | None = None) -> None:
        self._cache = cache
        self._as_of = as_of
        self._ahead: _Ahead | None = None

    def read_ahead(self, root: Path) -> None:
        """Have git begin, while others work, if all of the log will be asked for."""
        try:
            tree = git.find(root)
            state = self._state(tree)
            if self._known(tree, state) is None:
                self._ahead = _Ahead(tree, state.since)
        except Unavailable:  # who asks for the log is told
            return

    def __call__(self, tree: git.WorkTree) -> Iterator[LoggedCommit]:
        try:
            state = self._state(tree)
        except Unavailable:
            return read_log(tree)  # which says what is wrong
        known = self._known(tree, state)
        if known is None:
            return self._whole(tree, state)
        if known.head == state.head:
            return map(understood, known.split(state.since))
        new = log_records(tree, f"{known.head}..{state.head}", since=state.since)
        records = [*new, *known.split(state.since)]
        ordered = in_order(state.head, records)
        if len(ordered) != len(records):  # one lies behind a commit that is too old to be among them
            return self._whole(tree, state)
        self._keep(state, ordered)
        return map(understood, ordered)

    def _known(self, tree: git.WorkTree, state: _State) -> _Kept | None:
        """The kept log, if it is this one or the beginning of it."""
        kept = _recalled(self._cache) if self._cache and not state.shallow else None
        if kept is None or kept.read_with != state.read_with or kept.since > state.since:
            return None
        return kept if kept.head == state.head or _is_ancestor(tree, kept.head, state.head) else None

    def _whole(self, tree: git.WorkTree, state: _State) -> Iterator[LoggedCommit]:
        records = []
        for record in self._ahead.records() if self._ahead else log_records(tree, since=state.since):
            if self._cache:
                records.append(record)
            yield understood(record)
        if not state.shallow and records and records[0].startswith(state.head.encode()):
            self._keep(state, records)

    def _keep(self, state: _State, records: Iterable[bytes]) -> None:
        if self._cache:
            kept = _Kept(state.head, state.read_with, state.since, _BETWEEN.join(records))
            self._cache.keep(_KEY, msgspec.msgpack.encode(kept))

    def _state(self, tree: git.WorkTree) -> _State:
        told = git.run(tree, "rev-parse", "--is-shallow-repository", "--verify", "HEAD")
        shallow, head = os.fsdecode(told).split()
        made = int(git.run(tree, "rev-list", "-1", "--timestamp", head, "--").split()[0])
        since = min(made, made if self._as_of is None else self._as_of) - WINDOW
        return _State(shallow == "true", head, _read_with(tree), since)


class _Ahead:
    """The log, read by a thread. What it ends with is told to who asks: half a log is no log."""

    def __init__(self, tree: git.WorkTree, since: int) -> None:
        self._records: list[bytes] = []
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._read, args=(tree, since), daemon=True)
        self._thread.start()

    def _read(self, tree: git.WorkTree, since: int) -> None:
        try:
            self._records.extend(log_records(tree, since=since))
        except Exception as fault:  # noqa: BLE001 - raised again by who asks
            self._fault = fault

    def records(self) -> Iterator[bytes]:
        self._thread.join()
        yield from self._records
        if self._fault is not None:
            raise self._fault


class _State(NamedTuple):
    """Where HEAD is, and all that changes how git tells the same commits."""

    shallow: bool
    head: str
    read_with: bytes
    since: int  # no older commit counts


def _recalled(cache: Cache) -> _Kept | None:
    data = cache.state(_KEY)
    try:
        return _decoder.decode(data) if data else None
    except msgspec.MsgspecError:
        return None


def _read_with(tree: git.WorkTree) -> bytes:
    """A digest of what changes how git tells the same commits."""
    files = (".mailmap", ".git/info/grafts", ".git/config")
    parts = [content_digest(os.path.join(tree.top, name)) or b"-" for name in files]
    return digest_of(b"\0".join((*parts, b"%d" % has_usable_mailmap(tree))))


def _is_ancestor(tree: git.WorkTree, old: str, new: str) -> bool:
    try:
        return os.fsdecode(git.run(tree, "merge-base", old, new)).split() == [old]
    except Unavailable:  # the old commit is gone, or they have nothing in common
        return False


def in_order(head: str, records: Iterable[bytes]) -> list[bytes]:
    """The records as `git log HEAD` orders them: of the commits that are known, the newest next, and then its parents are.

    Of several with the same time, the one that became known first.
    """
    by_sha = {record.partition(b"\n")[0]: record for record in records}
    ordered: list[bytes] = []
    waiting: list[tuple[int, int, bytes]] = []
    seen: set[bytes] = set()

    def add(sha: bytes) -> None:
        if sha in by_sha and sha not in seen:
            seen.add(sha)
            heapq.heappush(waiting, (-int(by_sha[sha].split(b"\n", 2)[1] or 0), len(seen), sha))

    add(head.encode())
    while waiting:
        record = by_sha[heapq.heappop(waiting)[2]]
        ordered.append(record)
        for parent in record.split(b"\n", 3)[2].split():
            add(parent)
    return ordered

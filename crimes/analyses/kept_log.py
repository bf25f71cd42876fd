"""The commit log, kept: when HEAD moved forward only the new commits are asked for.

A history that was rewritten, cut short, or is read with another mailmap is asked for as a whole.
"""

from __future__ import annotations

import heapq
import os
from _blake2 import blake2b
from collections.abc import Callable, Iterable, Iterator

import msgspec

from crimes import git
from crimes.analyses.commit_log import LoggedCommit, has_usable_mailmap, log_records, read_log, understood
from crimes.cache.database import Cache
from crimes.cache.watch import content_digest
from crimes.errors import Unavailable

_KEY = "log"
_BETWEEN = b"\0\0"  # never within a record


class _Kept(msgspec.Struct, array_like=True):
    head: str
    read_with: bytes
    records: bytes


_decoder = msgspec.msgpack.Decoder(_Kept)


def remembered_log(cache: Cache) -> Callable[[git.WorkTree], Iterator[LoggedCommit]]:
    """A reader of the log that knows what was read before. As `read_log`, it may raise Unavailable after some commits."""

    def read(tree: git.WorkTree) -> Iterator[LoggedCommit]:
        try:
            told = git.run(tree, "rev-parse", "--is-shallow-repository", "--verify", "HEAD")
        except Unavailable:
            return read_log(tree)  # which says what is wrong
        shallow, head = os.fsdecode(told).split()
        read_with = _read_with(tree)
        kept = _recalled(cache) if shallow == "false" else None
        if kept is not None and kept.read_with == read_with:
            if kept.head == head:
                return map(understood, kept.records.split(_BETWEEN))
            if _is_ancestor(tree, kept.head, head):
                new = log_records(tree, f"{kept.head}..{head}")
                records = in_order(head, [*new, *kept.records.split(_BETWEEN)])
                _keep(cache, head, read_with, records)
                return map(understood, records)
        return _whole(cache, tree, head if shallow == "false" else "", read_with)

    return read


def _whole(cache: Cache, tree: git.WorkTree, head: str, read_with: bytes) -> Iterator[LoggedCommit]:
    records = []
    for record in log_records(tree):
        records.append(record)
        yield understood(record)
    if head and records and records[0].startswith(head.encode()):
        _keep(cache, head, read_with, records)


def _keep(cache: Cache, head: str, read_with: bytes, records: Iterable[bytes]) -> None:
    cache.keep(_KEY, msgspec.msgpack.encode(_Kept(head, read_with, _BETWEEN.join(records))))


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
    return blake2b(b"\0".join((*parts, b"%d" % has_usable_mailmap(tree))), digest_size=16).digest()


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

"""Finished answers of an earlier scan, for a tree that is what it was. Imports little: this is the path that must be quick."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from crimes.incremental.buckets import (
    COUNT,
    bucket_of,
    entries_of,
    entry_of,
    in_buckets,
    with_entries,
)
from crimes.incremental.building import Building, wait_until_built
from crimes.incremental.code_version import code_version
from crimes.incremental.snapshot import Same, Snapshot, compare, decode, encode
from crimes.incremental.stamps import Changed, FileStamp, restamp
from crimes.incremental.store import Cache
from crimes.model.digests import digest_of
from crimes.model.scan_request import ScanRequest
from crimes.system.user_dirs import database_of

if TYPE_CHECKING:
    from crimes.workflows.briefing.refresh import RefreshedBriefings

_MAX_ANSWERS = 4  # sets of options with answers of their own
_MIN_FILES_TO_RESTAMP = 20  # files whose content had to be compared because their times said nothing

_decode_keys = msgspec.msgpack.Decoder(list[str]).decode


class _BriefingsOf(msgspec.Struct, array_like=True):
    """What the briefings were made of: what a scan saw, and files that it did not read but they did."""

    snapshot: bytes  # its id
    taken: int  # nanoseconds; when the scan began
    files: dict[bytes, FileStamp | None]


_decode_briefings_of = msgspec.msgpack.Decoder(_BriefingsOf).decode


def answers_key(request: ScanRequest) -> str:
    """What an answer depends on besides the tree: the code, and all that was asked. Made before the scan begins."""
    asked = "\0".join(f"{name} {_key_of(getattr(request, name))}" for name in request.__struct_fields__)
    return digest_of(code_version() + asked.encode("utf-8", "surrogateescape")).hex()


def _key_of(value: object) -> str:
    """A value of a request, so that what means the same is the same: a moment in any zone, a file by any name."""
    match value:
        case datetime():
            return str(value.timestamp())
        case Path():
            return os.path.realpath(value)
        case tuple() | list():
            return "\0".join(map(_key_of, value))
        case _:
            return repr(value)


class CachedAnswers:
    """What is known of one repository under one set of options."""

    def __init__(self, root: Path, key: str, on_notice: Callable[[str], None]) -> None:
        self._root = root.resolve()
        self._database = database_of(self._root)
        self.cache = Cache(self._database, on_notice)
        self._key = key
        self._compared = b""  # the id of the snapshot that the tree was compared with

    def __enter__(self) -> CachedAnswers:
        return self

    def __exit__(self, *_: object) -> None:
        self.cache.close()

    def still_hold(self) -> bool:
        """Whether the tree is what the report was made of."""
        data = self.cache.state(f"snapshot {self._key}")
        snapshot = decode(data) if data else None
        if snapshot is None:
            return False
        self._compared = snapshot.id
        same, fresh = compare(self._root, snapshot)
        if same is Same.ASK:
            from crimes.incremental.relisting import relist

            again = relist(self._root, fresh)
            if again is None:
                return False
            self._refresh(again)
        elif same is Same.YES and _times_changed(snapshot, fresh) >= _MIN_FILES_TO_RESTAMP:
            self._refresh(fresh)
        return same is not Same.NO

    def briefings_hold(self) -> bool:
        """Whether the tree is what the briefings were made of. Waits for a process that is still building them."""
        if not self.still_hold():
            return False
        if self._are_briefed():
            return True
        self.wait_until_briefed()
        return self._are_briefed()

    def wait_until_briefed(self) -> None:
        """Wait for a process that is building briefings, if there is one."""
        wait_until_built(self._database)

    def building(self) -> Building:
        """The right to build the briefings."""
        return Building(self._database)

    def _are_briefed(self) -> bool:
        """Whether there are briefings of what the tree was compared with, and what else they were made of is the same."""
        data = self.cache.state(f"briefings of {self._key}")
        if data is None:
            return False
        made_of = _decode_briefings_of(data)
        start = os.path.join(str(self._root), "")
        try:
            for path, before in made_of.files.items():
                restamp(start + os.fsdecode(path), before, made_of.taken)
        except Changed:
            return False
        return made_of.snapshot == self._compared

    def made_since(self, moment: int) -> bool:
        """Whether these are briefings of a scan that began after this moment, in nanoseconds."""
        latest = self.cache.state("latest")
        key, _, taken = latest.decode().partition(" ") if latest else ("", "", "")
        return key == self._key and int(taken) >= moment

    def _refresh(self, snapshot: Snapshot) -> None:
        self.cache.keep(f"snapshot {self._key}", encode(snapshot))
        self.cache.write()

    def report(self) -> bytes | None:
        """The report as JSON. Ask only when the answers still hold."""
        return self.cache.state(f"report {self._key}")

    def names_digest(self) -> bytes | None:
        """The digest of all names in the tree that the report is about."""
        return self.cache.state(f"names {self._key}")

    def some_briefings(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The briefings of those of some files that have one, encoded, by path."""
        keys = {path: f"briefings {self._key} {bucket_of(os.fsencode(path))}" for path in paths}
        buckets = self.cache.states(tuple(dict.fromkeys(keys.values())))
        entries = {path: entry_of(os.fsencode(path), buckets.get(key, b"")) for path, key in keys.items()}
        return {path: data for path, data in entries.items() if data is not None}

    def briefings(self) -> dict[str, bytes]:
        """The briefings of all files, encoded, by path."""
        buckets = (self.cache.state(f"briefings {self._key} {number}") for number in range(COUNT))
        entries = {path: data for bucket in buckets if bucket for path, data in entries_of(bucket).items()}
        return {os.fsdecode(path): entries[path] for path in sorted(entries)}

    def briefed_of(self) -> bytes | None:
        """What the briefings were made of, as it was given with them. It tells nothing of the tree as it is."""
        return self.cache.state(f"briefed {self._key}")

    def remember(self, snapshot: Snapshot, report: bytes, names_digest: bytes) -> None:
        """Keep a report with the next write; those of options that were not used for long make room."""
        keys = [self._key, *(key for key in self._keys() if key != self._key)]
        self.cache.keep("answers", msgspec.msgpack.encode(keys[:_MAX_ANSWERS]))
        self.cache.keep(f"snapshot {self._key}", encode(snapshot))
        self.cache.keep(f"report {self._key}", report)
        self.cache.keep(f"names {self._key}", names_digest)
        for key in keys[_MAX_ANSWERS:]:
            for part in ("snapshot", "report", "names", "briefed", "briefings of"):
                self.cache.keep(f"{part} {key}", None)
            for number in range(COUNT):
                self.cache.keep(f"briefings {key} {number}", None)

    def remember_briefings(
        self,
        snapshot: Snapshot,
        remade: RefreshedBriefings,
        read: Mapping[str, FileStamp | None],
    ) -> None:
        """Keep the briefings of what a scan saw with the next write; `read` are all files that it and they read."""
        files = {os.fsencode(path): stamp for path, stamp in read.items()}
        others = {path: stamp for path, stamp in files.items() if path not in snapshot.files}
        made_of = _BriefingsOf(snapshot.id, snapshot.taken, others)
        self.cache.keep("latest", f"{self._key} {snapshot.taken}".encode())  # plain, for the hook
        self.cache.keep(f"briefings of {self._key}", msgspec.msgpack.encode(made_of))
        self.cache.keep(f"briefed {self._key}", remade.made_of)
        for number, bucket in self._buckets(remade):
            self.cache.keep(f"briefings {self._key} {number}", bucket)

    def _buckets(self, remade: RefreshedBriefings) -> Iterator[tuple[int, bytes]]:
        """The buckets to keep, by number: all of them, or those with a briefing that changed."""
        entries = {os.fsencode(path): data for path, data in remade.briefings.items()}
        if remade.whole:
            yield from enumerate(in_buckets(entries))
            return
        changed: dict[int, dict[bytes, bytes]] = {}
        for path, data in entries.items():
            changed.setdefault(bucket_of(path), {})[path] = data
        for number, some in changed.items():
            before = self.cache.state(f"briefings {self._key} {number}") or b""
            yield number, with_entries(before, some)

    def last_snapshot(self) -> Snapshot | None:
        """What the last scan saw, whatever its options were."""
        keys = self._keys()
        data = self.cache.state(f"snapshot {keys[0]}") if keys else None
        return decode(data) if data else None

    def _keys(self) -> list[str]:
        """The keys of all answers there are, the last ones first."""
        data = self.cache.state("answers")
        return _decode_keys(data) if data else []


def _times_changed(before: Snapshot, after: Snapshot) -> int:
    return sum(seen is not before.files[path] for path, seen in after.files.items())


def latest(root: Path) -> tuple[CachedAnswers | None, Snapshot | None]:
    """The answers of the last scan whatever its options were, and what it saw: for who says how old they are."""
    with CachedAnswers(root, "", lambda text: None) as unknown:
        unknown.wait_until_briefed()
        data = unknown.cache.state("latest")
    if data is None:
        return None, None
    key = data.decode().split()[0]
    answers = CachedAnswers(root, key, lambda text: None)
    snapshot = answers.cache.state(f"snapshot {key}")
    answers.cache.pause()
    return answers, decode(snapshot) if snapshot else None

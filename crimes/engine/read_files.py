"""Facts of every file: out of the cache, or read here, or by several processes at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import msgspec

from crimes.discovery.discover import Tree
from crimes.incremental.lazy_facts import decode_facts, lazy_facts
from crimes.incremental.scan_cache import ScanCache
from crimes.incremental.stamps import FileStamp, has_same_stamp, stat_file, with_digest
from crimes.incremental.store import FactsKey
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.reading import Unreadable
from crimes.model.digests import digest_of
from crimes.model.facts import FileFacts
from crimes.model.repository import Skip, SourceFile
from crimes.system.workers import Died, Progress, map_in_workers

CHUNK = 400_000  # bytes of source that one worker takes at a time
WORTH_A_WORKER = (
    1_500_000  # bytes of source for each process: below, starting them takes longer than they save
)

# A grammar can loop for ever on broken source, deep in C where nothing interrupts it but the end of the process. So a
# file is allowed processor time, some twenty times what a large and tangled one takes.
ALLOWED = 5.0  # seconds
ALLOWED_FOR_A_BYTE = 20e-6

_encode = msgspec.msgpack.Encoder().encode
_UNSENDABLE = (UnicodeEncodeError, OverflowError)


class _Found(msgspec.Struct, array_like=True):
    """What reading one file gave: facts, or that they are kept already, or a reason why there are none."""

    seen: FileStamp | None
    facts: FileFacts | None = None
    encoded: bytes = b""  # the facts, on their way between processes
    kept: bool = False
    reason: str = ""
    passing: bool = False  # the reason may be gone the next time


_decode = msgspec.msgpack.Decoder(_Found).decode


def read_all(
    tree: Tree,
    tell: Progress,
    kept: ScanCache | None = None,
    jobs: int = 1,
    while_waiting: Callable[[], None] = lambda: None,
    isolated: bool = False,
) -> tuple[dict[str, FileFacts], list[Skip]]:
    """Facts of every file, and the files that gave none. Each file is read and parsed once at most.

    `meanwhile` is called when other processes are at it and this one waits. With `apart` it is always others: a file
    that ends its reader then costs itself, and not this process.
    """
    reader = _Reader(tree, kept, isolated)
    unknown = reader.not_known()
    done = len(tree.files) - len(unknown)
    tell("reading", done, len(tree.files))
    for source, found in reader.read(unknown, jobs, while_waiting):
        done += 1
        if done % 50 == 0:
            tell("reading", done, len(tree.files))
        reader.take(source, found)
    reader.recall()
    if kept is not None:
        kept.cache.write()  # not with the rest at the end: until then they would fill the memory
    return (
        {source.path: reader.made[source.path] for source in tree.files if source.path in reader.made},
        [reader.skips[source.path] for source in tree.files if source.path in reader.skips],
    )


class _Reader:
    """Reads files of a tree, knows which facts are kept, and gathers what comes of it."""

    def __init__(self, tree: Tree, kept: ScanCache | None, isolated: bool) -> None:
        self.made: dict[str, FileFacts] = {}
        self.skips: dict[str, Skip] = {}
        self._recallable: dict[str, FactsKey] = {}
        self._tree = tree
        self._start = os.path.join(str(tree.root), "")
        self._kept = kept
        self._apart = isolated
        self._keys = kept.cache.facts_keys() if kept else set[FactsKey]()

    def not_known(self) -> list[SourceFile]:
        """Files that have to be read; the others look as they did, and their facts are kept."""
        kept = self._kept
        if kept is None or kept.last is None or not self._keys:
            return list(self._tree.files)
        seen, taken, unchanged = kept.last.files, kept.last.taken, kept.unchanged
        unknown: list[SourceFile] = []
        for source in self._tree.files:
            path = source.path
            before = seen.get(os.fsencode(path))
            if before and (key := (before.digest, source.language)) in self._keys:
                if unchanged is None:
                    now = stat_file(self._start + path)
                    same = now is not None and has_same_stamp(now, before, taken)
                else:
                    same = path in unchanged
                if same:
                    self._recallable[path] = key
                    kept.recorder.files[path] = before
                    continue
            unknown.append(source)
        return unknown

    def read(
        self, sources: Sequence[SourceFile], jobs: int, while_waiting: Callable[[], None]
    ) -> Iterator[tuple[SourceFile, _Found | Died]]:
        """In several processes where that pays."""
        jobs = min(jobs, sum(source.size for source in sources) // WORTH_A_WORKER)
        if jobs < 2 and not self._apart:
            for source in sources:
                yield source, self._one(source)
            return
        for at, result in map_in_workers(
            sources, self._sent, max(jobs, 1), lambda one: one.size + 2000, CHUNK, while_waiting
        ):
            if result:
                yield sources[at], result if isinstance(result, Died) else _decode(result)
            else:
                yield sources[at], self._one(sources[at])

    def take(self, source: SourceFile, found: _Found | Died) -> None:
        """Put a result where it belongs, and note what the next scan wants to know."""
        path = source.path
        kept = self._kept
        if isinstance(found, Died):
            how = "it came to no end" if found.how == signal.SIGPROF.name else found.how
            self.skips[path] = Skip(path, f"reading it ended a worker process: {how}", claimed=True)
        elif found.reason:
            self.skips[path] = Skip(path, found.reason)
        elif found.kept and found.seen:
            self._recallable[path] = (found.seen.digest, source.language)
        else:
            self.made[path] = found.facts or decode_facts(found.encoded)
            if kept and found.seen:
                self._keep(kept, path, (found.seen.digest, source.language), found)
        if kept:
            if isinstance(found, Died) or found.passing:
                kept.recorder.invalidate()
            else:
                kept.recorder.files[path] = found.seen

    def recall(self) -> None:
        """Take facts out of the cache; those that are gone, or not what they should be, are read after all."""
        if self._kept is None or not self._recallable:
            return
        rows = self._kept.cache.facts(set(self._recallable.values()))
        for path, key in self._recallable.items():
            if key in rows:
                with suppress(msgspec.MsgspecError):
                    self.made[path] = lazy_facts(rows[key])
                    self._kept.contents[path] = key
        self._keys = set()
        for source in self._tree.files:
            if source.path in self._recallable and source.path not in self.made:
                self.take(source, self._one(source))

    def _one(self, source: SourceFile) -> _Found:
        seen = stat_file(self._start + source.path)
        try:
            content = self._tree.read(source.path)
        except OSError as error:
            return _Found(seen, reason=f"cannot be read: {error.strerror or error}", passing=True)
        if self._kept:
            seen = seen and with_digest(seen, digest_of(content))
            if seen and (seen.digest, source.language) in self._keys:
                return _Found(seen, kept=True)
        signal.setitimer(signal.ITIMER_PROF, ALLOWED + ALLOWED_FOR_A_BYTE * len(content))
        try:
            return _Found(seen, read_facts(by_id[source.language], content))
        except Unreadable as reason:
            return _Found(seen, reason=str(reason))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _sent(self, source: SourceFile) -> bytes:
        """The same in a worker, encoded; empty when it cannot be."""
        found = self._one(source)
        try:
            if found.facts is not None:
                found = _Found(found.seen, encoded=_encode(found.facts))
            return _encode(found)
        except _UNSENDABLE:
            return b""

    def _keep(self, kept: ScanCache, path: str, key: FactsKey, found: _Found) -> None:
        try:
            kept.cache.keep_facts(key, found.encoded or _encode(found.facts))
        except _UNSENDABLE:
            return
        kept.contents[path] = key

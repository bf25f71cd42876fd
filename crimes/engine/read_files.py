"""Facts of every file: out of the cache, or read here, on several threads where the native reader is there, else in processes."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec

from crimes.discovery.discover import Tree
from crimes.incremental.lazy_facts import decode_facts, lazy_facts
from crimes.incremental.scan_cache import ScanCache
from crimes.incremental.stamps import FileStamp, has_same_stamp, stat_file, with_digest
from crimes.incremental.store import FactsKey
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.native import Job, job_of, native_module, start_natively
from crimes.languages.engine.reading import Unreadable
from crimes.model.digests import digest_of
from crimes.model.facts import FileFacts
from crimes.model.repository import Skip, SourceFile
from crimes.system.workers import Died, Progress, chunks, map_in_workers

CHUNK_BYTES = 400_000  # of source, that one worker takes at a time
MIN_WORKER_BYTES = 1_500_000  # of source for each process: below, starting them takes longer than they save

# A grammar can loop for ever on broken source, deep in C where only the end of the process stops it. So processor
# time is limited, to some twenty times what a large and tangled file takes.
MAX_FILE_SECONDS = 5.0
MAX_SECONDS_PER_BYTE = 20e-6


def allowed_seconds(size: int) -> float:
    """How long a file of so many bytes may take to read."""
    return MAX_FILE_SECONDS + MAX_SECONDS_PER_BYTE * size


_encode = msgspec.msgpack.Encoder().encode
_ENCODE_ERRORS = (UnicodeEncodeError, OverflowError)


class _Reading(msgspec.Struct, array_like=True):
    """The result of reading a file: facts, or that they are cached, or a reason why there are none."""

    stamp: FileStamp | None
    facts: FileFacts | None = None
    encoded: bytes = b""  # the facts, on their way between processes
    cached: bool = False
    reason: str = ""
    transient: bool = False  # the reason may be gone the next time


class _Content(msgspec.Struct):
    """A file that is to be read."""

    stamp: FileStamp | None
    content: bytes


_decode = msgspec.msgpack.Decoder(_Reading).decode


def read_all(
    tree: Tree,
    on_progress: Progress,
    cache: ScanCache,
    jobs: int = 1,
    while_waiting: Callable[[], None] = lambda: None,
    isolated: bool = False,
) -> tuple[dict[str, FileFacts], list[Skip]]:
    """Facts of every file, and the files that gave none. Each file is read and parsed once at most.

    `while_waiting` is called when other processes read and this one waits. With `isolated` it is always others: a file
    that ends its reader then costs itself, and not this process.
    """
    reader = _Reader(tree, cache, isolated)
    unknown = reader.files_to_read()
    done = len(tree.files) - len(unknown)
    on_progress("reading", done, len(tree.files))
    for source, reading in reader.read(unknown, jobs, while_waiting):
        done += 1
        if done % 50 == 0:
            on_progress("reading", done, len(tree.files))
        reader.take(source, reading)
    reader.load_cached()
    cache.cache.write()  # not with the rest at the end: until then they would fill the memory
    return (
        {source.path: reader.facts[source.path] for source in tree.files if source.path in reader.facts},
        [reader.skips[source.path] for source in tree.files if source.path in reader.skips],
    )


class _Reader:
    """Reads the files of a tree whose facts are not cached, and gathers facts and skips."""

    def __init__(self, tree: Tree, cache: ScanCache, isolated: bool) -> None:
        self.facts: dict[str, FileFacts] = {}
        self.skips: dict[str, Skip] = {}
        self._loadable: dict[str, FactsKey] = {}
        self._tree = tree
        self._start = os.path.join(str(tree.root), "")
        self._cache = cache
        self._isolated = isolated
        self._keys = cache.cache.facts_keys()

    def files_to_read(self) -> list[SourceFile]:
        """All but those whose stamp did not change and whose facts are cached."""
        last, unchanged = self._cache.last, self._cache.unchanged
        if last is None or not self._keys:
            return list(self._tree.files)
        unknown: list[SourceFile] = []
        for source in self._tree.files:
            path = source.path
            before = last.files.get(os.fsencode(path))
            if before and (key := (before.digest, source.language)) in self._keys:
                if unchanged is None:
                    now = stat_file(self._start + path)
                    same = now is not None and has_same_stamp(now, before, last.taken)
                else:
                    same = path in unchanged
                if same:
                    self._loadable[path] = key
                    self._cache.recorder.files[path] = before
                    continue
            unknown.append(source)
        return unknown

    def read(
        self, sources: Sequence[SourceFile], jobs: int, while_waiting: Callable[[], None]
    ) -> Iterator[tuple[SourceFile, _Reading | Died]]:
        """Each file with what reading it gave, in several processes where that pays."""
        jobs = min(jobs, sum(source.size for source in sources) // MIN_WORKER_BYTES)
        if not self._isolated and (jobs < 2 or native_module() is not None):
            yield from self._read_here(sources, jobs, while_waiting)
            return
        for at, result in map_in_workers(
            sources, self._read_encoded, max(jobs, 1), _reading_cost, CHUNK_BYTES, while_waiting
        ):
            if result:
                yield sources[at], result if isinstance(result, Died) else _decode(result)
            else:
                yield sources[at], self._read_file(sources[at])

    def _read_here(
        self, sources: Sequence[SourceFile], jobs: int, while_waiting: Callable[[], None]
    ) -> Iterator[tuple[SourceFile, _Reading]]:
        """Each file with what reading it gave, in this process: on threads, while this one takes what they have read."""
        threads = jobs if jobs > 1 else 0
        size = 0 if native_module() is None else CHUNK_BYTES * max(jobs, 1)
        started: deque[tuple[list[SourceFile], Callable[[], list[_Reading]]]] = deque()
        for start, end in chunks(map(_reading_cost, sources), size):
            run = list(sources[start:end])
            started.append((run, self._start_reading(run, threads)))
            if threads and start == 0:
                while_waiting()
            # One more than is waited for, and no more: what is read stays in memory until it is taken.
            if not threads or len(started) > 2:
                yield from _finish(*started.popleft(), max(jobs, 1))
        while started:
            yield from _finish(*started.popleft(), max(jobs, 1))

    def _start_reading(self, sources: Sequence[SourceFile], threads: int) -> Callable[[], list[_Reading]]:
        """Start to read some files: the native reader all it can, and Python what that one leaves, when it is waited for."""
        opened = [self._open(source) for source in sources]
        jobs: list[tuple[int, Job]] = []
        if native_module() is not None:
            for at, (source, reading) in enumerate(zip(sources, opened, strict=True)):
                if isinstance(reading, _Content):
                    with suppress(Unreadable):  # the Python reader says why
                        job = job_of(by_id[source.language], reading.content)
                        if job is not None:
                            jobs.append((at, job))
        wait = start_natively([job for _, job in jobs], allowed_seconds, threads)

        def finish() -> list[_Reading]:
            for (at, _), encoded in zip(jobs, wait(), strict=True):
                reading = opened[at]
                if encoded is not None and isinstance(reading, _Content):
                    opened[at] = _Reading(reading.stamp, encoded=encoded)
            return [
                reading if isinstance(reading, _Reading) else _read_with_python(source, reading)
                for source, reading in zip(sources, opened, strict=True)
            ]

        return finish

    def take(self, source: SourceFile, reading: _Reading | Died) -> None:
        """Store a result, and record what the next scan needs to know."""
        path, recorder = source.path, self._cache.recorder
        if isinstance(reading, Died):
            timed_out = reading.how == signal.SIGPROF.name
            reason = "reading it took too long" if timed_out else f"reading it crashed: {reading.how}"
            self.skips[path] = Skip(path, reason, claimed=True)
            recorder.invalidate()
            return
        if reading.reason:
            self.skips[path] = Skip(path, reading.reason)
        elif reading.cached and reading.stamp:
            self._loadable[path] = (reading.stamp.digest, source.language)
        else:
            self.facts[path] = reading.facts or decode_facts(reading.encoded)
            if self._cache.enabled and reading.stamp:
                with suppress(*_ENCODE_ERRORS):
                    encoded = reading.encoded or _encode(reading.facts)
                    self._cache.save_facts(path, (reading.stamp.digest, source.language), encoded)
        if reading.transient:
            recorder.invalidate()
        else:
            recorder.files[path] = reading.stamp

    def load_cached(self) -> None:
        """Load facts from the cache; files whose facts are gone or damaged are read after all."""
        if not self._loadable:
            return
        rows = self._cache.cache.facts(set(self._loadable.values()))
        for path, key in self._loadable.items():
            if key in rows:
                with suppress(msgspec.MsgspecError):
                    self.facts[path] = lazy_facts(rows[key])
                    self._cache.contents[path] = key
        self._keys = set()
        for source in self._tree.files:
            if source.path in self._loadable and source.path not in self.facts:
                self.take(source, self._read_file(source))

    def _read_file(self, source: SourceFile) -> _Reading:
        with _limited_time([source]):
            return self._start_reading([source], threads=0)()[0]

    def _open(self, source: SourceFile) -> _Reading | _Content:
        """The content of a file, unless its facts are cached or it cannot be read."""
        stamp = stat_file(self._start + source.path)
        try:
            content = self._tree.read(source.path)
        except OSError as error:
            return _Reading(stamp, reason=f"cannot be read: {error.strerror or error}", transient=True)
        if self._cache.enabled:
            stamp = stamp and with_digest(stamp, digest_of(content))
            if stamp and (stamp.digest, source.language) in self._keys:
                return _Reading(stamp, cached=True)
        return _Content(stamp, content)

    def _read_encoded(self, source: SourceFile) -> bytes:
        """The same in a worker, encoded; empty when it cannot be."""
        reading = self._read_file(source)
        try:
            if reading.facts is not None:
                reading = _Reading(reading.stamp, encoded=_encode(reading.facts))
            return _encode(reading)
        except _ENCODE_ERRORS:
            return b""


def _reading_cost(source: SourceFile) -> int:
    return source.size + 2_000  # a small file takes longer than its bytes


def _read_with_python(source: SourceFile, opened: _Content) -> _Reading:
    try:
        return _Reading(opened.stamp, read_facts(by_id[source.language], opened.content))
    except Unreadable as reason:
        return _Reading(opened.stamp, reason=str(reason))


def _finish(
    run: list[SourceFile], finish: Callable[[], list[_Reading]], jobs: int
) -> Iterator[tuple[SourceFile, _Reading]]:
    with _limited_time(run, jobs):
        readings = finish()
    yield from zip(run, readings, strict=True)


@contextmanager
def _limited_time(sources: Sequence[SourceFile], jobs: int = 1) -> Iterator[None]:
    """Ends this process if it takes more processor time than some files may: a grammar can loop for ever."""
    signal.setitimer(signal.ITIMER_PROF, jobs * allowed_seconds(sum(source.size for source in sources)))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)

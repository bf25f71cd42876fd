"""Facts of one large repository, read on a cluster. Workers get contents and give facts; the cache takes them, and the scan
that follows finds them there. Nothing but bytes travels, and no disk is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from distributed import Client, as_completed

from crimes.config.schema import Config
from crimes.discovery.discover import Tree, discover
from crimes.incremental.store import Cache, FactsKey
from crimes.languages import by_id
from crimes.model.digests import digest_of
from crimes.system.user_dirs import database_of
from crimes.workflows.fleet.cluster import connected
from crimes.workflows.fleet.facts_process import MAX_BATCH_SECONDS, Item, decode_facts_list, encode
from crimes.workflows.fleet.worker import ask

# Measured with benchmarks/fleet/remote.py, CPU seconds per megabyte of source; `docs/fleet.md` has the figures.
READ_SECONDS_PER_MB = 0.54  # to read facts, on one core
SEND_SECONDS_PER_MB = 0.055  # to send contents, take facts and keep them, on this machine
START_SECONDS = 3.0  # until the first facts are there

_BATCH_BYTES, _BATCH_FILES = 2_000_000, 500
_BATCHES_PER_THREAD = 2  # under way: bounds what is in memory
_FACTS_PROCESS = "crimes.workflows.fleet.facts_process"


class Unread(NamedTuple):
    """A file whose facts are not in the cache."""

    path: str
    language: str
    size: int


class Estimate(NamedTuple):
    """How long reading would take, in seconds."""

    megabytes: float
    here: float
    on_cluster: float

    @property
    def is_worth_it(self) -> bool:
        return self.on_cluster < self.here


def estimate(size: int, jobs: int, threads: int) -> Estimate:
    """What it takes to read so many bytes with so many processes here, or threads of a cluster."""
    megabytes = size / 1e6
    here = megabytes * READ_SECONDS_PER_MB / jobs
    on_cluster = START_SECONDS + megabytes * max(SEND_SECONDS_PER_MB, READ_SECONDS_PER_MB / threads)
    return Estimate(megabytes, here, on_cluster)


def read_on_cluster(
    root: Path,
    config: Config,
    scheduler: str,
    jobs: int,
    notice: Callable[[str], None],
    *,
    always: bool = False,
) -> int:
    """Fill the cache of a repository with facts read on a cluster, where that is faster than `jobs` processes here.

    Returns how many files were read there. What a worker cannot read is left for the scan. Raises EnvironmentFault.
    """
    tree = discover(root, config, by_id)
    cache = Cache(database_of(root.resolve()), notice)
    try:
        unread = _unread_files(tree, cache.facts_keys())
        size = sum(file.size for file in unread)
        with connected(scheduler, 1) as client:
            threads = sum(client.nthreads().values())
            guess = estimate(size, jobs, threads)
            if not (always or guess.is_worth_it):
                notice(
                    f"--scheduler is not worth it: {guess.megabytes:,.1f} MB to read take about {guess.here:,.0f} s here and "
                    f"{guess.on_cluster:,.0f} s on {threads:,} threads of the cluster; they are read here"
                )
                return 0
            return _fill(client, tree, unread, cache, threads)
    finally:
        cache.close()
        tree.close()


def _unread_files(tree: Tree, known: set[FactsKey]) -> list[Unread]:
    unread, seen = [], set(known)
    for source in tree.files:
        try:
            content = tree.read(source.path)
        except OSError:
            continue  # the scan says why
        key = (digest_of(content), source.language)
        if key not in seen:
            seen.add(key)
            unread.append(Unread(source.path, source.language, len(content)))
    return unread


def _fill(client: Client, tree: Tree, unread: Sequence[Unread], cache: Cache, threads: int) -> int:
    batches = _batches(tree, unread)
    keys: dict[str, list[FactsKey]] = {}
    queue = as_completed(loop=client.loop, with_results=True, raise_errors=False)

    def submit_next() -> None:
        items = next(batches, None)
        if items is not None:
            future = client.submit(read_batch, encode(items), pure=False, retries=2)
            keys[str(future.key)] = [(digest_of(content), language) for language, content in items]
            queue.add(future)

    for _ in range(threads * _BATCHES_PER_THREAD):
        submit_next()
    read = 0
    for future, value in queue:
        wanted = keys.pop(str(future.key))
        submit_next()
        if future.status != "finished":
            continue  # workers died of it: the scan reads these, each file on its own
        for key, facts in zip(wanted, decode_facts_list(value), strict=False):
            if facts:
                cache.keep_facts(key, facts)
                read += 1
        cache.write()
    return read


def _batches(tree: Tree, unread: Sequence[Unread]) -> Iterator[list[Item]]:
    items: list[Item] = []
    size = 0
    for file in unread:
        try:
            content = tree.read(file.path)
        except OSError:
            continue
        items.append((file.language, content))
        size += len(content)
        if size >= _BATCH_BYTES or len(items) >= _BATCH_FILES:
            yield items
            items, size = [], 0
    if items:
        yield items


def read_batch(data: bytes) -> bytes:
    """What a worker runs: the facts of a batch, in its own process for that."""
    return ask(_FACTS_PROCESS, data, MAX_BATCH_SECONDS)

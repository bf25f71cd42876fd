"""What reading facts on a cluster costs the machine that scans: `python benchmarks/fleet/remote.py CHECKOUT…`.

Each checkout is scanned with a cold cache, once with its files read here by one process, and once with facts read by a cluster of one worker (its CPU
time is not counted). What remains is the client's share; from both follows how much source it takes before a cluster is faster.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from crimes.detection.registry import load_checked_config
from crimes.discovery.discover import discover
from crimes.engine.read_files import read_all
from crimes.incremental.recorder import Recorder
from crimes.incremental.scan_cache import ScanCache
from crimes.incremental.store import Cache
from crimes.languages import by_id
from crimes.system.user_dirs import database_of
from crimes.system.workers import no_progress
from crimes.workflows.fleet.remote_facts import read_on_cluster
from tests.kit.cluster import Cluster


def read(root: Path) -> tuple[float, float]:
    """CPU seconds to get the facts of all files of a checkout with one process, from the cache as far as they are there; and megabytes."""
    before = _cpu()
    config = load_checked_config(root)
    cache = Cache(database_of(root.resolve()), print)
    tree = discover(root, config, by_id)
    read_all(tree, no_progress, ScanCache(cache, Recorder(root.resolve(), ())), 1, isolated=True)
    cache.close()
    return _cpu() - before, sum(source.size for source in tree.files) / 1e6


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", nargs="+", type=Path)
    read_seconds = sent_seconds = megabytes = 0.0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "cluster").mkdir()
        with Cluster(work / "cluster", workers=1) as cluster:
            for number, root in enumerate(parser.parse_args().checkouts):
                os.environ["CRIMES_CACHE_DIR"] = str(work / f"here {number}")
                here, size = read(root)
                os.environ["CRIMES_CACHE_DIR"] = str(work / f"there {number}")
                before, began = _cpu(), time.monotonic()
                files = read_on_cluster(
                    root, load_checked_config(root), cluster.address, 1, print, always=True
                )
                sending, took = _cpu() - before, time.monotonic() - began
                loading, _ = read(root)
                print(
                    f"{root.name:<16}{size:>7.1f} MB {files:>7,} files  read here {here:.2f} s; client {sending:.2f} s to send and keep, "
                    f"{loading:.2f} s to load; wall on one worker {took:.1f} s",
                    flush=True,
                )
                read_seconds, sent_seconds, megabytes = (
                    read_seconds + here,
                    sent_seconds + sending + loading,
                    megabytes + size,
                )
    print(
        f"per MB: {read_seconds / megabytes:.3f} s to read here, {sent_seconds / megabytes:.3f} s for the client of a cluster"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What a fleet costs beside the scans it makes: `python benchmarks/fleet/run.py CHECKOUT…`, with ten real checkouts, say.

200 repositories of mixed sizes are generated, from 1 to 400 files, and scanned together with the checkouts, always with a cold cache:

plain     one process, one repository after the other, each in a fork: what the scans take
fleet 1   `crimes fleet` with one worker; its overhead is its CPU time over that of the plain scans
fleet 2   with two workers; the speed-up is the wall time of one over that of two
known     again, with nothing to scan
members   the same repositories under 1,000 and 2,000 names, for the memory of client and scheduler (one process here)

CPU time is that of all processes. On a machine with other work on it, only CPU time means something.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.growth import write_repository
from crimes.config.fleet import Limits
from crimes.incremental.code_version import portable_version
from crimes.system.workers import no_progress, run_in_worker
from crimes.workflows.fleet import scan_process
from crimes.workflows.fleet.members import Member
from crimes.workflows.fleet.run import Progress, RunOptions, run_fleet
from crimes.workflows.fleet.store import Store
from crimes.workflows.fleet.tasks import Task, decode_outcome, encode

GENERATED = 200
MAX_OVERHEAD = 0.10
MIN_SPEED_UP = 1.7
_SAMPLE_SECONDS = 0.25


def sizes() -> list[int]:
    """Files of each generated repository: half of them under twenty, the largest 400."""
    return [max(1, round(400 ** (number / (GENERATED - 1)))) for number in range(GENERATED)]


def members_in(folder: Path, checkouts: list[Path], copies: int = 1) -> list[Member]:
    folders = [*sorted(folder.glob("r*")), *checkouts]
    return [
        Member(f"{place.name}-{copy}", folder=str(place.resolve()))
        for copy in range(copies)
        for place in folders
    ]


def plain(members: list[Member]) -> dict[str, float]:
    """The scans alone. What is loaded once by a process that scans is loaded once here, and counts."""
    scan_process.load()
    for member in members:
        task = Task(member.name, member.folder, "", "", None, portable_version(), (), Limits())
        outcome = decode_outcome(run_in_worker(partial(_scan, encode(task)), 900, no_progress))
        assert outcome.status == "scanned", (member.name, outcome.status, outcome.reason)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {"cpu": sum(usage.ru_utime + usage.ru_stime for usage in used)}


def _scan(task: bytes, on_progress: object) -> bytes:
    return scan_process._work(task)


class Sampler:
    """CPU time of the long-lived processes below this one, as last seen; scans report their own."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def _sample(self) -> None:
        me = psutil.Process()
        while not self._done.wait(_SAMPLE_SECONDS):
            for process in me.children(recursive=True):
                try:
                    if _is_scan(process):
                        continue
                    times = process.cpu_times()
                    self._seconds[process.pid] = times.user + times.system
                except psutil.Error:
                    continue

    def stop(self) -> float:
        self._done.set()
        self._thread.join()
        return sum(self._seconds.values())


def _is_scan(process: psutil.Process) -> bool:
    """Whether a process is a scan or below one: a fork of the process that serves, which reports for all of them."""
    parent = process.parent()
    if parent is None or process.cmdline()[:1] != [sys.executable]:
        return True  # git
    return "scan_process" in " ".join(parent.cmdline())


def fleet(members: list[Member], store: Path, workers: int) -> dict[str, float]:
    began = time.monotonic()
    before = time.process_time()
    scans = 0.0
    sampler = Sampler()

    def on_progress(progress: Progress) -> None:
        nonlocal scans
        if progress.results:
            scans += progress.results[-1].cpu_seconds

    run = run_fleet(members, Store(store), RunOptions(workers=workers), on_progress)
    assert not run.info.failed, [result for result in run.results if not result.is_scanned]
    others = sampler.stop()
    return {
        "wall": time.monotonic() - began,
        "cpu": time.process_time() - before + others + scans,
        "scans": scans,
        "client MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
        "known": run.info.known,
    }


def step(name: str, folder: Path, checkouts: list[Path], work: Path) -> dict[str, float]:
    """One step in a process of its own, so that its memory and CPU time are its own."""
    command = [
        sys.executable,
        __file__,
        "--step",
        name,
        "--folder",
        str(folder),
        "--work",
        str(work),
        *map(str, checkouts),
    ]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    values: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    print(f"{name:<14}" + "  ".join(f"{key} {value:,.1f}" for key, value in values.items()), flush=True)
    return values


def run_step(name: str, folder: Path, checkouts: list[Path], work: Path) -> dict[str, float]:
    kind, _, number = name.partition(" ")
    cache = work / ("cache members" if kind == "members" else f"cache {name}".replace("known", "fleet 2"))
    os.environ["CRIMES_CACHE_DIR"] = str(cache)
    if kind == "plain":
        return plain(members_in(folder, checkouts))
    if kind == "members":
        small = [
            member for member in members_in(folder, [], 20) if member.name < "r1"
        ]  # under fifty files each
        return fleet(small[: int(number)], work / f"store {name}", 2)
    store = work / ("store fleet 2" if kind == "known" else f"store {name}")
    return fleet(members_in(folder, checkouts), store, 2 if kind == "known" else int(number))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", nargs="*", type=Path)
    parser.add_argument("--folder", type=Path, help="where the generated repositories are, or go")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        print(json.dumps(run_step(asked.step, asked.folder, asked.checkouts, asked.work)))
        return 0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        folder = asked.folder or work / "repositories"
        if not folder.exists():
            for number, files in enumerate(sizes()):
                (folder / f"r{number:03}").mkdir(parents=True)
                write_repository(folder / f"r{number:03}", files)
        print(
            f"{GENERATED} generated repositories with {sum(sizes()):,} files, {len(asked.checkouts)} checkouts",
            flush=True,
        )
        alone = step("plain", folder, asked.checkouts, work)
        one = step("fleet 1", folder, asked.checkouts, work)
        two = step("fleet 2", folder, asked.checkouts, work)
        step("known", folder, asked.checkouts, work)
        few, many = (step(f"members {number}", folder, [], work) for number in (1000, 2000))
    overhead, speed_up = one["cpu"] / alone["cpu"] - 1, one["wall"] / two["wall"]
    print(f"overhead {overhead:.1%}, speed-up {speed_up:.2f}")
    print(
        f"memory of client and scheduler per 1,000 repositories {many['client MB'] - few['client MB']:.1f} MB"
    )
    return 0 if overhead <= MAX_OVERHEAD and speed_up >= MIN_SPEED_UP else 1


if __name__ == "__main__":
    sys.exit(main())

"""Runs of a fleet without a cluster: each repository is scanned for real, in a fork, and the run is written as ever."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from crimes.config.fleet import Limits
from crimes.system.workers import no_progress, run_in_worker
from crimes.workflows.fleet import scan_process
from crimes.workflows.fleet.members import Member
from crimes.workflows.fleet.run import FleetRun, Result, _write_run
from crimes.workflows.fleet.store import Store
from crimes.workflows.fleet.tasks import Outcome, Task, decode_outcome, encode

VERSION = "the code of the tests"


def scan(member: Member, limits: Limits | None = None, known: tuple[str, ...] = ()) -> Outcome:
    """What a worker would answer for a repository."""
    task = Task(
        name=member.name,
        folder=member.folder,
        address=member.address,
        branch=member.branch,
        settings=member.settings,
        tool=VERSION,
        known=known,
        limits=limits or Limits(),
    )
    return decode_outcome(run_in_worker(partial(_work, encode(task)), 120, no_progress))


def _work(task: bytes, on_progress: object) -> bytes:
    return scan_process._work(task)


def run(members: Sequence[Member], folder: Path, began: float = 0.0) -> FleetRun:
    """Scan the members and write the run into the store in a folder."""
    store = Store(folder)
    results = []
    for member in sorted(members, key=lambda member: member.name):
        outcome = scan(member)
        if outcome.scan:
            store.save_scan(member.name, outcome.key, outcome.scan)
        results.append(Result(member, outcome.status, outcome.reason, outcome.key))
    return _write_run(store, results, began, 1)

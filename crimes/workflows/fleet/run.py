"""A run of a fleet: every repository is one task, every result is kept as it arrives, and the tables are written at the end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from distributed import CancelledError, Client, Future, as_completed
from msgspec import Struct
from msgspec.structs import astuple

from crimes import __version__
from crimes.config.fleet import Limits
from crimes.incremental.code_version import portable_version
from crimes.model.errors import EnvironmentFault
from crimes.model.wording import count
from crimes.workflows.fleet.cluster import connected
from crimes.workflows.fleet.columns import TABLES, TABLES_VERSION
from crimes.workflows.fleet.members import Member
from crimes.workflows.fleet.rates import per_kloc
from crimes.workflows.fleet.store import RunInfo, Store
from crimes.workflows.fleet.tables import Row, TableWriter
from crimes.workflows.fleet.tasks import (
    KNOWN,
    SCANNED,
    Outcome,
    RepositoryScan,
    Task,
    decode_outcome,
    decode_scan,
    encode,
)
from crimes.workflows.fleet.worker import scan_repository

_RETRIES = 2  # by Dask, of a task whose worker could not do it
_MIN_RATE_LINES = (
    1000  # a smaller repository counts as one of so many lines: one finding in ten lines leads no list
)


class Result(Struct, frozen=True):
    """What became of a member of the fleet."""

    member: Member
    status: str  # scanned, known or why it was not
    reason: str = ""
    key: str = ""
    seconds: float = 0.0  # that it took where it was done
    cpu_seconds: float = 0.0  # of the process that scanned it, and those it started

    @property
    def is_scanned(self) -> bool:
        return self.status in (SCANNED, KNOWN)


class Progress(Struct, frozen=True):
    """How far a run is, for who watches it."""

    results: Sequence[Result]  # in the order they came
    total: int
    workers: int


class RunOptions(Struct, frozen=True):
    """How a fleet is run; `workers` of a cluster of our own."""

    limits: Limits = Limits()
    scheduler: str = ""
    workers: int = 1
    rescan: bool = False  # also what is known already


class FleetRun(Struct, frozen=True):
    """A run that came to its end."""

    folder: Path
    info: RunInfo
    results: tuple[Result, ...]  # by name


def run_fleet(
    members: Sequence[Member],
    store: Store,
    options: RunOptions,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> FleetRun:
    """Scan a fleet and keep the run. What an interrupted run finished before is not done again.

    EnvironmentFault when there is no cluster or the store cannot be written; the scans that arrived before that stay.
    """
    began = time.time()
    members = sorted(members, key=lambda member: member.name)
    with connected(options.scheduler, min(options.workers, len(members))) as client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        arrived: list[Result] = []
        on_progress(Progress(arrived, len(members), workers))
        for result in _scan_all(client, members, store, options):
            arrived.append(result)
            on_progress(Progress(arrived, len(members), workers))
    results = {result.member.name: result for result in arrived}
    missing = [member.name for member in members if member.name not in results]
    if missing:
        raise EnvironmentFault(
            f"the scheduler went away; {count(len(missing), 'repository', 'repositories')} to go: run the command again"
        )
    return _write_run(store, [results[member.name] for member in members], began, workers)


def _scan_all(
    client: Client, members: Sequence[Member], store: Store, options: RunOptions
) -> Iterator[Result]:
    """Each member once, as it is done. Scans are in the store when they are yielded."""
    tool = portable_version()
    ordered = sorted(members, key=_size_hint, reverse=True)  # the long ones first: none of them ends alone
    tasks = [
        _task(member, tool, options.limits, () if options.rescan else store.known_keys(member.name))
        for member in ordered
    ]
    run_key = f"crimes-{os.urandom(8).hex()}"  # two fleets on one cluster do not share tasks
    futures = client.map(
        scan_repository,
        tasks,
        key=[f"{run_key}-{number}" for number in range(len(tasks))],
        retries=_RETRIES,
        pure=False,
    )
    by_key = dict(zip((future.key for future in futures), ordered, strict=True))
    # Without results: one that is lost on its way here would never come out, and the run would wait for it.
    queue = as_completed(futures, loop=client.loop)
    del futures  # what is done need not stay on the workers
    for future in queue:
        member = by_key.pop(future.key)
        outcome = _outcome_of(future)
        if outcome.status == KNOWN and not _is_kept(store, member.name, outcome.key):
            task = _task(member, tool, options.limits, ())
            again = client.submit(
                scan_repository, task, key=f"{future.key}-again", retries=_RETRIES, pure=False
            )
            by_key[again.key] = member
            queue.add(again)
            continue
        if outcome.status == SCANNED:
            store.save_scan(member.name, outcome.key, outcome.scan)
        yield Result(
            member, outcome.status, outcome.reason, outcome.key, outcome.seconds, outcome.cpu_seconds
        )


def _task(member: Member, tool: str, limits: Limits, known: tuple[str, ...]) -> bytes:
    return encode(
        Task(
            name=member.name,
            folder=member.folder,
            address=member.address,
            branch=member.branch,
            settings=member.settings,
            tool=tool,
            known=known,
            limits=limits,
        )
    )


def _size_hint(member: Member) -> int:
    """About how large a checkout is: its index has a row for every file. 0 where that is not known."""
    try:
        return os.stat(os.path.join(member.folder, ".git", "index")).st_size if member.folder else 0
    except OSError:
        return 0


def _outcome_of(future: Future[bytes]) -> Outcome:
    """The outcome of a task, whether it came to its end or Dask gave up on it. EnvironmentFault when it cannot be had."""
    if future.status == "cancelled":
        return Outcome("killed", "the cluster dropped it")
    try:
        error = future.exception()
        if error is None:
            return decode_outcome(future.result())
    except (OSError, CancelledError) as lost:
        raise EnvironmentFault(f"no answer from the scheduler: {lost}; run the command again") from lost
    name = type(error).__name__
    if name == "KilledWorker":
        return Outcome("killed", "the workers that scanned it died, again and again")
    return Outcome("crash" if isinstance(error, EnvironmentFault) else "error", f"{name}: {error}"[:300])


def _is_kept(store: Store, name: str, key: str) -> bool:
    """Whether a scan that is said to be known can be read."""
    try:
        decode_scan(store.load_scan(name, key))
    except (EnvironmentFault, ValueError):
        store.drop_scan(name, key)
        return False
    return True


def _write_run(store: Store, results: Sequence[Result], began: float, workers: int) -> FleetRun:
    info = RunInfo(
        id="",
        tables_version=TABLES_VERSION,
        tool=__version__,
        began=datetime.fromtimestamp(began, UTC).isoformat(timespec="seconds"),
        seconds=0.0,
        repositories=len(results),
        scanned=sum(result.status == SCANNED for result in results),
        known=sum(result.status == KNOWN for result in results),
        failed=sum(not result.is_scanned for result in results),
        workers=workers,
    )
    with store.new_run() as aside:
        with ExitStack() as stack:
            writers = {table: stack.enter_context(TableWriter(aside, table)) for table in TABLES}
            for result in results:
                scan = (
                    decode_scan(store.load_scan(result.member.name, result.key))
                    if result.is_scanned
                    else None
                )
                writers["repositories"].add([_repository_row(result, scan)])
                if scan:
                    for table, rows in _detail_rows(result.member.name, scan):
                        writers[table].add(rows)
        folder, info = store.publish(aside, began, info)
    return FleetRun(folder, info, tuple(results))


def _repository_row(result: Result, scan: RepositoryScan | None) -> Row:
    member = result.member
    head = (
        member.name,
        member.group,
        list(member.tags.items()),
        member.source,
        member.branch,
        SCANNED if result.is_scanned else result.status,
        result.reason,
    )
    if scan is None:
        return (*head, "", "", "", "", "", *(None,) * 9, [], [])
    findings = scan.high + scan.medium + scan.low
    return (
        *head,
        scan.commit,
        scan.commit_time,
        scan.tool,
        scan.trust.classification,
        scan.language,
        scan.files,
        scan.lines,
        findings,
        scan.high,
        scan.medium,
        scan.low,
        per_kloc(findings, scan.lines),
        scan.risk,
        per_kloc(scan.risk, scan.lines),
        list(scan.detectors),
        list(scan.unread),
    )


def _detail_rows(name: str, scan: RepositoryScan) -> Iterator[tuple[str, list[Row]]]:
    findings = sorted(
        scan.findings, key=lambda row: (row.file, row.line, row.type, row.fingerprint, row.state)
    )
    yield "findings", [(name, *astuple(row)) for row in findings]
    yield "files", [(name, *astuple(row)) for row in sorted(scan.ranked, key=lambda row: row.file)]
    yield "trust", [(name, *astuple(scan.trust))]

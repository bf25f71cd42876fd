"""The Dask cluster that a fleet runs on: one of our own on this machine, or the user's. Scheduling and retries are Dask's."""

from __future__ import annotations

import logging
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker

import dask.config
from distributed import Client, LocalCluster
from distributed.security import Security

from crimes.incremental.code_version import portable_version
from crimes.model.errors import EnvironmentFault
from crimes.system.workers import safe_import_path

_START_SECONDS = 120  # for the first worker to be there
_LOGGERS = ("distributed", "distributed.client", "tornado.application")  # those that Dask gives a level
# Of a cluster of our own: nobody looks at its profiles and pages, and watching itself takes a twentieth of a core.
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


@contextmanager
def connected(scheduler: str, workers: int) -> Iterator[Client]:
    """A client of the user's scheduler, or of a cluster of our own with so many workers; with at least one worker there.

    EnvironmentFault when there is no such scheduler, no worker, or one with another version of crimes.
    """
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters to the user, we say
    with ExitStack() as stack:
        try:
            client = stack.enter_context(_client_of(scheduler, workers, stack))
            client.wait_for_workers(1, timeout=_START_SECONDS)
        except (OSError, RuntimeError, ValueError, TimeoutError) as error:
            place = f"at {scheduler}" if scheduler else "on this machine"
            raise EnvironmentFault(f"no cluster {place}: {error}") from error
        _check_versions(client)
        yield client


def _client_of(scheduler: str, workers: int, stack: ExitStack) -> Client:
    if scheduler:
        return Client(scheduler, set_as_default=False, timeout=30)
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="crimes-", ignore_cleanup_errors=True))
    stack.enter_context(safe_import_path())
    stack.enter_context(dask.config.set(_QUIET))
    with _interrupts_blocked():
        cluster = _local_cluster(workers, folder)
    stack.enter_context(cluster)
    return Client(cluster, set_as_default=False)


def _local_cluster(workers: int, folder: str) -> LocalCluster:
    # With keys made for this run: whoever else uses this machine could otherwise have code run by the workers.
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        protocol="tls://",
        security=Security.temporary(),
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
        local_directory=folder,
        memory_limit=0,  # a worker holds little; what scans is limited by itself
        silence_logs=logging.CRITICAL,
    )


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Threads and processes that start now never see an interrupt: it is for this one, which then ends them."""
    resource_tracker.ensure_running()  # the first process would start it, and allow interrupts again after that
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _check_versions(client: Client) -> None:
    """Refuse a cluster whose workers would give other results."""
    ours = portable_version()
    for address, version in client.run(portable_version, on_error="return").items():
        if version != ours:
            found = version if isinstance(version, str) else f"none that works: {version}"
            raise EnvironmentFault(
                f"worker {address} has another version of crimes ({found[:200]}) than this command ({ours}); "
                "install the same version, and the same Python, on every worker"
            )

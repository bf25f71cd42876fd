"""A real Dask cluster for tests: a scheduler and workers, each a process that can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

WAIT_SECONDS = 60


class Cluster:
    """A scheduler on the loopback interface, and workers without a nanny: one that is killed stays dead."""

    def __init__(self, folder: Path, workers: int = 3) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._size = workers
        self._file = folder / "scheduler.json"
        self._environment = {
            **os.environ,
            "CRIMES_CACHE_DIR": str(folder / "cache"),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self.cache = folder / "cache"
        options = (
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(self._file),
        )
        self._scheduler = self._start("scheduler", *options)
        wait_for(self._file.exists)
        self.workers: list[subprocess.Popen[bytes]] = []
        self.fill()

    @property
    def address(self) -> str:
        import json

        return str(json.loads(self._file.read_text())["address"])

    def _start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "dask", what, *options],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def fill(self) -> None:
        """Start workers until there are as many as there should be."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        options = (
            "--host",
            "127.0.0.1",
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--memory-limit",
            "0",
        )
        place = ("--scheduler-file", str(self._file), "--local-directory", str(self._folder / "scratch"))
        while len(self.workers) < self._size:
            self.workers.append(self._start("worker", *options, *place))

    def kill(self, number: int) -> None:
        """Kill so many workers, at once and without a word."""
        for worker in self.workers[:number]:
            worker.send_signal(signal.SIGKILL)
        for worker in self.workers[:number]:
            worker.wait()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()


def wait_for(condition: Callable[[], object], seconds: float = WAIT_SECONDS) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)

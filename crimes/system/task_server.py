"""A process that serves tasks one at a time, for a caller that has threads and must not fork.

The process is a new interpreter with one thread, so it may fork: each task runs in a fork of it, within limits of time and
memory, and modules are imported once. It leads a session of its own, without a terminal. What a task started and left
behind ends with it: after a task that did not come to its end, and when the caller is gone, the whole session is killed.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, cast

from crimes.model.errors import EnvironmentFault
from crimes.system.messages import Inbox, write_message
from crimes.system.workers import Progress, Stopped, no_progress, run_in_worker

_TASK, _ANSWER, _LAST_ANSWER = b"T", b"A", b"L"
_GRACE_SECONDS = 30  # beyond its own limit, before a server that does not answer is given up


class TaskServer:
    """The caller's end of a server that runs `module` as its program. Used by one thread at a time."""

    def __init__(self, module: str) -> None:
        # Neither the current folder of the caller nor the one it starts in brings modules: it may be a stranger's.
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-P", "-m", module],
            cwd=os.sep,
            # glibc reserves 64 MB of address space for each thread: a limit on memory would count them, or not, by chance.
            env={**os.environ, "MALLOC_ARENA_MAX": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._tasks = cast(BinaryIO, self._process.stdin)
        self._inbox = Inbox(cast(BinaryIO, self._process.stdout).fileno())

    def ask(self, task: bytes, seconds: float) -> bytes | None:
        """The answer to a task; None when the server ended without one. TimeoutError long after the task's own limit."""
        try:
            write_message(self._tasks.fileno(), _TASK, task)
            for kind, content in self._inbox.until(time.monotonic() + seconds + _GRACE_SECONDS):
                if kind == _LAST_ANSWER:
                    self.close()
                return content
        except BrokenPipeError:
            return None
        return None

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """End the server and everything it started."""
        if self.is_running:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._tasks.close()
        cast(BinaryIO, self._process.stdout).close()


def serve(
    work: Callable[[bytes], bytes],
    seconds_of: Callable[[bytes], float],
    failed: Callable[[bytes, BaseException], bytes],
) -> None:
    """Serve tasks from stdin until it is closed. `failed` makes the answer of a task that ended in an error or was Stopped."""
    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever prints must not write into the answers
    for _, task in Inbox(0).until(None):
        kind, watch = _ANSWER, _CallerWatch()
        try:
            answer = run_in_worker(partial(_work, work, task), seconds_of(task), no_progress, watch.start)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - each becomes the answer
            answer = failed(task, error)
            if isinstance(error, Stopped | SystemExit):
                kind = _LAST_ANSWER
        finally:
            watch.stop()
        write_message(answers, kind, answer)
        if kind == _LAST_ANSWER:  # what the task started may go on: git, readers of files
            os.killpg(0, signal.SIGKILL)


def _work(work: Callable[[bytes], bytes], task: bytes, on_progress: Progress) -> bytes:
    return work(task)


class _CallerWatch:
    """Kills the session when the caller goes away in the middle of a task. It sends nothing then but the end of its pipe."""

    def __init__(self) -> None:
        self._end, self._ours = os.pipe()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait for it: at the next fork there must be no thread."""
        os.close(self._ours)
        if self._thread.ident is not None:
            self._thread.join()
        os.close(self._end)

    def _watch(self) -> None:
        waiting = select.poll()
        waiting.register(0, select.POLLIN | select.POLLHUP)
        waiting.register(self._end, select.POLLIN | select.POLLHUP)
        ready = {descriptor for descriptor, _ in waiting.poll()}
        if 0 in ready and self._end not in ready:
            os.killpg(0, signal.SIGKILL)


def with_server(servers: dict[str, TaskServer], module: str, task: bytes, seconds: float) -> bytes:
    """The answer of the running server of a module, or of a new one. EnvironmentFault when it gives none."""
    server = servers.get(module)
    if server is None or not server.is_running:
        server = servers[module] = TaskServer(module)
    try:
        answer = server.ask(task, seconds)
    except TimeoutError:
        answer = None
    if answer is None:
        server.close()
        del servers[module]
        raise EnvironmentFault("the process that scans ended without an answer")
    return answer

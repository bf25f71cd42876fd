"""What a worker of the cluster runs. A worker has threads, so it scans nothing itself: it asks a process of its own."""

from __future__ import annotations

import threading
import time

from msgspec.structs import replace

from crimes.incremental.code_version import portable_version
from crimes.model.errors import EnvironmentFault
from crimes.system.task_server import TaskServer, with_server
from crimes.workflows.fleet.tasks import decode_outcome, decode_task, encode

_SCAN_PROCESS = "crimes.workflows.fleet.scan_process"

_own = threading.local()  # a worker may have several threads, and each its own process


def scan_repository(data: bytes) -> bytes:
    """The outcome of a task, both encoded. EnvironmentFault when this worker cannot tell: then another may."""
    task = decode_task(data)
    if task.tool != portable_version():
        raise EnvironmentFault("a worker has another version of crimes than the command")
    began = time.monotonic()
    answer = ask(_SCAN_PROCESS, data, task.limits.seconds)
    return encode(replace(decode_outcome(answer), seconds=time.monotonic() - began))


def ask(module: str, task: bytes, seconds: float) -> bytes:
    """The answer of this thread's process to a task."""
    servers: dict[str, TaskServer] = _own.__dict__.setdefault("servers", {})
    return with_server(servers, module, task, seconds)

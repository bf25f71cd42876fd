"""Runs work in a process of its own, so that running out of time or memory ends that process and not the command.

The worker is a fork of this process. It tells its progress and its result through a pipe; an error travels up its own
copy of the stack and is printed there, as it would be without a worker.
"""

from __future__ import annotations

import errno
import os
import resource
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator
from typing import NoReturn

from msgspec import Struct

Progress = Callable[[str, int, int], None]

_HEAD = struct.Struct(">cQ")  # what a message is, and its length
_PROGRESS, _RESULT, _NO_MEMORY = b"P", b"R", b"M"
_CHUNK = 1 << 20
# The system kills who takes too much memory; tree-sitter aborts when it gets none.
_MEMORY_SIGNALS = frozenset({signal.SIGKILL, signal.SIGABRT})


class Stopped(Exception):
    """The work did not come to its end. `kind` is timeout, out-of-memory or crash; `stage` is where it was."""

    def __init__(self, kind: str, stage: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.stage = stage


def in_worker(
    work: Callable[[Progress], bytes],
    seconds: float | None,
    tell: Progress,
    while_waiting: Callable[[], object] | None = None,
) -> bytes:
    """The result of the work. Raises Stopped, or leaves as the worker left when it ended by itself.

    `meanwhile` is called in this process while the worker is at it: something short, nobody listens until it is done.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    ours, theirs = os.pipe()
    worker = os.fork()
    if worker == 0:
        os.close(ours)
        _serve(work, theirs)
    os.close(theirs)
    talk = _Talk()
    try:
        if while_waiting:
            while_waiting()
        for kind, content in _messages(ours, deadline):
            talk.hear(kind, content, tell)
    except BaseException as error:  # out of time, or interrupted: nobody waits for it any more
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        if isinstance(error, TimeoutError):
            raise Stopped("timeout", talk.stage, f"no result within {seconds:g} seconds") from error
        raise
    finally:
        os.close(ours)
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    if talk.result is None:
        raise _ended(code, talk)
    return talk.result


class _Talk(Struct):
    """What the worker has said so far."""

    stage: str = "starting"
    result: bytes | None = None
    no_memory: bool = False

    def hear(self, kind: bytes, content: bytes, tell: Progress) -> None:
        if kind == _RESULT:
            self.result = content
        elif kind == _NO_MEMORY:
            self.no_memory = True
        else:
            self.stage, done, total = content.decode().split("\0")
            tell(self.stage, int(done), int(total))


def _serve(work: Callable[[Progress], bytes], pipe: int) -> NoReturn:
    """The worker's whole life."""
    # The command's reader waits until every copy of its stdout is closed, and must not wait for this one.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    sys.unraisablehook = _ignored
    try:
        _send(
            pipe,
            _RESULT,
            work(lambda stage, done, total: _send(pipe, _PROGRESS, f"{stage}\0{done}\0{total}".encode())),
        )
    except KeyboardInterrupt:
        os._exit(130)
    except Exception as error:
        if not _wants_memory(error):
            raise
        _send(pipe, _NO_MEMORY, b"")
    os._exit(0)


def _wants_memory(error: Exception) -> bool:
    """A refusal of memory has several faces: some C code fails without a word, and threads do not start."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    unsaid = isinstance(error, SystemError) or "can't start new thread" in str(error)
    return unsaid and _memory_is_limited()


def _ignored(unraisable: sys.UnraisableHookArgs) -> None:
    """What cannot be raised for want of memory is told once, by the report."""
    if unraisable.exc_type is not MemoryError:
        sys.__unraisablehook__(unraisable)


def _send(pipe: int, kind: bytes, content: bytes) -> None:
    data = memoryview(_HEAD.pack(kind, len(content)) + content)
    try:
        while data:
            data = data[os.write(pipe, data) :]
    except BrokenPipeError:  # nobody waits for this any more
        os._exit(0)


def _messages(pipe: int, deadline: float | None) -> Iterator[tuple[bytes, bytes]]:
    """Messages until the worker closes its end. TimeoutError when time is up."""
    waiting = bytearray()
    waiting_for = select.poll()  # select takes no descriptor above 1023, and a process may have more open
    waiting_for.register(pipe, select.POLLIN | select.POLLHUP)
    while True:
        left = None if deadline is None else deadline - time.monotonic()
        if (left is not None and left <= 0) or not waiting_for.poll(None if left is None else 1000 * left):
            raise TimeoutError
        piece = os.read(pipe, _CHUNK)
        if not piece:
            return
        waiting += piece
        while len(waiting) >= _HEAD.size:
            kind, length = _HEAD.unpack_from(waiting)
            end = _HEAD.size + length
            if len(waiting) < end:
                break
            yield kind, bytes(waiting[_HEAD.size : end])
            del waiting[:end]


def _memory_is_limited() -> bool:
    """Under a limit the system refuses memory instead of killing, and not all C code can take a refusal."""
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _ended(code: int, talk: _Talk) -> Stopped | SystemExit:
    """What a worker without a result ended in."""
    if talk.no_memory:
        return Stopped("out-of-memory", talk.stage, "the scan ran out of memory")
    if code >= 0:  # it has said why
        return SystemExit(code)
    name = signal.Signals(-code).name
    if -code in _MEMORY_SIGNALS or _memory_is_limited():
        return Stopped(
            "out-of-memory", talk.stage, f"the scan was ended by {name}, most likely for want of memory"
        )
    return Stopped("crash", talk.stage, f"the scan was ended by {name}")

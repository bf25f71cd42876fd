"""Work on many items in several processes. One that dies costs the item it was at, and no other.

Workers are forks: they have all the items, and are told by two numbers which to take next. What an item gives is bytes.
"""

from __future__ import annotations

import os
import select
import signal
import struct
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn, TypeVar

from msgspec import Struct

T = TypeVar("T")

_TASK = struct.Struct(">II")  # from, up to
_SIZE = struct.Struct(">I")
_CHUNK = 1 << 20


class Died(Struct, frozen=True):
    """What became of an item whose worker did not survive it."""

    how: str  # the signal's name, or an exit code


def in_processes(
    items: Sequence[T],
    work: Callable[[T], bytes],
    jobs: int,
    cost: Callable[[T], int],
    chunk: int,
    started: Callable[[], None] = lambda: None,
) -> Iterator[tuple[int, bytes | Died]]:
    """Each item's number with its result, in any order. Items go out in runs that cost about `chunk`.

    `started` is called when the workers have their first tasks: it may start threads, which must not be there at a fork.
    """
    waiting = deque(_runs([cost(item) for item in items], chunk))
    workers = [_Worker(items, work) for _ in range(min(jobs, len(waiting)))]
    try:
        for worker in workers:
            worker.give(waiting.popleft())
        started()
        while busy := [worker for worker in workers if worker.task]:
            for worker in _readable(busy):
                start, end = worker.task or (0, 0)
                results = worker.hear()
                if results is None:
                    continue
                if isinstance(results, Died):
                    workers.remove(worker)
                    workers.append(_Worker(items, work))
                    if end - start == 1:
                        yield start, results
                    else:  # one of these did it: each on its own
                        waiting.extendleft((at, at + 1) for at in reversed(range(start, end)))
                else:
                    yield from enumerate(results, start)
                for idle in workers:
                    if idle.task is None and waiting:
                        idle.give(waiting.popleft())
    finally:
        for worker in workers:
            worker.dismiss()


def _runs(costs: Sequence[int], chunk: int) -> Iterator[tuple[int, int]]:
    start = total = 0
    for at, one in enumerate(costs):
        total += one
        if total >= chunk:
            yield start, at + 1
            start, total = at + 1, 0
    if start < len(costs):
        yield start, len(costs)


def _readable(workers: Sequence[_Worker]) -> list[_Worker]:
    waiting = select.poll()  # select takes no descriptor above 1023, and a process may have more open
    for worker in workers:
        waiting.register(worker.results, select.POLLIN | select.POLLHUP)
    ready = {descriptor for descriptor, _ in waiting.poll()}
    return [worker for worker in workers if worker.results in ready]


class _Worker:
    """A fork that takes tasks and answers each with one message."""

    def __init__(self, items: Sequence[T], work: Callable[[T], bytes]) -> None:
        take, self._tasks = os.pipe()
        self.results, answer = os.pipe()
        self.task: tuple[int, int] | None = None
        self._heard = bytearray()
        self._process = os.fork()
        if self._process == 0:
            os.close(self._tasks)
            os.close(self.results)
            _serve(items, work, take, answer)
        os.close(take)
        os.close(answer)

    def give(self, task: tuple[int, int]) -> None:
        self.task = task
        try:
            os.write(self._tasks, _TASK.pack(*task))
        except BrokenPipeError:
            return  # it is dead, which is heard at the other pipe

    def hear(self) -> list[bytes] | Died | None:
        """The results of the task, None while they are not complete."""
        piece = os.read(self.results, _CHUNK)
        if not piece:
            return self._died()
        self._heard += piece
        if len(self._heard) < _SIZE.size:
            return None
        (size,) = _SIZE.unpack_from(self._heard)
        if len(self._heard) < _SIZE.size + size:
            return None
        results = _unpacked(memoryview(self._heard)[_SIZE.size :])
        self._heard = bytearray()
        self.task = None
        return results

    def _died(self) -> Died:
        self._close()
        code = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
        return Died(signal.Signals(-code).name if code < 0 else f"exit code {code}")

    def dismiss(self) -> None:
        """End it. It may be in the middle of something nobody waits for any more."""
        self._close()
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)

    def _close(self) -> None:
        os.close(self._tasks)
        os.close(self.results)


def _serve(items: Sequence[T], work: Callable[[T], bytes], take: int, answer: int) -> NoReturn:
    """A worker's whole life; it ends when the other end of either pipe is closed."""
    code = 1
    try:
        while task := os.read(take, _TASK.size):
            start, end = _TASK.unpack(task)
            message = _packed([work(items[at]) for at in range(start, end)])
            left = memoryview(message)
            while left:
                left = left[os.write(answer, left) :]
        code = 0
    except BrokenPipeError:
        code = 0
    except MemoryError:
        code = 3
    finally:
        os._exit(code)


def _packed(results: list[bytes]) -> bytes:
    body = b"".join(_SIZE.pack(len(result)) + result for result in results)
    return _SIZE.pack(len(body)) + body


def _unpacked(body: memoryview) -> list[bytes]:
    results = []
    at = 0
    while at < len(body):
        (size,) = _SIZE.unpack_from(body, at)
        at += _SIZE.size
        results.append(bytes(body[at : at + size]))
        at += size
    return results

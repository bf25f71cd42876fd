"""Work in processes of its own: whatever ends such a process, by time, memory or a crash, does not end this one.

There are three ways to use one, with one protocol. `run_in_worker` does one piece of work and reports its progress;
`map_in_workers` shares many items between several workers, and one that dies costs the item it was at; a `BackgroundJob`
runs while this process does other things. All of them answer with messages through a pipe: a kind, a length, bytes.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn, TypeVar

import msgspec
from msgspec import Struct

from crimes.model import errors
from crimes.system.limits import is_out_of_memory, memory_is_limited
from crimes.system.messages import Inbox, write_message

T = TypeVar("T")
Progress = Callable[[str, int, int], None]  # stage, done, total

_PROGRESS, _RESULT, _TASK, _NO_MEMORY, _FAILED = b"P", b"R", b"T", b"M", b"F"
_EXIT_NO_MEMORY = 3
_EXIT_INTERRUPTED = 130
_MAX_SECONDS_ALONE = 300
_STOP_SECONDS = 1.0
# The system kills who takes too much memory; tree-sitter aborts when it gets none.
_MEMORY_SIGNALS = frozenset({signal.SIGKILL, signal.SIGABRT})


class Stopped(Exception):
    """The work did not come to its end. `kind` is timeout, out-of-memory or crash; `stage` is where it was."""

    def __init__(self, kind: str, stage: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.stage = stage


class Died(Struct, frozen=True):
    """The outcome of an item that ended its worker."""

    how: str  # the signal's name, or an exit code


class Unfinished(Struct, frozen=True):
    """A result that can be handed out while work is left that nobody waits for."""

    result: bytes
    rest: Callable[[], None]


def no_progress(stage: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


def run_in_worker(
    work: Callable[[Progress], bytes | Unfinished],
    seconds: float | None,
    on_progress: Progress,
    while_waiting: Callable[[], object] | None = None,
) -> bytes:
    """The result of the work, done in a fork. Raises Stopped, or the error of the work.

    If the result is handed out before all is done, a process of its own goes on with the rest, even when this one ends.
    `while_waiting` is called in this process while the worker is at it: something short, nobody listens until it is done.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    worker = _Fork(lambda _, answers: _serve_work(work, answers))
    answer = _Answer()
    try:
        if while_waiting:
            while_waiting()
        for kind, content in worker.inbox.until(deadline):
            answer.receive(kind, content, on_progress)
    except BaseException as error:  # out of time, or interrupted: nobody waits for it any more
        worker.stop()
        if isinstance(error, TimeoutError):
            raise Stopped("timeout", answer.stage, f"no result within {seconds:g} seconds") from error
        raise
    code = worker.wait()
    if answer.result is None:
        raise _ending_error(code, answer)
    return answer.result


def map_in_workers(
    items: Sequence[T],
    work: Callable[[T], bytes],
    jobs: int,
    cost: Callable[[T], int],
    chunk: int,
    started: Callable[[], None] = lambda: None,
) -> Iterator[tuple[int, bytes | Died]]:
    """Each item's number with its result, in any order. Items go out in runs that cost about `chunk`.

    Workers are forks: they have all the items, and two numbers tell them which to take next. `started` is called when
    they have their first tasks: it may start threads, which must not be there at a fork.
    """
    waiting = deque(chunks(map(cost, items), chunk))
    workers = [_PoolWorker(items, work) for _ in range(min(jobs, len(waiting)))]
    try:
        for worker in workers:
            worker.assign(waiting.popleft())
        started()
        while busy := [worker for worker in workers if worker.task]:
            for worker in _readable(busy):
                start, end = worker.task or (0, 0)
                results = worker.receive()
                if results is None:
                    continue
                if isinstance(results, Died):
                    workers.remove(worker)
                    workers.append(_PoolWorker(items, work))
                    if end - start == 1:
                        yield start, results
                    else:  # one of these did it: each on its own
                        waiting.extendleft((at, at + 1) for at in reversed(range(start, end)))
                else:
                    yield from enumerate(results, start)
                for idle in workers:
                    if idle.task is None and waiting:
                        idle.assign(waiting.popleft())
    finally:
        for worker in workers:
            worker.fork.kill()


class BackgroundJob:
    """Work in the background. It is a new interpreter, not a fork: the caller may have threads."""

    def __init__(self, work: Callable[..., bytes], *arguments: object) -> None:
        from multiprocessing import get_context

        context = get_context("spawn")
        self._ours, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_serve_job, args=(theirs, work, *arguments), daemon=True)
        with safe_import_path():
            self._process.start()
        theirs.close()
        self._inbox = Inbox(self._ours.fileno())

    def result(self, seconds: float) -> bytes | None:
        """The result, None when it is not there within so many seconds. EnvironmentFault when the work failed."""
        try:
            for kind, content in self._inbox.until(time.monotonic() + seconds):
                if kind == _RESULT:
                    self._close()
                    return content
                if kind == _FAILED:
                    self._close()
                    raise errors.EnvironmentFault(str(_decode_error(content)))
        except TimeoutError:
            return None
        self._close()
        raise errors.EnvironmentFault("the scan ended without a result")

    def _close(self) -> None:
        """Give back the pipes at once: a server that leaves them to the garbage collector holds more with each scan."""
        self._ours.close()
        self._process.join(_STOP_SECONDS)
        if self._process.exitcode is not None:
            self._process.close()


@contextmanager
def safe_import_path() -> Iterator[None]:
    """Interpreters that start in here do not look for modules in the current folder, which may be a stranger's."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


class _Fork:
    """A fork of this process that takes tasks from one pipe and answers through another."""

    def __init__(self, serve: Callable[[Inbox, int], None]) -> None:
        tasks, self._tasks = os.pipe()
        ours, answers = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(self._tasks)
            os.close(ours)
            _end_with(lambda: serve(Inbox(tasks), answers))
        os.close(tasks)
        os.close(answers)
        self.inbox = Inbox(ours)

    def send(self, kind: bytes, content: bytes) -> None:
        write_message(self._tasks, kind, content)

    def wait(self) -> int:
        """Its exit code, or minus the number of the signal that ended it."""
        os.close(self._tasks)
        os.close(self.inbox.pipe)
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    def stop(self) -> None:
        """End it, with a moment for it to end the programs that it started: git may be waiting for ever."""
        os.kill(self._process, signal.SIGTERM)
        deadline = time.monotonic() + _STOP_SECONDS
        while time.monotonic() < deadline:
            if os.waitpid(self._process, os.WNOHANG)[0]:
                os.close(self._tasks)
                os.close(self.inbox.pipe)
                return
            time.sleep(0.005)
        self.kill()

    def kill(self) -> None:
        """End it. It may be in the middle of something nobody waits for any more."""
        os.kill(self._process, signal.SIGKILL)
        self.wait()


class _PoolWorker:
    """A fork that takes runs of items, and answers each with one message."""

    def __init__(self, items: Sequence[T], work: Callable[[T], bytes]) -> None:
        self.task: tuple[int, int] | None = None
        self.fork = _Fork(lambda tasks, answers: _serve_items(items, work, tasks, answers))

    def assign(self, task: tuple[int, int]) -> None:
        self.task = task
        try:
            self.fork.send(_TASK, msgspec.msgpack.encode(task))
        except BrokenPipeError:
            return  # it is dead, which the other pipe tells

    def receive(self) -> list[bytes] | Died | None:
        """The results of the task, None while they are not complete."""
        for _, content in self.fork.inbox.read():
            self.task = None
            return msgspec.msgpack.decode(content, type=list[bytes])
        if not self.fork.inbox.ended:
            return None
        code = self.fork.wait()
        return Died(signal.Signals(-code).name if code < 0 else f"exit code {code}")


class _Answer(Struct):
    """What the worker has sent so far."""

    stage: str = "starting"
    result: bytes | None = None
    no_memory: bool = False
    failed: bytes | None = None

    def receive(self, kind: bytes, content: bytes, on_progress: Progress) -> None:
        if kind == _RESULT:
            self.result = content
        elif kind == _NO_MEMORY:
            self.no_memory = True
        elif kind == _FAILED:
            self.failed = content
        else:
            self.stage, done, total = content.decode().split("\0")
            on_progress(self.stage, int(done), int(total))


def chunks(costs: Iterable[int], chunk: int) -> Iterator[tuple[int, int]]:
    """Runs of items that cost about `chunk` each, as the numbers of the first and of the one after the last."""
    start = end = total = 0
    for cost in costs:
        end += 1
        total += cost
        if total >= chunk:
            yield start, end
            start, total = end, 0
    if start < end:
        yield start, end


def _readable(workers: Sequence[_PoolWorker]) -> list[_PoolWorker]:
    waiting = select.poll()
    for worker in workers:
        waiting.register(worker.fork.inbox.pipe, select.POLLIN | select.POLLHUP)
    ready = {descriptor for descriptor, _ in waiting.poll()}
    return [worker for worker in workers if worker.fork.inbox.pipe in ready]


def _serve_work(work: Callable[[Progress], bytes | Unfinished], answers: int) -> None:
    """What a worker does that has one piece of work."""
    # The command's reader waits until every copy of its stdout is closed, and must not wait for this one.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.unraisablehook = _ignore_memory_errors

    def on_progress(stage: str, done: int, total: int) -> None:
        write_message(answers, _PROGRESS, f"{stage}\0{done}\0{total}".encode())

    rest: Callable[[], None] | None = None
    try:
        outcome = work(on_progress)
        if isinstance(outcome, Unfinished):
            rest = outcome.rest
        write_message(answers, _RESULT, outcome.result if isinstance(outcome, Unfinished) else outcome)
    except Exception as error:  # noqa: BLE001  whatever it is, it is raised again where the work is waited for
        if is_out_of_memory(error):
            write_message(answers, _NO_MEMORY, b"")
        else:
            write_message(answers, _FAILED, _encode_error(error))
    # A fork, so that this process ends now, and its CPU time is that of the command.
    if rest and os.fork() == 0:
        os.close(answers)
        _do_alone(rest)


def _do_alone(rest: Callable[[], None]) -> None:
    """What is left of the work when its result is handed out: nobody listens any more, but some may wait for it."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # whoever reads what the command prints must not wait for this
        os.dup2(nowhere, stream)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_MAX_SECONDS_ALONE)
    rest()


def _serve_items(items: Sequence[T], work: Callable[[T], bytes], tasks: Inbox, answers: int) -> None:
    """What a worker does that takes runs of items."""
    for _, content in tasks.until(None):
        start, end = msgspec.msgpack.decode(content, type=tuple[int, int])
        write_message(answers, _RESULT, msgspec.msgpack.encode([work(items[at]) for at in range(start, end)]))


def _serve_job(pipe: object, work: Callable[..., bytes], *arguments: object) -> None:
    """What the new interpreter of a job does. The streams it inherited belong to its caller's protocol."""
    from multiprocessing.connection import Connection

    assert isinstance(pipe, Connection)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    try:
        write_message(pipe.fileno(), _RESULT, work(*arguments))
    except errors.CrimesError as fault:
        write_message(pipe.fileno(), _FAILED, _encode_error(fault))


def _end_with(serve: Callable[[], None]) -> NoReturn:
    """Serve, then leave at once: nothing of the process this is a fork of may run on in it."""
    code = 1
    signal.signal(signal.SIGTERM, _leave)
    try:
        serve()
        code = 0
    except BrokenPipeError:  # nobody waits for it any more
        code = 0
    except (
        _Terminated
    ):  # what it had started is stopped: now it ends as asked, and whoever waits for it sees by what
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1
    except KeyboardInterrupt:
        code = _EXIT_INTERRUPTED
    except MemoryError:
        code = _EXIT_NO_MEMORY
    finally:
        os._exit(code)


class _Terminated(BaseException):
    """The process was asked to end, and what runs in it can stop what it has started."""


def _leave(number: int, frame: object) -> NoReturn:
    raise _Terminated


def _encode_error(error: Exception) -> bytes:
    """An error as bytes: it is raised again where the work is waited for."""
    import traceback

    parts = (type(error).__name__, str(error), "".join(traceback.format_exception(error)))
    return b"\0".join(part.encode("utf-8", "surrogateescape") for part in parts)


def _decode_error(failure: bytes) -> Exception:
    """The error a worker sent. One that people read about is raised as what it was."""
    name, message, trace = (part.decode("utf-8", "surrogateescape") for part in failure.split(b"\0", 2))
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, errors.CrimesError):
        error = errors.CrimesError.__new__(kind)
        Exception.__init__(error, message)  # a subclass may make its message of other arguments
        return error
    return errors.WorkFailed(name, message, trace)


def _ignore_memory_errors(unraisable: sys.UnraisableHookArgs) -> None:
    """Silences errors for want of memory that cannot be raised: the report states them once."""
    if unraisable.exc_type is not MemoryError:
        sys.__unraisablehook__(unraisable)


def _ending_error(code: int, answer: _Answer) -> BaseException:
    """What a worker without a result ended in."""
    if answer.no_memory:
        return Stopped("out-of-memory", answer.stage, "the scan ran out of memory")
    if answer.failed is not None:
        return _decode_error(answer.failed)
    if code >= 0:
        return SystemExit(code)
    name = signal.Signals(-code).name
    if -code in _MEMORY_SIGNALS or memory_is_limited():
        return Stopped(
            "out-of-memory", answer.stage, f"the scan was killed by {name}, most likely for lack of memory"
        )
    return Stopped("crash", answer.stage, f"the scan was killed by {name}")

"""Work in a process of its own: results, and every way it can end."""

from __future__ import annotations

import errno
import faulthandler
import gc
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from crimes.model.errors import ConfigError, CrimesError, EnvironmentFault, UsageError, WorkFailed
from crimes.system.workers import BackgroundJob, Progress, Stopped, run_in_worker
from tests.kit.fresh_process import run_in_fresh_process


def quiet(stage: str, done: int, total: int) -> None:
    """Nobody watches."""


def test_worker_returns_its_result_and_reports_progress() -> None:
    heard: list[tuple[str, int, int]] = []

    def work(tell: Progress) -> bytes:
        tell("reading", 1, 2)
        tell("linking", 0, 0)
        return b"x" * 5_000_000 + str(os.getpid()).encode()

    result = run_in_worker(work, None, lambda *told: heard.append(told))
    assert len(result) > 5_000_000
    assert int(result[5_000_000:]) != os.getpid()
    assert heard == [("reading", 1, 2), ("linking", 0, 0)]


def end_by(number: int) -> Callable[[Progress], bytes]:
    def work(tell: Progress) -> bytes:
        tell("reading", 3, 9)
        faulthandler.disable()  # the stack of a test is no news
        os.kill(os.getpid(), number)
        time.sleep(60)
        return b""

    return work


def starve(tell: Progress) -> bytes:
    tell("linking", 0, 0)
    raise MemoryError


def limited(error: Exception) -> Callable[[Progress], bytes]:
    """What comes up instead of a MemoryError where a limit refuses memory."""

    def work(tell: Progress) -> bytes:
        tell("linking", 0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (1 << 40, resource.RLIM_INFINITY))
        raise error

    return work


def sleep(tell: Progress) -> bytes:
    tell("detecting", 0, 8)
    time.sleep(60)
    return b""


@pytest.mark.parametrize(
    ("work", "seconds", "kind", "stage", "said"),
    [
        (starve, None, "out-of-memory", "linking", "out of memory"),
        (limited(SystemError("error return")), None, "out-of-memory", "linking", "out of memory"),
        (limited(RuntimeError("can't start new thread")), None, "out-of-memory", "linking", "out of memory"),
        (limited(OSError(errno.ENOMEM, "no")), None, "out-of-memory", "linking", "out of memory"),
        (end_by(signal.SIGKILL), None, "out-of-memory", "reading", "SIGKILL"),
        (end_by(signal.SIGABRT), None, "out-of-memory", "reading", "SIGABRT"),
        (end_by(signal.SIGTERM), None, "crash", "reading", "SIGTERM"),
        (sleep, 0.5, "timeout", "detecting", "no result within 0.5 seconds"),
    ],
    ids=["memory error", "C code", "threads", "the system", "killed", "aborted", "terminated", "too slow"],
)
def test_worker_that_ends_early_raises_stopped_with_its_reason(
    work: Callable[[Progress], bytes], seconds: float | None, kind: str, stage: str, said: str
) -> None:
    with pytest.raises(Stopped, match=said) as stop:
        run_in_worker(work, seconds, quiet)
    assert (stop.value.kind, stop.value.stage) == (kind, stage)


def assert_no_child() -> None:
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_no_worker_is_left_behind() -> None:
    def check() -> None:
        with pytest.raises(Stopped):
            run_in_worker(sleep, 0.2, quiet)
        assert_no_child()

    run_in_fresh_process(check)


def test_caller_can_work_while_the_worker_runs() -> None:
    ours, theirs = os.pipe()

    def work(tell: Progress) -> bytes:
        return os.read(ours, 1)  # comes only if somebody goes on meanwhile

    assert run_in_worker(work, 30, quiet, lambda: os.write(theirs, b"x")) == b"x"

    def fail() -> None:
        raise ValueError("meanwhile")

    def check() -> None:
        with pytest.raises(ValueError, match="meanwhile"):
            run_in_worker(sleep, None, quiet, fail)
        assert_no_child()

    run_in_fresh_process(check)
    os.close(ours)
    os.close(theirs)


SCRIPT = """
import os, sys, time
from crimes.system.workers import run_in_worker

def work(tell):
    print("to nobody", flush=True)
    {body}
    return b"done"

run_in_worker(work, None, lambda *told: None)
"""


def run(body: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(body=body))
    return subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=60)


def raising(error: Exception) -> Callable[[Progress], bytes]:
    def work(tell: Progress) -> bytes:
        raise error

    return work


@pytest.mark.parametrize(
    "error",
    [UsageError("no such file"), EnvironmentFault("no git"), ConfigError("crimes.toml", ("a: unknown key",))],
    ids=lambda error: type(error).__name__,
)
def test_user_facing_error_of_a_worker_is_raised_unchanged(error: CrimesError) -> None:
    with pytest.raises(type(error)) as raised:
        run_in_worker(raising(error), None, quiet)
    assert str(raised.value) == str(error)


@pytest.mark.parametrize("error", [ValueError("broken"), SystemError("broken")], ids=["ours", "of C code"])
def test_unexpected_error_of_a_worker_is_raised_with_its_traceback(error: Exception) -> None:
    with pytest.raises(WorkFailed, match="broken") as raised:
        run_in_worker(raising(error), None, quiet)
    assert raised.value.name == type(error).__name__
    assert "in work" in raised.value.trace


def test_error_in_a_worker_never_continues_the_code_of_its_caller(tmp_path: Path) -> None:
    """A fork that climbs through its caller's stack would do what the caller does next a second time."""
    script = tmp_path / "script.py"
    script.write_text(
        SCRIPT.format(body="raise ValueError").replace("run_in_worker(work", "try:\n    run_in_worker(work")
        + "except Exception:\n    pass\nprint('once', flush=True)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "once\n"


def test_exit_code_of_a_worker_is_passed_on(tmp_path: Path) -> None:
    assert run("raise SystemExit(7)", tmp_path).returncode == 7


def test_a_worker_prints_nothing_and_holds_no_pipe_open(tmp_path: Path) -> None:
    done = run("pass", tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_worker_does_not_outlive_its_command(tmp_path: Path) -> None:
    """Whoever kills the command must not wait for the worker: it holds no stdout, and ends with its next word."""
    body = """
    open({name!r}, "w").write(str(os.getpid()))
    for _ in range(600):
        tell("reading", 0, 0)
        time.sleep(0.1)
    """.strip()
    name = str(tmp_path / "pid")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(body=body.format(name=name)))
    command = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE)
    while not Path(name).exists() or not Path(name).read_text():
        time.sleep(0.05)
    worker = int(Path(name).read_text())
    command.kill()
    command.communicate(timeout=30)
    for _ in range(100):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            break
        if Path(f"/proc/{worker}/stat").exists() and ") Z " in Path(f"/proc/{worker}/stat").read_text():
            break  # ended, and waiting to be collected by the system
        time.sleep(0.1)
    else:
        pytest.fail("the worker is still there")


def test_background_job_imports_nothing_from_the_folder_it_starts_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new interpreter looks into the current folder first, and that may be the repository under investigation."""
    (tmp_path / "multiprocessing.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    job = BackgroundJob(bytes, 3)
    assert job.result(60) == b"\0\0\0"
    assert not (tmp_path / "executed").exists()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files cannot be listed here")
def test_background_job_that_is_done_leaves_nothing_open_for_the_garbage_collector() -> None:
    assert BackgroundJob(bytes, 3).result(60) == b"\0\0\0"  # the first one starts a process that stays
    gc.disable()
    try:
        before = os.listdir("/proc/self/fd")
        jobs = [BackgroundJob(bytes, 3) for _ in range(2)]
        assert [job.result(60) for job in jobs] == [b"\0\0\0"] * 2
        assert os.listdir("/proc/self/fd") == before
    finally:
        gc.enable()

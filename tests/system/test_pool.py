"""Work in several processes: all results, and what the death of one costs."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.engine import read_files
from crimes.engine.scan import scan
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.native import Job, start_natively
from crimes.languages.spec import Language
from crimes.model.codec import encode
from crimes.model.facts import FileFacts
from crimes.system.workers import Died, map_in_workers
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo

ITEMS = list(range(200))


def results(work: object, jobs: int = 3, chunk: int = 7) -> dict[int, bytes | Died]:
    return dict(map_in_workers(ITEMS, work, jobs, lambda item: 1, chunk))  # type: ignore[arg-type]


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 1), (2, 7), (3, 1000), (500, 1)])
def test_every_item_has_its_result(jobs: int, chunk: int) -> None:
    expected = {item: str(item).encode() * 1000 for item in ITEMS}
    assert results(lambda item: str(item).encode() * 1000, jobs, chunk) == expected


def test_large_result_is_returned_whole() -> None:
    assert {
        len(made) for made in results(lambda item: b"x" * 300_000).values() if isinstance(made, bytes)
    } == {300_000}


def test_dead_worker_loses_only_its_own_item() -> None:
    def work(item: int) -> bytes:
        if item in (50, 51, 120):
            os.kill(os.getpid(), signal.SIGKILL)
        if item == 199:
            raise MemoryError
        return b"fine"

    made = results(work)
    assert {item: one for item, one in made.items() if one != b"fine"} == {
        50: Died("SIGKILL"),
        51: Died("SIGKILL"),
        120: Died("SIGKILL"),
        199: Died("exit code 3"),
    }
    assert len(made) == 200


ABANDON = """
import os
from crimes.system.workers import map_in_workers
running = map_in_workers(range(200), lambda item: b"", 2, lambda item: 1, 1)
next(running)
running.close()
try:
    print(os.waitpid(-1, 0))
except ChildProcessError:
    print("none left")
"""


def test_no_worker_is_left_when_results_are_abandoned() -> None:
    """In a process of its own: this one may have other children, such as a browser."""
    done = subprocess.run(
        [sys.executable, "-c", ABANDON], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "none left\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(read_files, "MIN_WORKER_BYTES", 100)
    monkeypatch.setattr(read_files, "CHUNK_BYTES", 3000)
    made = GitRepo(tmp_path / "repo")
    files = {
        f"app/part{n}.py": f"import app.part{n - 1}\n\n\ndef run{n}(a):\n    return a\n" for n in range(1, 40)
    }
    made.commit({**files, "app/deadly.py": "x = 1  # deadly\n"})
    return made


def test_several_processes_give_the_report_of_one(repo: GitRepo) -> None:
    alone = scan(repo.path, Config()).report
    assert encode(scan(repo.path, Config(), jobs=3).report) == encode(alone)
    assert encode(Session(repo.path, ScanOptions(jobs=3)).report()) == encode(alone)


def kill(source: bytes) -> None:
    if b"deadly" in source:
        os.kill(os.getpid(), signal.SIGKILL)


def starve(source: bytes) -> None:
    """As a grammar does that asks for more memory than there is: the system refuses, the process aborts."""
    if b"deadly" in source:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
        bytearray(1 << 30)


def end_readers(monkeypatch: pytest.MonkeyPatch, end: Callable[[bytes], None]) -> None:
    """Let both readers do something to their process before they read."""

    def read(language: Language, source: bytes) -> FileFacts:
        end(source)
        return read_facts(language, source)

    def start(
        jobs: Sequence[Job], seconds: Callable[[int], float], threads: int
    ) -> Callable[[], list[bytes | None]]:
        for job in jobs:
            end(job.source)
        return start_natively(jobs, seconds, threads)

    monkeypatch.setattr(read_files, "read_facts", read)  # the workers are forks of this process
    monkeypatch.setattr(read_files, "start_natively", start)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("end", "how"), [(kill, "SIGKILL"), (starve, "exit code 3")])
def test_a_file_that_kills_its_reader_is_skipped_and_the_scan_goes_on(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch, end: Callable[[bytes], None], how: str, jobs: int
) -> None:
    end_readers(monkeypatch, end)
    for _ in range(2):  # and it is not answered from the cache the second time
        made = Session(repo.path, ScanOptions(jobs=jobs)).report()
        assert made.files.read == 39
        assert [(skip.path, skip.reason) for skip in made.files.skipped] == [
            ("app/deadly.py", f"reading it crashed: {how}")
        ]
    end_readers(monkeypatch, lambda source: None)
    assert Session(repo.path, ScanOptions(jobs=2)).report().files.read == 40


@pytest.mark.parametrize("jobs", [1, 2])
def test_file_that_hangs_its_grammar_is_skipped(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setattr(read_files, "MAX_FILE_SECONDS", 0.2)
    repo.commit({"app/endless.ts": "[y=[.a}"})
    options = ScanOptions(jobs=jobs)
    for made in (Session(repo.path, options).report(), Session(repo.path, options).scan().report):
        assert made.files.read == 40
        assert [(skip.path, skip.reason) for skip in made.files.skipped] == [
            ("app/endless.ts", "reading it took too long")
        ]
    assert Session(repo.path).trust().dimensions

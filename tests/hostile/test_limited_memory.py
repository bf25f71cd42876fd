"""Too little memory: a command ends with its answer or says what it lacks, and the next one has the right bytes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from crimes.system import limits
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import LOOPING

MB = 1_000_000
COMMANDS = {
    "scan": ("scan", "--format", "json"),
    "check": ("check",),
    "context": ("context", "app/part1.py"),
    "map": ("map", "--output", "../map.html"),
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    repo = GitRepo(tmp_path_factory.mktemp("little-memory") / "repo")
    repo.commit({f"app/part{number}.py": LOOPING for number in range(4)}, days_ago=3)
    (repo.path / "app/part1.py").write_text(LOOPING + "\n\nEDITED = 1\n")
    return repo


def run(repo: GitRepo, cache: Path, *words: str, megabytes: int | None = None) -> tuple[int, bytes, str]:
    def limit() -> None:
        if megabytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes * MB, megabytes * MB))

    done = subprocess.run(
        [sys.executable, "-m", "crimes", *words],
        cwd=repo.path,
        env={**os.environ, "CRIMES_CACHE_DIR": str(cache)},
        capture_output=True,
        check=False,
        timeout=120,
        preexec_fn=limit,
    )
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the address space cannot be limited")
@pytest.mark.parametrize("name", COMMANDS)
def test_command_with_little_memory_gives_its_answer_or_says_so(
    repo: GitRepo, tmp_path: Path, name: str
) -> None:
    words = COMMANDS[name]
    expected = run(repo, tmp_path / "other", *words)[:2]
    for megabytes in (60, 200):
        code, output, errors = run(repo, tmp_path / f"cache{megabytes}", *words, megabytes=megabytes)
        if (code, output) != expected:
            assert code == 2
            assert "out of memory" in errors or "out-of-memory" in errors
        assert "Traceback" not in errors
        assert "internal error" not in errors
        assert run(repo, tmp_path / f"cache{megabytes}", *words)[:2] == expected


@pytest.mark.parametrize(
    ("error", "limited", "expected"),
    [
        (MemoryError(), False, True),
        (OSError(12, "Cannot allocate memory"), False, True),
        (RuntimeError("can't start new thread"), True, True),
        (RuntimeError("can't start new thread"), False, False),
        (ImportError("failed to map segment from shared object"), True, True),
        (ImportError("no module"), False, False),
        (ValueError(), True, False),
    ],
)
def test_refused_memory_is_told_from_other_errors(
    monkeypatch: pytest.MonkeyPatch, error: Exception, limited: bool, expected: bool
) -> None:
    monkeypatch.setattr(limits, "memory_is_limited", lambda: limited)
    assert limits.is_out_of_memory(error) is expected

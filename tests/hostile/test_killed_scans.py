"""Scans that are killed, or run beside each other: the next one has the right bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import LOOPING

KILLS = 8
SCANS_AT_ONCE = 4
SEED = 25


class Place:
    """A repository, and a cache that scans of it share."""

    def __init__(self, folder: Path) -> None:
        self.repo = GitRepo(folder / "repo")
        self.repo.commit({f"app/part{number}.py": LOOPING for number in range(12)}, days_ago=3)
        self.cache = folder / "cache"

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "crimes", "scan", "--format", "json", *options],
            cwd=self.repo.path,
            env={**os.environ, "CRIMES_CACHE_DIR": str(self.cache)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def scan(self, *options: str) -> bytes:
        running = self.start(*options)
        output = running.communicate(timeout=120)[0]
        assert running.returncode == 0
        return output


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_scan_after_kills_at_random_moments_is_that_of_a_cold_one(place: Place) -> None:
    chance = random.Random(SEED)
    began = time.monotonic()
    cold = place.scan("--no-cache")
    longest = time.monotonic() - began
    for _ in range(KILLS):
        running = place.start()
        time.sleep(chance.uniform(0, longest))
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
    assert place.scan() == cold
    assert place.scan() == cold  # from what the one before stored
    assert place.repo.git("status", "--porcelain") == ""


def test_scans_beside_each_other_give_the_same_bytes(place: Place) -> None:
    running = [place.start() for _ in range(SCANS_AT_ONCE)]
    outputs = {scan.communicate(timeout=180)[0] for scan in running}
    assert [scan.returncode for scan in running] == [0] * SCANS_AT_ONCE
    assert outputs == {place.scan("--no-cache")}

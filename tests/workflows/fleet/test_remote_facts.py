"""Facts read on a cluster: the report is the same, and a small repository is not worth it."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.incremental.store import Cache
from crimes.system.user_dirs import database_of
from crimes.workflows.fleet.remote_facts import estimate, read_on_cluster
from tests.kit.cluster import Cluster
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT

FILES: dict[str, str | bytes | None] = {
    "app.py": "import os\nfrom part import step\n\n\ndef run(x):\n    return step(x)\n",
    "part.py": "def step(x):\n    return x + 1\n",
    "same.py": "def step(x):\n    return x + 1\n",  # the same content: it is sent once
    "web.ts": "export function run(x: number): number { return x + 1 }\n",
    "broken.py": "def (:\n",
    "latin.py": b"# caf\xe9\nx = 1\n",
}


def test_a_scan_with_facts_of_a_cluster_gives_the_same_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit(FILES)
    here = run_crimes(repo.path, "scan", "--format", "json", CRIMES_CACHE_DIR=str(tmp_path / "here"))
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "there"))
    notices: list[str] = []
    with Cluster(tmp_path / "cluster", workers=1) as cluster:
        read = read_on_cluster(repo.path, Config(), cluster.address, 1, notices.append, always=True)
        again = read_on_cluster(repo.path, Config(), cluster.address, 1, notices.append, always=True)
        said = run_crimes(
            repo.path, "scan", "--scheduler", cluster.address, CRIMES_CACHE_DIR=str(tmp_path / "third")
        )
    assert (read, again, notices) == (5, 0, [])
    cache = Cache(database_of(repo.path.resolve()), notices.append)
    assert len(cache.facts_keys()) == 5
    cache.close()
    there = run_crimes(repo.path, "scan", "--format", "json", CRIMES_CACHE_DIR=str(tmp_path / "there"))
    assert there.stdout == here.stdout
    assert said.returncode == 0, said.stderr
    assert "--scheduler is not worth it" in said.stderr
    assert "they are read here" in said.stderr


def test_the_cluster_is_worth_it_for_much_to_read_and_many_threads() -> None:
    assert not estimate(1_000_000, jobs=1, threads=64).is_worth_it
    assert not estimate(1_000_000_000, jobs=16, threads=8).is_worth_it
    assert estimate(1_000_000_000, jobs=4, threads=64).is_worth_it


def test_the_documented_break_even_is_the_one_that_is_used() -> None:
    page = (ROOT / "docs" / "fleet.md").read_text(encoding="utf-8")
    for jobs in (1, 2, 4, 8):
        first = next(
            size for size in range(1, 10_000) if estimate(size * 100_000, jobs, threads=16).is_worth_it
        )
        assert f"| {jobs} | {first / 10:.0f} MB |" in page
    assert not estimate(10**12, jobs=10, threads=1000).is_worth_it


@pytest.mark.parametrize(
    ("options", "message"),
    [(("--no-cache",), "needs the cache"), (("--as-of", "HEAD"), "cannot be combined with --as-of")],
)
def test_what_cannot_be_combined_is_refused(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"app.py": "x = 1\n"})
    done = run_crimes(tmp_path, "scan", "--scheduler", "tcp://127.0.0.1:9", *options)
    assert done.returncode == 2
    assert message in done.stderr

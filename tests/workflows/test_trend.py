"""`crimes trend`: scans are kept by commit, also those of the past, and told in order."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from crimes.render.trend import lines
from crimes.system.user_dirs import drop_oldest
from crimes.workflows import trend
from crimes.workflows.session import Session
from crimes.workflows.trend import Trend
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import PLAIN, tangled


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/__init__.py": "", "shop/a.py": tangled("a")}, "Begin", days_ago=90)
    made.commit({"shop/deep/down/b.py": tangled("b").replace("+=", "-=")}, "More", days_ago=60)
    made.commit({"shop/a.py": PLAIN}, "Less", days_ago=30)
    return made


def points(repo: GitRepo, *arguments: str) -> list[dict[str, Any]]:
    done = run_crimes(repo.path, "trend", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    jsonschema.validate(made, msgspec.json.schema(Trend))
    assert made["repository"] == "shop"
    found: list[dict[str, Any]] = made["points"]
    return found


def test_trend_orders_scans_by_commit(repo: GitRepo) -> None:
    assert points(repo) == []
    assert "no recorded scans" in run_crimes(repo.path, "trend").stdout
    for revision in ("HEAD", "HEAD~2", "HEAD~1"):
        assert run_crimes(repo.path, "scan", "--as-of", revision).returncode == 0
    assert run_crimes(repo.path, "scan").returncode == 0  # the same commit once more
    assert (
        run_crimes(repo.path, "scan", "--files", "shop/a.py").returncode == 0
    )  # the whole is kept, not the part
    assert (
        run_crimes(repo.path, "scan", "--as-of", "2025-01-01").returncode == 0
    )  # a moment that is no commit's
    found = points(repo)
    assert [point["findings"] for point in found] == [1, 2, 1]
    assert [point["by_folder"] for point in found] == [
        {"shop": 1},
        {"shop": 1, "shop/deep": 1},
        {"shop/deep": 1},
    ]
    assert found[1]["by_detector"] == {"god_function": 2}
    assert points(repo, "--depth", "3")[2]["by_folder"] == {"shop/deep/down": 1}
    rows = run_crimes(
        repo.path, "trend"
    ).stdout.splitlines()  # for pipes: no table, each line says what it is
    assert rows[0].startswith("scan 2025-03-03 ")
    assert rows[0].endswith(": 1 finding, 0 high, 0 medium, 1 low, 41.67 per 1,000 lines")
    assert rows[3:] == [
        "detector god_function: 1 (=)",
        "folder shop/deep: 1 (+1)",
        "folder shop: 0 (-1)",
        "shop: 3 scans.",
    ]
    kept = msgspec.json.decode(run_crimes(repo.path, "trend", "-f", "json").stdout, type=Trend)
    table = [row.spans[0].text for row in lines(kept, last=2, terminal=True) if row.spans]
    assert table[1].startswith("2025-04-02  ")
    assert "       1       =  shop/deep" in table


def test_reports_from_files_are_added_to_the_trend(repo: GitRepo, tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("new.json", "old.json")]
    for file, revision in zip(files, ("HEAD", "HEAD~2"), strict=True):
        run_crimes(repo.path, "scan", "--as-of", revision, "--no-cache", "--format", "json", "-o", file)
    assert points(repo) == []  # --no-cache keeps nothing
    done = run_crimes(repo.path, "trend", "--format", "json", *files)
    assert [point["findings"] for point in json.loads(done.stdout)["points"]] == [1, 1]
    assert run_crimes(repo.path, "trend", str(tmp_path / "none.json")).returncode == 2


def test_damaged_trend_file_does_not_fail_a_scan(repo: GitRepo, tmp_path: Path) -> None:
    run_crimes(repo.path, "scan")
    (place,) = (tmp_path / "cache/scans").glob("*.sqlite")
    place.write_bytes(b"not a database, and long enough to be looked at" * 100)
    done = run_crimes(repo.path, "scan", "--as-of", "HEAD~1")
    assert done.returncode == 0
    assert "the recorded scans cannot be used" in done.stderr
    assert run_crimes(repo.path, "trend").returncode == 2
    place.unlink()
    with sqlite3.connect(place) as connection:
        connection.execute("PRAGMA user_version = 9")
    assert "have version 9" in run_crimes(repo.path, "trend").stderr


def test_thinned_trend_keeps_scans_spread_over_time(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trend, "MAX_SCANS", 4)
    made = Session(repo.path).report()
    for day in (1, 10, 20, 21, 30, 15):
        history = msgspec.structs.replace(
            made.history, head=f"{day:040}", reference_time=f"2025-01-{day:02}T12:00:00+00:00"
        )
        trend.save_point(repo.path, msgspec.structs.replace(made, history=history))
        assert f"{day:040}" in {point.commit for point in trend.load_points(repo.path)}
    left = trend.load_points(repo.path)
    assert [int(point.commit) for point in left] == [1, 15, 20, 30]
    assert all(point.by_detector == {"god_function": 1} for point in left)


def test_oldest_trends_are_dropped_over_the_size_limit(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}").write_bytes(b"x" * 100)
        os.utime(tmp_path / f"{number}", (number, number))
    drop_oldest(tmp_path, 250, tmp_path / "0")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0", "3"]

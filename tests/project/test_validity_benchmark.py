"""The benchmark of edit risk, and the page with its result."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.validity import table as benchmark
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT

RESULTS = ROOT / "benchmarks/validity/results.jsonl"


def test_page_has_the_tables_of_the_figures_that_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main(["--save", str(RESULTS)]) == 0
    page = (ROOT / "docs/validity.md").read_text("utf-8")
    rows = [row for row in capsys.readouterr().out.splitlines() if row.startswith("|")]
    assert len(rows) > 40
    assert [row for row in rows if row not in page] == []


def test_measured_repository_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    repo = GitRepo(tmp_path / "shop")
    tangled = "def grade(points):\n" + "".join(
        f"    if points > {at}:\n        return {at}\n" for at in range(9)
    )
    files = {f"part_{number:02}.py": tangled + f"VALUE = {number}\n" * number for number in range(20)}
    repo.commit(files, "Start", days_ago=400)
    for number in range(3, 19):
        repo.commit({f"part_{number:02}.py": "VALUE = 1\n"}, f"Fix part {number}", days_ago=100 - number)
    repo.commit({"README.md": "Shop\n"}, "Describe", days_ago=0)
    options = ["--cuts", "1", "--findings", "--save", str(tmp_path / "results.jsonl"), str(repo.path)]

    assert benchmark.main(options) == 0
    first = capsys.readouterr().out
    monkeypatch.delattr(benchmark, "measure")
    assert benchmark.main(options) == 0

    assert "| shop | .py | 1 | 20 | 16 |" in first
    assert "| sum of agent_risk of the findings |" in first
    assert capsys.readouterr().out == first


def test_repository_that_cannot_be_checked_is_named_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    assert benchmark.main([str(tmp_path / "folder")]) == 0
    assert "folder: cannot check the past: not a git repository" in capsys.readouterr().err

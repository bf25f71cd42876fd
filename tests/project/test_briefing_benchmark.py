"""The benchmark of the briefing asks the same questions every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.briefing import run
from tests.kit.gitrepo import GitRepo


def test_a_second_run_in_the_same_folder_asks_about_the_same_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = GitRepo(tmp_path / "clones" / "some_one")
    for number in range(4):
        repo.commit({"a.py": f"A = {number}\n", "test_a.py": f"from a import A\n\nassert A == {number}\n"})
    monkeypatch.setattr(run, "SAMPLES", dict.fromkeys(run.SAMPLES, ("some_one",)))
    monkeypatch.setenv("CRIMES_CACHE_DIR", "")  # it sets its own
    options = ["run.py", str(tmp_path / "clones"), "--work", str(tmp_path / "work"), "--files", "6"]
    monkeypatch.setattr("sys.argv", options)

    assert run.main() == 0
    first = capsys.readouterr().out
    assert run.main() == 0

    assert first.startswith("6 files of 3 commits, held-out\n")
    assert capsys.readouterr().out == first

"""Hotspots of real histories: what ranks, what stays below the floors, and what a ranking per line is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import msgspec
import pytest

from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.model.errors import EnvironmentFault
from crimes.render.hotspots import lines
from crimes.render.lines import plain
from crimes.workflows.hotspots import Hotspots, rank_files
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import PLAIN, tangled

PADDING = "".join(f"VALUE_{number} = {number}\n" for number in range(60))


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """Tangled and often changed; tangled and never touched again; plain and often changed; long and tangled."""
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    for number in range(6):
        note = f"# {number}\n"
        files = {
            "shop/hot.py": note + tangled("hot") + PADDING,
            "shop/plain.py": note + PLAIN,
            "shop/short.py": note + tangled("short").replace("+=", "-="),
            "shop/long.py": note + tangled("long").replace("+=", "*=") + PADDING * 20,
        }
        if number < 2:
            files["shop/calm.py"] = note + tangled("calm").replace("+=", "/=") + PADDING
            files["tests/test_hot.py"] = note + tangled("test_it")
        made.commit(files, "Fix it" if number == 5 else "Change", days_ago=60 - number)
    return made


def test_complex_files_that_change_often_rank_first(repo: GitRepo) -> None:
    made = scan(repo.path, Config())
    found = rank_files(made)
    assert {hotspot.file for hotspot in found.riskiest} == {"shop/hot.py", "shop/short.py", "shop/long.py"}
    assert found.ranked == 3
    first = next(hotspot for hotspot in found.riskiest if hotspot.file == "shop/hot.py")
    assert (first.commits_365d, first.fixes_365d, first.complexity, first.hardest) == (6, 1, 66, "hot")
    own = [crime for crime in made.report.findings if crime.file == "shop/hot.py"]
    risks = [crime.scores.agent_risk or 0 for crime in own]
    assert [crime.kind for crime in own] == ["code", "place"]
    assert (first.findings, first.worst_risk, first.places) == (1, risks[0], (own[1].short,))
    assert first.hardest_complexity == 66
    assert "the largest share in hot (66); " in plain(lines(found, terminal=False))
    assert f"1 finding, the worst with agent_risk {risks[0]:.2f}; {own[1].short}" in plain(
        lines(found, terminal=False)
    )
    assert first.score == 6 * 66 * (100 + round(100 * sum(risks))) // 100


def test_per_line_a_short_file_is_left_out_and_a_long_one_comes_last(repo: GitRepo) -> None:
    found = rank_files(scan(repo.path, Config()))
    assert [hotspot.file for hotspot in found.riskiest_per_line] == ["shop/hot.py", "shop/long.py"]
    assert found.riskiest_per_line[0].per_line > 10 * found.riskiest_per_line[1].per_line


def test_hotspots_are_limited_to_a_folder_and_a_number(repo: GitRepo) -> None:
    made = scan(repo.path, Config())
    assert rank_files(made, below="tests").ranked == 0
    assert len(rank_files(made, top=1).riskiest) == 1


def test_hotspots_without_history_are_a_clear_fault(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(tangled("a"))
    with pytest.raises(EnvironmentFault, match="not a git repository"):
        rank_files(scan(tmp_path, Config()))


def test_hotspots_command_prints_text_and_json(repo: GitRepo) -> None:
    def hotspots(*arguments: str) -> str:
        done = run_crimes(repo.path, "hotspots", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    jsonschema.validate(json.loads(hotspots("--format", "json")), msgspec.json.schema(Hotspots))
    rows = hotspots("--top", "1").splitlines()
    assert re.match(r"risk 1\. shop/\w+\.py: score [\d,]+; ", rows[0])
    assert re.match(r"risk per line 1\. shop/hot\.py: score [\d.]+ per line; ", rows[1])
    assert rows[2].startswith("# The score is commits in a year x cognitive complexity x ")
    assert rows[3].startswith("# shop: 3 hotspots in 5 files. A hotspot has at least 3 commits in a year")

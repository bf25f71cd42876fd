"""Bars and sparklines, and that only a terminal that can show them gets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.render.glyphs import bar, sparkline
from tests.kit.command import run_at_terminal, run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import tangled

BLOCKS = set("▁▂▃▄▅▆▇█▏▎▍▌▋▊▉")


def test_a_bar_is_always_as_wide_as_the_whole() -> None:
    assert [bar(share, 4) for share in (0, 0.5, 1, 2)] == ["    ", "██  ", "████", "████"]
    assert bar(0.001, 4) == "▏   "  # not nothing


def test_a_sparkline_has_a_column_for_each_value() -> None:
    assert sparkline([0, 1, 50, 100]) == "▁▂▅█"
    assert sparkline([0, 0]) == "▁▁"
    assert sparkline([]) == ""


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/__init__.py": "", "shop/a.py": tangled("a")}, "Begin", days_ago=40)
    made.commit({"shop/a.py": tangled("b")}, "Fix the total", days_ago=3)
    return made


@pytest.mark.parametrize("command", [("hotspots",), ("context", "shop/a.py")], ids=lambda words: words[0])
def test_pictures_are_for_terminals_that_can_show_them(repo: GitRepo, command: tuple[str, ...]) -> None:
    able = {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", "COLUMNS": "120"}
    assert BLOCKS & set(run_at_terminal(repo.path, command, **able))
    assert not BLOCKS & set(run_at_terminal(repo.path, command, **able | {"TERM": "dumb"}))
    assert not BLOCKS & set(run_at_terminal(repo.path, command, **able | {"PYTHONIOENCODING": "ascii"}))
    assert not BLOCKS & set(run_crimes(repo.path, *command, **able).stdout)

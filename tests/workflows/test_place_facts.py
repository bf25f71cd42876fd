"""Facts about a place: they are in reports and briefings, and no change is ever blamed for one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo

FILE = "shop/total.py"
_TOTAL = """def total(rows, discount, rate):
    result = 0
    for row in rows:
        if row.open and not row.hidden:
            if row.kind == 'gift' or discount:
                result += row.price - {n}
            else:
                result += row.price * rate
        elif row.kind == 'return':
            result -= row.price
    return result
"""
_TEST = "from shop.total import total\n\n\ndef test_total():\n    assert total([], 0, 1) == 0\n"
_SETTINGS = "[detectors.repeat_offender]\nmin_fixes = 5\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """A branch `fix` whose one commit is the fifth fix in a year to a file of `main`."""
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    files = {FILE: _TOTAL.format(n=99), "tests/test_total.py": _TEST, "crimes.toml": _SETTINGS}
    made.commit(files, "Begin", days_ago=300)
    for number in range(9):
        part = {f"shop/part{number}.py": f"def part{number}():\n    return {number}\n"}
        made.commit(part, f"Add part {number}", days_ago=200 - number)
    for number in range(4):
        made.commit(
            {FILE: _TOTAL.format(n=number)}, f"Fix rounding of case {number}", days_ago=100 - 10 * number
        )
    made.git("checkout", "-q", "-b", "fix")
    return made


@pytest.fixture
def fixed(repo: GitRepo) -> GitRepo:
    repo.commit({FILE: _TOTAL.format(n=4)}, "Fix rounding of case 4", days_ago=1)
    return repo


def scan_json(repo: GitRepo, *arguments: str) -> dict[str, Any]:
    done = run_crimes(repo.path, "scan", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def types_of(report: dict[str, Any]) -> list[str]:
    return [finding["type"] for finding in report["findings"]]


def test_fix_that_makes_a_repeat_offender_passes_every_gate(repo: GitRepo) -> None:
    assert types_of(scan_json(repo)) == []
    assert run_crimes(repo.path, "baseline", "save").returncode == 0
    repo.git("add", "--all")
    repo.commit({FILE: _TOTAL.format(n=4)}, "Fix rounding of case 4", days_ago=1)
    assert types_of(scan_json(repo)) == ["repeat_offender"]
    gates = (
        ("diff", "main...HEAD", "--fail-on-new"),
        ("diff", "main...HEAD", "--fail-on", "low"),
        ("diff", "main...HEAD", "--fail-on-risk", "0.01"),
        ("scan", "--fail-on-new", "--base", "main"),
        ("scan", "--fail-on-new"),
        ("scan", "--fail-on", "low"),
        ("scan", "--fail-on-risk", "0.01"),
        ("baseline", "check"),
        ("baseline", "check", "--fail-on", "low"),
        ("check",),
    )
    failed = [gate for gate in gates if run_crimes(repo.path, *gate).returncode != 0]
    assert failed == []

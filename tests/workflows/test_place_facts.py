"""Facts about a place: they are in reports and briefings, and no change is ever blamed for one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import tangled

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


def test_place_fact_is_in_the_json_and_counted_apart(fixed: GitRepo) -> None:
    made = scan_json(fixed)
    (fact,) = made["findings"]
    assert (fact["type"], fact["kind"], fact["short"]) == (
        "repeat_offender",
        "place",
        "fixed more often than files of its size (most have none)",
    )
    assert all(0 <= fact["scores"][name] <= 1 for name in fact["scores"])
    summary = made["summary"]
    assert (summary["findings"], summary["medium"], summary["files_with_findings"]) == (0, 0, 0)
    assert (summary["by_type"], summary["places"]) == ({}, 1)
    fixed.write({"shop/other.py": tangled("first") + tangled("second").replace("+=", "-=")})
    assert sorted(types_of(scan_json(fixed, "--top", "1"))) == ["god_function", "repeat_offender"]


def test_scan_names_the_riskiest_file_and_lists_no_place_fact(fixed: GitRepo) -> None:
    rows = run_crimes(fixed.path, "scan").stdout.splitlines()
    assert [row for row in rows if not row.startswith("# ")] == []
    assert "# shop: no findings" in rows
    at = next(
        number
        for number, row in enumerate(rows)
        if row.startswith(
            "# Files most likely to need a fix. The first 5 of 10 source files by edit risk, with "
        )
    )
    row = rows[at + 1].rpartition(" [")[0]
    assert row.startswith(f"# 1. {FILE}: edit risk ")
    assert row.partition(" (about ")[2] == (
        "3 in 4 files like it need a fix); 6 commits, 5 of them fixes, in the past year; complexity 10 in 11 lines of code; fixed more often than files of its "
        "size (most have none)"
    )


def test_comparison_has_place_facts_in_no_list(fixed: GitRepo) -> None:
    for range_ in ("main...HEAD", "HEAD..main"):
        done = run_crimes(fixed.path, "diff", range_, "--format", "json", "--fail-on-new")
        made = json.loads(done.stdout)
        assert done.returncode == 0
        assert made["verdict"]["verdict"] == "unchanged"
        assert not any(made[name] for name in ("new", "fixed", "moved", "unchanged", "unclear", "grown"))


def test_baseline_with_place_facts_of_an_older_version_has_nothing_stale(fixed: GitRepo) -> None:
    assert run_crimes(fixed.path, "baseline", "save").returncode == 0
    path = fixed.path / ".crimes/baseline.json"
    saved = json.loads(path.read_text())
    assert saved["findings"] == []
    older = {"fingerprint": "0" * 32, "type": "repeat_offender", "file": "shop/part1.py"}
    path.write_text(json.dumps(saved | {"findings": [older]}))
    done = run_crimes(fixed.path, "baseline", "check", "--format", "json")
    made = json.loads(done.stdout)
    assert (done.returncode, made["new"], made["stale"], made["known"]) == (0, [], [], 0)


def test_review_posts_no_place_fact(fixed: GitRepo) -> None:
    done = run_crimes(fixed.path, "review", "--own", "--base", "main", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "repeat_offender" not in done.stdout


def test_explain_says_that_it_is_a_fact_about_the_place(fixed: GitRepo) -> None:
    (fact,) = scan_json(fixed)["findings"]
    for format_ in ("human", "md"):
        text = run_crimes(fixed.path, "explain", fact["id"], "--format", format_).stdout
        assert "caution" in text.lower()
        assert "This is a caution, not a finding: " in text
        assert "A fix usually takes" not in text
    detector = run_crimes(fixed.path, "explain", "repeat_offender").stdout
    assert "caution about a file: never counted as new, never fails a gate" in detector


def test_context_and_plan_state_a_place_fact_once(fixed: GitRepo) -> None:
    short = "fixed more often than files of its size"
    scan_json(fixed)
    for target in (FILE, f"{FILE}:total"):
        context = run_crimes(fixed.path, "context", target, "--format", "md").stdout
        assert context.count("repeat_offender") == 1
        assert context.count("5 of them fixes") == 1  # in the heading
        assert "5 fixes changed it in the past year" not in context
        assert "Take care at" not in context
    assert run_crimes(fixed.path, "plan", FILE, "--format", "md").stdout.count(short) == 1


def test_ignore_triage_and_feedback_take_a_place_fact(fixed: GitRepo) -> None:
    (fact,) = scan_json(fixed)["findings"]
    assert run_crimes(fixed.path, "feedback", "right", fact["id"]).returncode == 0
    decision = {"id": fact["id"], "decision": "wont_fix", "reason": "known"}
    done = run_crimes(fixed.path, "triage", "--apply", "-", stdin=json.dumps([decision]))
    assert done.returncode == 0, done.stderr
    made = scan_json(fixed)
    assert (made["findings"], [entry["kind"] for entry in made["ignored"]]) == ([], ["place"])
    (fixed.path / ".crimes/triage.jsonl").unlink()
    assert run_crimes(fixed.path, "ignore", fact["id"], "--reason", "known").returncode == 0
    assert scan_json(fixed)["summary"]["places"] == 0

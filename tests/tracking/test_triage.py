"""`crimes triage`: decisions from a file and at a terminal, and that they are over when the file is touched."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import tangled


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    files = {
        "shop/__init__.py": "",
        "shop/a.py": tangled("in_a"),
        "shop/b.py": tangled("in_b").replace("+=", "-="),
        "shop/c.py": tangled("in_c").replace("+=", "*="),
    }
    made.commit(files, "Begin", days_ago=30)
    return made


def json_report(repo: GitRepo) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(run_crimes(repo.path, "scan", "--format", "json").stdout)
    return made


def ids_by_file(repo: GitRepo) -> dict[str, str]:
    return {crime["file"]: crime["id"] for crime in json_report(repo)["findings"]}


def test_decisions_from_a_file_are_applied(repo: GitRepo) -> None:
    found = ids_by_file(repo)
    wishes = [
        {"id": found["shop/a.py"], "decision": "wont_fix", "reason": "a table", "owner": "Ada"},
        {"id": found["shop/b.py"], "decision": "fix_now"},
        {"id": found["shop/c.py"], "decision": "false_alarm", "reason": "read it again"},
    ]
    done = run_crimes(repo.path, "triage", "--apply", "-", "--owner", "Grace", stdin=json.dumps(wishes))
    assert done.returncode == 0, done.stderr
    made = json_report(repo)
    assert [crime["file"] for crime in made["findings"]] == ["shop/b.py"]
    assert {crime["file"]: crime["ignored"] for crime in made["ignored"]} == {
        "shop/a.py": {
            "kind": "triage",
            "reason": "a table",
            "place": ".crimes/triage.jsonl (wont_fix, Ada)",
            "until": "",
        },
        "shop/c.py": {
            "kind": "triage",
            "reason": "read it again",
            "place": ".crimes/triage.jsonl (false_alarm, Grace)",
            "until": "",
        },
    }
    feedback = json.loads((repo.path / ".crimes/feedback.jsonl").read_text())
    assert (feedback["verdict"], feedback["note"]) == ("fp", "read it again")
    repo.write({"shop/a.py": tangled("in_a") + "x = 1\n"})
    made = json_report(repo)
    assert {crime["file"] for crime in made["findings"]} == {"shop/a.py", "shop/b.py"}
    assert {entry["status"] for entry in made["ignores"]} == {"returned", "used"}
    assert made["warnings"] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"id": "0000000", "decision": "later"}', "needs a reason"),
        ('{"id": "0000000", "decision": "maybe"}', "decision 1"),
        ('[{"decision": "fix_now"}]', "decision 1"),
        ("[", "is not JSON"),
        ('{"id": "0000000", "decision": "fix_now"}', "no finding 0000000"),
    ],
)
def test_invalid_decision_applies_no_decision(repo: GitRepo, text: str, words: str) -> None:
    good = json.dumps({"id": ids_by_file(repo)["shop/a.py"], "decision": "fix_now"})
    both = text if text.startswith("[") else f"{text}\n{good}\n"
    done = run_crimes(repo.path, "triage", "--apply", "-", stdin=both)
    assert done.returncode == 2
    assert words in done.stderr
    assert not (repo.path / ".crimes").exists()


def test_a_file_of_decisions_that_is_damaged_is_not_used(repo: GitRepo) -> None:
    repo.write({".crimes/triage.jsonl": "{}\n"})
    made = json_report(repo)
    assert len(made["findings"]) == 3
    assert made["warnings"][0].startswith(".crimes/triage.jsonl is not used: line 1")
    good = json.dumps({"id": ids_by_file(repo)["shop/a.py"], "decision": "fix_now"})
    assert run_crimes(repo.path, "triage", "--apply", "-", stdin=good).returncode == 2


def test_triage_without_a_terminal_requires_apply(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "triage")
    assert done.returncode == 2
    assert "--apply" in done.stderr


def test_triage_asks_for_decisions_at_a_terminal(repo: GitRepo) -> None:
    controller, terminal = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "crimes", "triage"],
        cwd=repo.path,
        env={**os.environ, "CI": "true", "TERM": "dumb"},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    seen = ""
    for prompt, answer in (
        ("quit > ", "x"),
        ("quit > ", "l"),
        ("Why? ", ""),
        ("Why? ", "after the release"),
        ("Whose is it?", "Ada"),
        ("quit > ", "n"),
        ("(may be empty) ", ""),
        ("Whose is it?", ""),
        ("quit > ", "q"),
    ):
        seen += _until(controller, prompt)
        os.write(controller, answer.encode() + b"\n")
    assert running.wait(60) == 0
    os.close(controller)
    assert "1 of 3" in seen
    rows = [json.loads(row) for row in (repo.path / ".crimes/triage.jsonl").read_text().splitlines()]
    assert [(row["decision"], row["owner"], row["reason"]) for row in rows] == [
        ("later", "Ada", "after the release"),
        ("fix_now", "Ada", ""),
    ]
    assert len(json_report(repo)["findings"]) == 2


def _until(controller: int, prompt: str) -> str:
    seen = ""
    while not seen.endswith(prompt) and prompt not in seen:
        assert select.select([controller], [], [], 60)[0], seen
        seen += os.read(controller, 4096).decode(errors="replace")
    return seen

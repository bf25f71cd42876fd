"""`crimes triage`: decisions from a file and at a terminal, which end when the file changes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kit.command import run_at_terminal, run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
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
        ('{"id": "0000000", "decision": "fix_now"}', "'0000000' is not a finding"),
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
    assert made["warnings"][0].startswith(".crimes/triage.jsonl was not applied: line 1")
    good = json.dumps({"id": ids_by_file(repo)["shop/a.py"], "decision": "fix_now"})
    assert run_crimes(repo.path, "triage", "--apply", "-", stdin=good).returncode == 2


def test_triage_without_a_terminal_requires_apply(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "triage")
    assert done.returncode == 2
    assert "--apply" in done.stderr


def at_terminal(repo: GitRepo, *answers: tuple[str, str], **environment: str) -> str:
    return run_at_terminal(repo.path, ["triage"], *answers, **environment)


def saved(repo: GitRepo) -> list[tuple[str, str, str]]:
    rows = [json.loads(row) for row in (repo.path / ".crimes/triage.jsonl").read_text().splitlines()]
    return [(row["decision"], row["owner"], row["reason"]) for row in rows]


def test_triage_asks_for_decisions_at_a_terminal(repo: GitRepo) -> None:
    seen = at_terminal(
        repo,
        ("quit > ", "x"),
        ("quit > ", "l"),
        ("Why? ", ""),
        ("Why? ", "after the release"),
        ("Who decides?", "Ada"),
        ("quit > ", "n"),
        ("(optional) ", ""),
        ("Who decides? [Ada]", ""),
        ("quit > ", "q"),
    )
    assert "1 of 3" in seen
    assert "'x' is not one of the keys" in seen
    assert "1 finding without a decision." in seen
    assert saved(repo) == [("later", "Ada", "after the release"), ("fix_now", "Ada", "")]
    assert len(json_report(repo)["findings"]) == 2


def test_triage_shows_the_code_and_explains_on_request(repo: GitRepo) -> None:
    seen = at_terminal(repo, ("quit > ", "e"), ("quit > ", "s"), ("quit > ", "q"))
    first, _, explained = seen.partition("quit > ")
    assert re.search(r"\n   1 [>|] def in_", first)
    assert re.search(r"\n +\d+ > ", first)
    assert "Risk profile: agent_risk" not in first
    assert "Risk profile: agent_risk" in explained
    assert "2 of 3" in explained


def test_triage_goes_back_and_changes_a_decision(repo: GitRepo) -> None:
    seen = at_terminal(
        repo,
        ("quit > ", "b"),
        ("quit > ", "f"),
        ("Why? ", "a table"),
        ("Who decides?", "Ada"),
        ("2 of 3", "b"),
        ("Decided: false alarm by Ada on ", "l"),
        ("Why? ", "next week"),
        ("Who decides?", ""),
        ("2 of 3", "q"),
    )
    assert "this is the first finding" in seen
    assert saved(repo) == [("later", "Ada", "next week")]
    verdicts = [json.loads(row) for row in (repo.path / ".crimes/feedback.jsonl").read_text().splitlines()]
    assert [verdict["verdict"] for verdict in verdicts] == ["fp", "tp"]


def test_triage_opens_the_editor_at_the_line(repo: GitRepo, tmp_path: Path) -> None:
    editor, log = tmp_path / "vim", tmp_path / "arguments"
    editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {log}\n')
    editor.chmod(0o755)
    at_terminal(repo, ("quit > ", "o"), ("quit > ", "q"), VISUAL=f"{editor} -n", EDITOR="false")
    flag, line, file = log.read_text().splitlines()
    assert flag == "-n"
    assert re.fullmatch(r"\+\d+", line)  # the heaviest branch of the function
    assert Path(file).parent == (repo.path / "shop").resolve()


def test_triage_without_an_editor_or_with_a_broken_one_says_so(repo: GitRepo) -> None:
    answers = (("quit > ", "o"), ("quit > ", "q"))
    assert "no editor is set: set $VISUAL or $EDITOR" in at_terminal(repo, *answers)
    assert "cannot start the editor no-such-editor" in at_terminal(repo, *answers, EDITOR="no-such-editor")
    assert "the editor false ended with exit code 1" in at_terminal(repo, *answers, EDITOR="false")


def apply_decisions(repo: GitRepo) -> None:
    ids = ids_by_file(repo)
    requests = [
        {"id": ids["shop/a.py"], "decision": "wont_fix", "reason": "a table", "owner": "Ada"},
        {"id": ids["shop/b.py"], "decision": "fix_now"},
    ]
    done = run_crimes(repo.path, "triage", "--apply", "-", stdin=json.dumps(requests))
    assert done.returncode == 0, done.stderr


def test_triage_lists_past_decisions_during_the_walk(repo: GitRepo) -> None:
    apply_decisions(repo)
    seen = at_terminal(repo, ("1 of 1", "d"), ("won't fix by Ada on ", "q"))
    assert "a table" in seen


def test_triage_list_prints_who_what_when_and_why_without_asking(repo: GitRepo) -> None:
    nothing = run_crimes(repo.path, "triage", "--list")
    assert (nothing.returncode, nothing.stdout) == (0, "No decisions in .crimes/triage.jsonl yet.\n")
    apply_decisions(repo)
    repo.write({"shop/b.py": "x = 1\n"})
    rows = run_crimes(repo.path, "triage", "--list").stdout.splitlines()
    assert rows[0].endswith("god_function  shop/a.py in_a")
    assert re.fullmatch(r"  won't fix by Ada on \d{4}-\d\d-\d\d: a table", rows[1])
    assert rows[3].endswith("; its file has changed since, so it is open again")
    made = json.loads(run_crimes(repo.path, "triage", "--list", "--format", "json").stdout)
    jsonschema.validate(made, json.loads((ROOT / "docs/triage.schema.json").read_text()))
    assert [(row["decision"], row["owner"], row["holds"]) for row in made["decisions"]] == [
        ("wont_fix", "Ada", True),
        ("fix_now", "", False),
    ]


def test_decisions_without_a_date_are_read(repo: GitRepo) -> None:
    apply_decisions(repo)
    file = repo.path / ".crimes/triage.jsonl"
    file.write_text(re.sub(r',"date":"[^"]*"', "", file.read_text()))
    assert "\n  won't fix by Ada: a table\n" in run_crimes(repo.path, "triage", "--list").stdout
    assert [crime["file"] for crime in json_report(repo)["ignored"]] == ["shop/a.py"]


@pytest.mark.parametrize("arguments", [("--list", "--apply", "-"), ("--format", "json")])
def test_triage_refuses_options_that_do_not_go_together(repo: GitRepo, arguments: tuple[str, ...]) -> None:
    done = run_crimes(repo.path, "triage", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--list" in done.stderr

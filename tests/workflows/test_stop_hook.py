"""The check as a stop hook: what each agent sends, how each is asked to go on, and that it is asked once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crimes.workflows.stop_hook import StopCall, read_stop_call
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo

CLAUDE = {"session_id": "s1", "hook_event_name": "Stop", "stop_hook_active": False}
CURSOR = {"conversation_id": "s2", "hook_event_name": "stop", "workspace_roots": ["/r"], "loop_count": 0}
COPILOT = {"sessionId": "s3", "cwd": "/r", "timestamp": 1, "stopReason": "end_turn"}


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (CLAUDE, StopCall("claude", "s1", False)),
        (CLAUDE | {"stop_hook_active": True}, StopCall("claude", "s1", True)),
        (CURSOR, StopCall("cursor", "s2", False)),
        (CURSOR | {"loop_count": 1}, StopCall("cursor", "s2", True)),
        (COPILOT, StopCall("copilot", "s3", False)),
        ([], StopCall()),
    ],
)
def test_each_agent_is_recognised_by_what_it_sends(payload: Any, expected: StopCall) -> None:
    assert read_stop_call(json.dumps(payload)) == expected
    assert read_stop_call("\ufeff" + json.dumps(payload)) == expected


@pytest.mark.parametrize("text", ["", "{", "\x00", "null"])
def test_what_is_not_a_call_is_one_of_nobody(text: str) -> None:
    assert read_stop_call(text) == StopCall()


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A repository with an edit that breaks an import."""
    repo = GitRepo(tmp_path / "repo")
    repo.commit(
        {"shop/core.py": "def first():\n    return 1\n", "shop/user.py": "from shop.core import first\n"}
    )
    repo.write({"shop/core.py": "def second():\n    return 1\n"})
    return repo.path


def test_claude_is_refused_with_an_exit_code_and_cursor_and_copilot_with_json(
    broken: Path, tmp_path: Path
) -> None:
    cache = {"CRIMES_CACHE_DIR": str(tmp_path / "cache")}
    claude = run_crimes(broken, "check", "--hook", stdin=json.dumps(CLAUDE), **cache)
    assert (claude.returncode, claude.stdout) == (2, "")
    assert "broken" in claude.stderr
    cursor = run_crimes(broken, "check", "--hook", stdin=json.dumps(CURSOR), **cache)
    assert (cursor.returncode, cursor.stderr) == (0, "")
    assert json.loads(cursor.stdout) == {"followup_message": claude.stderr}
    copilot = run_crimes(broken, "check", "--hook", stdin=json.dumps(COPILOT), **cache)
    assert (copilot.returncode, copilot.stderr) == (0, "")
    assert json.loads(copilot.stdout) == {"decision": "block", "reason": claude.stderr}


def test_a_session_is_asked_once_about_the_same_result(broken: Path, tmp_path: Path) -> None:
    cache = {"CRIMES_CACHE_DIR": str(tmp_path / "cache")}
    first = run_crimes(broken, "check", "--hook", stdin=json.dumps(COPILOT), **cache)
    assert first.stdout
    again = run_crimes(broken, "check", "--hook", stdin=json.dumps(COPILOT), **cache)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    (broken / "shop/more.py").write_text("from shop.core import first\n")
    other = run_crimes(broken, "check", "--hook", stdin=json.dumps(COPILOT | {"sessionId": "s4"}), **cache)
    assert other.stdout

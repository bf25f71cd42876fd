"""The hook of coding agents: what it reads of each, what it answers, when it is silent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crimes.hook.call import Call, answer, read_call, refusal
from crimes.hook.relevance import relevance
from crimes.incremental.buckets import entry_of, in_buckets
from crimes.incremental.building import wait_until_built
from crimes.model.facts import Role
from crimes.system.user_dirs import database_of
from tests.kit.briefings import briefing
from tests.kit.gitrepo import GitRepo

CORE = "".join(f"def part_{number}(a):\n    return a + {number}\n\n\n" for number in range(3))
PATCH = (
    "*** Begin Patch\n*** Update File: app/core.py\n@@\n-a\n+b\n*** Add File: app/new.py\n+x\n*** End Patch\n"
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {
                "session_id": "s",
                "cwd": "/r",
                "hook_event_name": "PreToolUse",
                "tool_name": "Edit",
                "tool_input": {"file_path": "/r/a.py", "old_string": "x", "new_string": "y"},
            },
            Call("claude", "PreToolUse", ("/r/a.py",), "/r", "s"),
        ),
        (
            {"hook_event_name": "PreToolUse", "tool_name": "NotebookEdit", "tool_input": {"notebook_path": "a.ipynb"}},
            Call("claude", "PreToolUse", ("a.ipynb",), "", ""),
        ),
        (
            {
                "session_id": "s",
                "cwd": "/r",
                "hook_event_name": "PreToolUse",
                "tool_name": "apply_patch",
                "tool_input": {"command": PATCH},
            },
            Call("claude", "PreToolUse", ("app/core.py",), "/r", "s"),
        ),
        (
            {
                "cwd": "/r",
                "hook_event_name": "PreToolUse",
                "tool_name": "shell",
                "tool_input": {"command": ["apply_patch", PATCH, 5]},
            },
            Call("claude", "PreToolUse", ("app/core.py",), "/r", ""),
        ),
        (
            {"hook_event_name": "PreToolUse", "tool_name": "editFiles", "tool_input": {"files": ["a.ts", "b.ts"]}},
            Call("claude", "PreToolUse", ("a.ts", "b.ts"), "", ""),
        ),
        (
            {
                "conversation_id": "c",
                "hook_event_name": "postToolUse",
                "workspace_roots": ["/r"],
                "tool_name": "Write",
                "tool_input": {"file_path": "/r/a.py"},
            },
            Call("cursor", "postToolUse", ("/r/a.py",), "/r", "c"),
        ),
        (
            {
                "conversation_id": "c",
                "hook_event_name": "afterFileEdit",
                "workspace_roots": ["/r"],
                "file_path": "/r/a.py",
                "edits": [{"old_string": "x", "new_string": "y"}],
            },
            Call("cursor", "afterFileEdit", ("/r/a.py",), "/r", "c"),
        ),
        (
            {"cwd": "/r", "toolName": "edit", "toolArgs": '{"path": "a.py", "old_str": "x"}', "sessionId": "s"},
            Call("copilot", "preToolUse", ("a.py",), "/r", "s"),
        ),
        (
            {"cwd": "/r", "toolName": "apply_patch", "toolArgs": PATCH, "toolResult": {}},
            Call("copilot", "postToolUse", ("app/core.py",), "/r", ""),
        ),
        ({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}},
         Call("claude", "PreToolUse", (), "", "")),
    ],
)  # fmt: skip
def test_requests_of_every_agent_are_parsed(given: dict[str, Any], expected: Call) -> None:
    assert read_call(json.dumps(given)) == expected


def test_each_agent_is_answered_in_its_own_format() -> None:
    def asked(agent: str, event: str) -> Call:
        return Call(agent, event, ("a.py",), "", "")

    inner = {"hookEventName": "PreToolUse", "additionalContext": "t"}
    assert answer(asked("claude", "PreToolUse"), "t") == {"hookSpecificOutput": inner}
    assert answer(asked("cursor", "postToolUse"), "t") == {"additional_context": "t"}
    assert answer(asked("cursor", "afterFileEdit"), "t") is None
    assert answer(asked("copilot", "preToolUse"), "t") == {"additionalContext": "t"}
    assert answer(asked("claude", "Stop"), "t") is None
    denied = refusal(asked("claude", "PreToolUse"), "t")
    assert denied is not None
    assert denied["hookSpecificOutput"]["permissionDecision"] == "deny"  # type: ignore[index]
    assert refusal(asked("claude", "PostToolUse"), "t") is None


def test_relevance_is_high_for_generated_coupled_or_widely_used_files() -> None:
    quiet = briefing(findings=(), companions=())
    assert relevance(quiet) < 0.5
    assert relevance(briefing(role=Role.GENERATED)) == 1.0
    assert (
        relevance(briefing(findings=(), companions=briefing().companions)) >= 0.5
    )  # 4 of 5 commits together
    assert quiet.profile
    wide = msgspec.structs.replace(quiet.profile, blast_radius=1.0)
    assert relevance(msgspec.structs.replace(quiet, profile=wide)) >= 0.5
    assert relevance(msgspec.structs.replace(quiet, profile=None)) == 0, "scores are withheld"


def test_cached_briefing_is_found_among_others() -> None:
    entries = {f"a/{number}.py".encode(): b'{"n": %d}' % number for number in range(2_000)}
    buckets = in_buckets(entries)
    from crimes.incremental.buckets import bucket_of

    assert all(entry_of(path, buckets[bucket_of(path)]) == data for path, data in entries.items())
    assert entry_of(b"1.py", buckets[bucket_of(b"1.py")]) is None


# In a real repository, as an agent runs it.


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "repo")
    made.commit({"app/core.py": CORE, "app/api.py": "from app import core\n", "docs/core.md": "one\n"})
    for number in range(4):
        made.commit({"app/core.py": CORE + f"X = {number}\n", "docs/core.md": f"{number}\n"})
    made.commit({"app/made.py": "# @generated by tool from app/api.py\nx = 1\n", "app/alone.py": "x = 1\n"})
    return made


def scan_repo(repo: GitRepo) -> GitRepo:
    subprocess.run([sys.executable, "-m", "crimes", "scan"], cwd=repo.path, check=True, capture_output=True)
    wait_until_built(database_of(repo.path))
    return repo


def hook(repo: GitRepo, text: str, *options: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "crimes", "hook", *options],
        cwd=repo.path.parent,
        input=text,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **variables},
    )
    assert done.stderr == ""
    return done.stdout


def edit(repo: GitRepo, name: str, session: str = "") -> str:
    given = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Edit",
        "session_id": session,
        "cwd": str(repo.path),
    }
    return json.dumps({**given, "tool_input": {"file_path": name, "old_string": "", "new_string": ""}})


def context_of(output: str) -> str:
    made = json.loads(output)["hookSpecificOutput"]
    assert made["hookEventName"] == "PreToolUse"
    assert "permissionDecision" not in made
    return str(made["additionalContext"])


def test_hook_prints_the_text_of_the_context_command(repo: GitRepo) -> None:
    scan_repo(repo)
    text = context_of(hook(repo, edit(repo, "app/core.py")))
    assert "- usually changed together: `docs/core.md` in 5 of the last 5 commits to this file" in text
    command = [sys.executable, "-m", "crimes", "context", "app/core.py", "--format", "md", "--budget", "600"]
    shown = subprocess.run(command, cwd=repo.path, capture_output=True, text=True, check=True).stdout
    assert text.startswith(shown)
    assert text.removeprefix(shown).startswith("From a scan ")


def test_hook_is_silent_below_the_threshold_and_speaks_once_a_session(repo: GitRepo) -> None:
    scan_repo(repo)
    assert hook(repo, edit(repo, "app/alone.py")) == ""
    assert context_of(hook(repo, edit(repo, "app/alone.py"), "--threshold", "0"))
    assert context_of(hook(repo, edit(repo, "app/core.py", "one")))
    assert hook(repo, edit(repo, "app/core.py", "one")) == ""
    assert context_of(hook(repo, edit(repo, "app/core.py", "two")))


def test_hook_speaks_about_the_repository_that_root_names_and_no_other(repo: GitRepo) -> None:
    scan_repo(repo)
    elsewhere = json.loads(edit(repo, "app/core.py")) | {"cwd": ""}
    assert "# `app/core.py`" in context_of(hook(repo, json.dumps(elsewhere), "--root", str(repo.path)))
    other = repo.path.parent / "other"
    other.mkdir()
    assert hook(repo, edit(repo, "app/core.py"), "--root", str(other)) == ""


def test_hook_answers_from_the_last_scan_and_notes_a_changed_file(repo: GitRepo) -> None:
    scan_repo(repo)
    repo.write({"app/core.py": CORE})
    assert "the file has changed since" in context_of(hook(repo, edit(repo, "app/core.py")))


def test_hook_names_the_changed_ones_of_several_files(repo: GitRepo) -> None:
    scan_repo(repo)
    repo.write({"app/core.py": CORE, "app/made.py": None})
    patch = "*** Begin Patch\n*** Update File: app/core.py\n*** Delete File: app/made.py\n*** End Patch"
    given = {"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "cwd": str(repo.path)}
    text = context_of(hook(repo, json.dumps({**given, "tool_input": {"command": patch}})))
    assert "# `app/core.py`" in text
    assert "# `app/made.py`" in text
    assert text.count("From a scan ") == 1
    assert text.endswith(" ago; changed since: `app/core.py`, so lines may have moved.\n")


def test_hook_blocks_only_generated_files_and_only_with_block(repo: GitRepo) -> None:
    scan_repo(repo)
    assert "Do not edit this file" in context_of(hook(repo, edit(repo, "app/made.py")))
    refused = json.loads(hook(repo, edit(repo, "app/made.py"), "--block"))["hookSpecificOutput"]
    assert refused["permissionDecision"] == "deny"
    assert "app/api.py" in refused["permissionDecisionReason"]
    assert context_of(hook(repo, edit(repo, "app/core.py"), "--block"))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"tool_input": 7}', '{"tool_input": {"file_path": "\\u0000"}}']
)
def test_hook_is_silent_on_malformed_input(repo: GitRepo, text: str) -> None:
    assert hook(repo, text) == ""


def test_hook_is_silent_without_a_scan_with_a_damaged_cache_or_unknown_options(repo: GitRepo) -> None:
    assert hook(repo, edit(repo, "app/core.py")) == ""
    scan_repo(repo)
    assert hook(repo, edit(repo, "app/core.py"), "--nonsense") == ""
    (place,) = (repo.path.parent / "cache" / "repositories").glob("*.sqlite")
    place.write_bytes(b"not a database" * 999)
    assert hook(repo, edit(repo, "app/core.py")) == ""


def test_hook_without_a_scan_says_once_how_to_make_one(repo: GitRepo) -> None:
    text = context_of(hook(repo, edit(repo, "app/core.py", session="s1")))
    assert "Run `crimes scan` once" in text
    assert hook(repo, edit(repo, "app/api.py", session="s1")) == ""
    assert context_of(hook(repo, edit(repo, "app/core.py", session="s2"))) == text


def test_hook_imports_only_the_standard_library(repo: GitRepo) -> None:
    scan_repo(repo)
    program = (
        "import sys; sys.argv = ['crimes', 'hook']\n"
        "from crimes.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n"
        "    foreign = {name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names - {'crimes', '__main__'}\n"
        "    print(sorted(name for name in foreign if not name.startswith('_')), file=sys.stderr)\n"
    )
    given = edit(repo, "app/core.py")
    done = subprocess.run(
        [sys.executable, "-c", program], input=given, capture_output=True, text=True, check=True
    )
    assert context_of(done.stdout)
    assert done.stderr == "[]\n"

"""The texts for agents: the skill, the block in AGENTS.md, and the hook settings of each agent."""

from __future__ import annotations

from typing import Any, NamedTuple

BEGIN, END = "<!-- crimes:begin -->", "<!-- crimes:end -->"
COMMAND = "crimes hook || true"  # where crimes is not installed, nothing happens

SKILL = """---
name: crimes
description: Facts to know before editing a file of this repository, and a check of an edit - findings, who uses the file, what changes with it, which tests to run. Use before the first edit of a file, when planning a change to several files, and before saying that a change is done.
---

# crimes

Facts about this repository from its code and its git history. Everything runs locally; calls after the first are fast.

- Before editing: `crimes context FILE... --format md`. For part of a file: `FILE:Class.method` or `FILE:10-40`.
- Before changing several files: `crimes plan FILE... --format md` lists what to read first, what uses it and what to test.
- After editing, before you say it is done: `crimes check --format md`. Exit code 1 means new findings: look at each.
- For details of a finding: `crimes explain ID`. For the worst findings: `crimes scan`.

Answers have at most 1,500 tokens; change that with `--budget N`. The last line says what is not shown.

Files listed as changing together did so in the past: open them and decide. Run the test command exactly as given.
If something is listed as not known, find out another way.
"""

BLOCK = f"""{BEGIN}
Before editing a file run `crimes context FILE --format md` (also FILE:Symbol, FILE:10-40, several files).
Before changing several files together run `crimes plan FILE... --format md`.
After editing run `crimes check --format md`; exit code 1 means new findings: look at each before you go on.
For details of a finding run `crimes explain ID`.
{END}
"""


class Setting(NamedTuple):
    """An entry in a list of a JSON file, and what else a new file holds."""

    file: str
    keys: tuple[str, ...]  # where the list is
    entry: dict[str, Any]
    around: dict[str, Any]


def _claude_entry(matcher: str) -> dict[str, Any]:
    return {"matcher": matcher, "hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}


SETTINGS = (
    Setting(
        ".claude/settings.json",
        ("hooks", "PreToolUse"),
        _claude_entry("Edit|MultiEdit|Write|NotebookEdit"),
        {},
    ),
    Setting(".codex/hooks.json", ("hooks", "PreToolUse"), _claude_entry("apply_patch|Edit|Write"), {}),
    Setting(
        ".cursor/hooks.json",
        ("hooks", "postToolUse"),
        {"command": COMMAND, "matcher": "Read|Write", "timeout": 10},
        {"version": 1},
    ),
    Setting(
        ".github/hooks/crimes.json",
        ("hooks", "preToolUse"),
        {"type": "command", "bash": COMMAND, "powershell": "crimes hook; exit 0", "timeoutSec": 10},
        {"version": 1},
    ),
)
SKILLS = (".claude/skills/crimes/SKILL.md", ".agents/skills/crimes/SKILL.md")
INSTRUCTIONS = "AGENTS.md"

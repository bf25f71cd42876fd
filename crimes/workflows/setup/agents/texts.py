"""The texts for agents: the skill, the block in AGENTS.md, and the hook settings of each agent."""

from __future__ import annotations

from typing import Any, NamedTuple

BEGIN, END = "<!-- crimes:begin -->", "<!-- crimes:end -->"
COMMAND = "crimes hook || true"  # where crimes is not installed, nothing happens

SKILL = """---
name: crimes
description: Tells what to know before editing a file of this repository and what an edit did - danger, who uses it, what changes with it, which tests to run. Use before the first edit of a file, when planning a change of several files, and before saying that a change is done.
---

# crimes

Facts about this repository from its code and its git history. Nothing is sent anywhere; the second call is quick.

- Before editing: `crimes context FILE... --format md`. A part of a file: `FILE:Class.method` or `FILE:10-40`.
- Before a change of several files: `crimes plan FILE... --format md`: what to read first, who breaks, what to test.
- After editing, before you say it is done: `crimes check --format md`. Exit code 1: there are new findings, look at them.
- A finding in full: `crimes explain ID`. The worst places: `crimes scan`.

Answers are at most 1,500 tokens; `--budget N` asks for more or less, and the last line says what was left out.

What it says of files that change together is what they did in the past: open them and decide. Run the test command it names
as it stands. Where it says that something is not known, find out another way.
"""

BLOCK = f"""{BEGIN}
Before editing a file run `crimes context FILE --format md` (also FILE:Symbol, FILE:10-40, several files).
Before changing several files together run `crimes plan FILE... --format md`.
After editing run `crimes check --format md`; exit code 1 means new findings: look at each before you go on.
`crimes explain ID` tells all about a finding.
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

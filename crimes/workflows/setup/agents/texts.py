"""The texts for agents: the skill, the block in AGENTS.md, and the settings of each agent for hooks and the server."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

BEGIN, END = "<!-- crimes:begin -->", "<!-- crimes:end -->"
COMMAND = "crimes hook || true"  # where crimes is not installed, nothing happens
STOP_COMMAND = "command -v crimes >/dev/null || exit 0; crimes check --hook"  # its exit code counts
_STOP_SECONDS = 60

SKILL = """---
name: crimes
description: Facts to know before editing a file of this repository, and a check of an edit - findings, who uses the file, what changes with it, which tests to run. Use before the first edit of a file, when planning a change to several files, and before saying that a change is done.
---

# crimes

Facts about this repository from its code and its git history. Everything runs locally; calls after the first are fast.

- Before editing: `crimes context FILE... --format md`. For part of a file: `FILE:Class.method` or `FILE:10-40`.
- Before changing several files: `crimes plan FILE... --format md` lists what to read first, what uses it and what to test.
- After editing, before you say it is done: `crimes check --format md`. Exit code 1 means broken references or new findings: look at each.
- For details of a finding: `crimes explain ID`. For the worst findings: `crimes scan`.

Answers have at most 1,500 tokens; change that with `--budget N`. The last line says what is not shown.

Files listed as changing together did so in the past: open them and decide. Run the test command exactly as given.
If something is listed as not known, find out another way.
"""

BLOCK = f"""{BEGIN}
Before editing a file run `crimes context FILE --format md` (also FILE:Symbol, FILE:10-40, several files).
Before changing several files together run `crimes plan FILE... --format md`.
After editing run `crimes check --format md`; exit code 1 means broken references or new findings: look at each before you go on.
For details of a finding run `crimes explain ID`.
{END}
"""


class Agent(StrEnum):
    """The agents that can be set up."""

    CLAUDE = "claude"
    CODEX = "codex"
    CURSOR = "cursor"
    COPILOT = "copilot"


class Setting(NamedTuple):
    """An entry in a JSON file of an agent, and what else a new file holds."""

    agent: Agent
    file: str
    keys: tuple[str, ...]  # where the list is, or where the entry itself goes
    entry: dict[str, Any]
    around: Mapping[str, Any] = MappingProxyType({})
    in_list: bool = True


def _claude_entry(matcher: str) -> dict[str, Any]:
    return {"matcher": matcher, "hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}


_CLAUDE_STOP = {"hooks": [{"type": "command", "command": STOP_COMMAND, "timeout": _STOP_SECONDS}]}
_SERVER = {"command": "crimes", "args": ["mcp"]}

# Of the same file, the entry that comes first makes it; the others are added to it.
SETTINGS = (
    Setting(
        Agent.CLAUDE,
        ".claude/settings.json",
        ("hooks", "PreToolUse"),
        _claude_entry("Edit|MultiEdit|Write|NotebookEdit"),
    ),
    Setting(Agent.CLAUDE, ".claude/settings.json", ("hooks", "Stop"), _CLAUDE_STOP),
    Setting(Agent.CLAUDE, ".mcp.json", ("mcpServers", "crimes"), _SERVER, in_list=False),
    Setting(
        Agent.CODEX, ".codex/hooks.json", ("hooks", "PreToolUse"), _claude_entry("apply_patch|Edit|Write")
    ),
    Setting(Agent.CODEX, ".codex/hooks.json", ("hooks", "Stop"), _CLAUDE_STOP),
    Setting(
        Agent.CURSOR,
        ".cursor/hooks.json",
        ("hooks", "postToolUse"),
        {"command": COMMAND, "matcher": "Read|Write", "timeout": 10},
        {"version": 1},
    ),
    Setting(
        Agent.CURSOR,
        ".cursor/hooks.json",
        ("hooks", "stop"),
        {"command": STOP_COMMAND, "timeout": _STOP_SECONDS, "loop_limit": 1},
    ),
    Setting(Agent.CURSOR, ".cursor/mcp.json", ("mcpServers", "crimes"), _SERVER, in_list=False),
    Setting(
        Agent.COPILOT,
        ".github/hooks/crimes.json",
        ("hooks", "preToolUse"),
        {"type": "command", "bash": COMMAND, "powershell": "crimes hook; exit 0", "timeoutSec": 10},
        {"version": 1},
    ),
    Setting(
        Agent.COPILOT,
        ".github/hooks/crimes.json",
        ("hooks", "agentStop"),
        {
            "type": "command",
            "bash": STOP_COMMAND,
            "powershell": "crimes check --hook; exit 0",
            "timeoutSec": _STOP_SECONDS,
        },
    ),
    Setting(
        Agent.COPILOT,
        ".vscode/mcp.json",
        ("servers", "crimes"),
        {"type": "stdio", **_SERVER},
        in_list=False,
    ),
)
SKILLS = {
    ".claude/skills/crimes/SKILL.md": (Agent.CLAUDE,),
    ".agents/skills/crimes/SKILL.md": (Agent.CODEX, Agent.CURSOR, Agent.COPILOT),
}
INSTRUCTIONS = "AGENTS.md"
# What shows that an agent is used in a repository.
TRACES = {
    Agent.CLAUDE: (".claude", "CLAUDE.md"),
    Agent.CODEX: (".codex",),
    Agent.CURSOR: (".cursor", ".cursorrules"),
    Agent.COPILOT: (".github/copilot-instructions.md", ".github/hooks"),
}

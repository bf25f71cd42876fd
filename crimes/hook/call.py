"""What an agent's hook hands in, and the answer each agent reads: Claude Code, Codex, Cursor, Copilot.

Claude Code, Codex and VS Code send `tool_name` and `tool_input`; Cursor sends the same or a `file_path`, and names its events in
camel case; Copilot sends `toolName` and `toolArgs`. Codex and Copilot may send a patch instead of a path.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_PATHS = ("file_path", "filePath", "path", "notebook_path", "target_file", "filename")
_LISTS = ("files", "edits", "replacements", "paths")
_PATCHES = ("command", "input", "patch", "patchText", "diff")
_IN_PATCH = re.compile(r"^(?:\*\*\* (?:Update|Delete) File: |--- a/)(.+?)[ \t\r]*$", re.MULTILINE)
_LONGEST = 1_000_000  # characters of a patch that are looked at


class Call(NamedTuple):
    """A tool call of an agent: whose it is, the event, the files it is about, as written, and where it runs."""

    agent: str  # claude (and all that speak like it), cursor, copilot
    event: str
    files: tuple[str, ...]
    folder: str
    session: str


def read_call(text: str) -> Call | None:
    """The call, None when it is none that concerns files."""
    given = json.loads(text)
    if not isinstance(given, dict):
        return None
    event = _text(given.get("hook_event_name") or given.get("hookEventName"))
    if "toolName" in given:
        agent, arguments = "copilot", _arguments(given.get("toolArgs"))
        event = event or ("postToolUse" if "toolResult" in given else "preToolUse")
    elif "workspace_roots" in given or "cursor_version" in given:
        agent, arguments = "cursor", _arguments(given.get("tool_input", given))
    else:
        agent, arguments = "claude", _arguments(given.get("tool_input"))
    roots = given.get("workspace_roots")
    folder = _text(given.get("cwd")) or (_text(roots[0]) if isinstance(roots, list) and roots else "")
    session = _text(given.get("session_id") or given.get("sessionId") or given.get("conversation_id"))
    return Call(agent, event, tuple(dict.fromkeys(_files(arguments))), folder, session)


def answer(call: Call, text: str) -> dict[str, object] | None:
    """The text in the words of the agent; None where it does not listen."""
    before = call.event.lower() in ("pretooluse", "posttooluse")
    match call.agent:
        case "copilot" if before:
            return {"additionalContext": text}
        case "cursor" if call.event == "postToolUse":
            return {"additional_context": text}
        case "cursor" if call.event == "preToolUse":
            return {"agent_message": text}
        case "claude" if before:
            return {"hookSpecificOutput": {"hookEventName": call.event, "additionalContext": text}}
        case _:
            return None


def refusal(call: Call, text: str) -> dict[str, object] | None:
    """The same, with the call refused; None where it cannot be any more."""
    if call.event.lower() != "pretooluse":
        return None
    match call.agent:
        case "copilot":
            return {"permissionDecision": "deny", "permissionDecisionReason": text}
        case "cursor":
            return {"permission": "deny", "agent_message": text, "user_message": text}
        case _:
            denied = {"permissionDecision": "deny", "permissionDecisionReason": text}
            return {"hookSpecificOutput": {"hookEventName": call.event, **denied}}


def _arguments(value: Any) -> Any:
    """The arguments of a tool; Copilot sends them as the text of their JSON, or as a bare patch."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return {"patch": value}


def _files(value: Any) -> list[str]:
    """Every file that arguments name: in a field, in a list of edits, or in a patch."""
    if isinstance(value, list):
        return [file for item in value for file in ([item] if isinstance(item, str) else _files(item))]
    if not isinstance(value, dict):
        return []
    found = [value[name] for name in _PATHS if isinstance(value.get(name), str)]
    for name in _LISTS:
        found += _files(value.get(name))
    for name in _PATCHES:
        words = value.get(name)
        for word in words if isinstance(words, list) else [words]:  # a command may come as its words
            if isinstance(word, str):
                found += _IN_PATCH.findall(word[:_LONGEST])
    return [file for file in found if file]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

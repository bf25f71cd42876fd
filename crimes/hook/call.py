"""What an agent's hook sends, and the answer each agent reads: Claude Code, Codex, Cursor, Copilot.

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
_IN_PATCH = re.compile(r"^(?:\*\*\* (?:Update|Delete) File: |--- a/)([^\n]+)", re.MULTILINE)
_MAX_PATCH_CHARS = 1_000_000  # the rest is not searched


class Call(NamedTuple):
    """A tool call of an agent: which agent, the event, the files as the call names them, and where it runs."""

    agent: str  # claude (and agents with the same protocol), cursor, copilot
    event: str
    files: tuple[str, ...]
    folder: str
    session: str


def read_call(text: str) -> Call | None:
    """The call; None when the text is not a JSON object."""
    payload = json.loads(text)
    if not isinstance(payload, dict):
        return None
    event = _text(payload.get("hook_event_name") or payload.get("hookEventName"))
    if "toolName" in payload:
        agent, arguments = "copilot", _arguments(payload.get("toolArgs"))
        event = event or ("postToolUse" if "toolResult" in payload else "preToolUse")
    elif "workspace_roots" in payload or "cursor_version" in payload:
        agent, arguments = "cursor", _arguments(payload.get("tool_input", payload))
    else:
        agent, arguments = "claude", _arguments(payload.get("tool_input"))
    roots = payload.get("workspace_roots")
    folder = _text(payload.get("cwd")) or (_text(roots[0]) if isinstance(roots, list) and roots else "")
    session = _text(payload.get("session_id") or payload.get("sessionId") or payload.get("conversation_id"))
    return Call(agent, event, tuple(dict.fromkeys(_files(arguments))), folder, session)


def answer(call: Call, text: str) -> dict[str, object] | None:
    """The text as the JSON that the agent reads; None where it reads none."""
    is_tool_event = call.event.lower() in ("pretooluse", "posttooluse")
    match call.agent:
        case "copilot" if is_tool_event:
            return {"additionalContext": text}
        case "cursor" if call.event == "postToolUse":
            return {"additional_context": text}
        case "cursor" if call.event == "preToolUse":
            return {"agent_message": text}
        case "claude" if is_tool_event:
            return {"hookSpecificOutput": {"hookEventName": call.event, "additionalContext": text}}
        case _:
            return None


def refusal(call: Call, text: str) -> dict[str, object] | None:
    """The text as the JSON that refuses the call; None where it is too late for that."""
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
    """The arguments of a tool; Copilot sends them as JSON text, or as a bare patch."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return {"patch": value}


def _files(value: Any) -> list[str]:
    """Every file that the arguments name: in a field, in a list of edits, or in a patch."""
    if isinstance(value, list):
        return [file for item in value for file in ([item] if isinstance(item, str) else _files(item))]
    if not isinstance(value, dict):
        return []
    files = [value[name] for name in _PATHS if isinstance(value.get(name), str)]
    for name in _LISTS:
        files += _files(value.get(name))
    for name in _PATCHES:
        words = value.get(name)
        for word in words if isinstance(words, list) else [words]:  # a command may be a list of words
            if isinstance(word, str):
                files += (name.rstrip(" \t\r") for name in _IN_PATCH.findall(word[:_MAX_PATCH_CHARS]))
    return [file for file in files if file]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

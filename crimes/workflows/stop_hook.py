"""What an agent sends when it is about to stop, and how each agent is asked to go on: Claude Code, Codex, Cursor, Copilot."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

_EXIT_REFUSED = 2  # what Claude Code and Codex read as: do not stop yet, stderr says why


class StopCall(NamedTuple):
    """The call of a stop hook: which agent, its session, and whether it runs on because of this very hook."""

    agent: str = "claude"  # and agents with the same protocol; cursor, copilot
    session: str = ""
    is_repeated: bool = False


class Refusal(NamedTuple):
    """What to print, and the exit code, so that the agent goes on and reads the text."""

    stdout: str
    stderr: str
    exit: int


def read_stop_call(text: str) -> StopCall:
    """The call; one of Claude Code without a session if the text is not a JSON object."""
    try:
        payload: Any = json.loads(text.removeprefix("\ufeff"))  # Cursor may send a byte order mark
    except ValueError:
        return StopCall()
    if not isinstance(payload, dict):
        return StopCall()
    if "loop_count" in payload or "workspace_roots" in payload or "cursor_version" in payload:
        agent = "cursor"
    elif "hook_event_name" not in payload and "sessionId" in payload:
        agent = "copilot"
    else:
        agent = "claude"
    names = ("session_id", "sessionId", "conversation_id")
    session = next((payload[name] for name in names if isinstance(payload.get(name), str)), "")
    return StopCall(agent, session, bool(payload.get("stop_hook_active") or payload.get("loop_count")))


def refusal(call: StopCall, text: str) -> Refusal:
    """The text in the shape that the agent reads."""
    match call.agent:
        case "cursor":
            return Refusal(json.dumps({"followup_message": text}) + "\n", "", 0)
        case "copilot":
            return Refusal(json.dumps({"decision": "block", "reason": text}) + "\n", "", 0)
        case _:
            return Refusal("", text, _EXIT_REFUSED)

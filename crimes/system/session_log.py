"""What an agent's session has been told: each costs tokens, so nothing is said twice in one session."""

from __future__ import annotations

import os
import time

from crimes.model.digests import digest_of
from crimes.system.user_dirs import cache_directory_name

_MAX_AGE_SECONDS = 7 * 86_400  # then a session is over


def not_yet_told(session: str, root: str, topics: list[str]) -> list[str]:
    """The topics, such as files, that the session has not been told of; all of them when it has no name."""
    told = _read(_log_file(session)) if session else set()
    return [topic for topic in topics if _digest(root, topic) not in told]


def mark_told(session: str, root: str, topics: list[str]) -> None:
    """Record that the session has been told of these topics."""
    if not session:
        return
    log = _log_file(session)
    if not os.path.exists(log):
        os.makedirs(os.path.dirname(log), mode=0o700, exist_ok=True)
        _delete_old(os.path.dirname(log))
    with open(log, "a", encoding="ascii") as file:
        file.writelines(f"{_digest(root, topic)}\n" for topic in topics)


def _log_file(session: str) -> str:
    name = digest_of(session.encode("utf-8", "replace")).hex()
    return os.path.join(cache_directory_name(), "hook", name)


def _digest(root: str, topic: str) -> str:
    return digest_of(os.fsencode(f"{root}\0{topic}")).hex()


def _read(log: str) -> set[str]:
    try:
        with open(log, encoding="ascii") as file:
            return set(file.read().split())
    except FileNotFoundError:
        return set()


def _delete_old(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if time.time() - entry.stat().st_mtime > _MAX_AGE_SECONDS:
                os.unlink(entry.path)

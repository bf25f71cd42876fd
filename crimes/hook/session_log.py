"""Which files a session has been briefed on: a briefing costs tokens, so each file gets one per session."""

from __future__ import annotations

import os
import time

from crimes.model.digests import digest_of
from crimes.system.user_dirs import cache_directory_name

_MAX_AGE_SECONDS = 7 * 86_400  # then a session is over


def not_yet_briefed(session: str, root: str, paths: list[str]) -> list[str]:
    """The paths that the session has no briefing on; all of them when it has no name."""
    briefed = _read(_log_file(session)) if session else set()
    return [path for path in paths if _digest(root, path) not in briefed]


def mark_briefed(session: str, root: str, paths: list[str]) -> None:
    """Record that the session has a briefing on these paths."""
    if not session:
        return
    log = _log_file(session)
    if not os.path.exists(log):
        os.makedirs(os.path.dirname(log), mode=0o700, exist_ok=True)
        _delete_old(os.path.dirname(log))
    with open(log, "a", encoding="ascii") as file:
        file.writelines(f"{_digest(root, path)}\n" for path in paths)


def _log_file(session: str) -> str:
    name = digest_of(session.encode("utf-8", "replace")).hex()
    return os.path.join(cache_directory_name(), "hook", name)


def _digest(root: str, path: str) -> str:
    return digest_of(os.fsencode(f"{root}\0{path}")).hex()


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

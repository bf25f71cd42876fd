"""What was said in a session already: a briefing costs tokens, so a file has one for each session."""

from __future__ import annotations

import os
import time

from crimes.model.digests import digest_of
from crimes.system.user_dirs import cache_folder

_KEPT = 7 * 86_400  # seconds after which a session is over


def unsaid(session: str, root: str, paths: list[str]) -> list[str]:
    """Those of the files of which nothing was said in the session; all of them when it has no name."""
    said = _read(_place(session)) if session else set()
    return [path for path in paths if _mark(root, path) not in said]


def note(session: str, root: str, paths: list[str]) -> None:
    """Note that something was said of these files."""
    if not session:
        return
    place = _place(session)
    if not os.path.exists(place):
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        _forget_old(os.path.dirname(place))
    with open(place, "a", encoding="ascii") as file:
        file.writelines(f"{_mark(root, path)}\n" for path in paths)


def _place(session: str) -> str:
    name = digest_of(session.encode("utf-8", "replace")).hex()
    return os.path.join(cache_folder(), "hook", name)


def _mark(root: str, path: str) -> str:
    return digest_of(os.fsencode(f"{root}\0{path}")).hex()


def _read(place: str) -> set[str]:
    try:
        with open(place, encoding="ascii") as file:
            return set(file.read().split())
    except FileNotFoundError:
        return set()


def _forget_old(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if time.time() - entry.stat().st_mtime > _KEPT:
                os.unlink(entry.path)

"""Runs the command line in a process of its own."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_CACHE = tempfile.TemporaryDirectory()  # for tests that name none: the cache of the user stays out of it


def run_crimes(
    cwd: Path, *arguments: str | Path, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would, with nobody at a terminal."""
    inherited = {name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"}
    return subprocess.run(
        [sys.executable, "-m", "crimes", *map(str, arguments)],
        cwd=cwd,
        env={"CRIMES_CACHE_DIR": _CACHE.name, **inherited, **environment},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def run_at_terminal(
    cwd: Path, arguments: Sequence[str], *answers: tuple[str, str], **environment: str
) -> str:
    """What a person at a terminal sees who gives these answers to these prompts."""
    controller, terminal = pty.openpty()
    inherited = {name: value for name, value in os.environ.items() if name not in ("VISUAL", "EDITOR")}
    running = subprocess.Popen(
        [sys.executable, "-m", "crimes", *arguments],
        cwd=cwd,
        env={"CRIMES_CACHE_DIR": _CACHE.name, **inherited, "CI": "true", "TERM": "dumb", **environment},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    seen = ""
    try:
        for prompt, answer in answers:
            seen += _until(controller, prompt)
            os.write(controller, answer.encode() + b"\n")
        seen += _rest(controller)
        assert running.wait(60) == 0, seen
    finally:
        running.kill()
        os.close(controller)
    return seen


def _until(controller: int, prompt: str) -> str:
    seen = ""
    while prompt not in seen:
        assert select.select([controller], [], [], 60)[0], seen
        seen += os.read(controller, 4096).decode(errors="replace")
    return seen


def _rest(controller: int) -> str:
    seen = ""
    while select.select([controller], [], [], 60)[0]:
        try:
            data = os.read(controller, 4096)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        seen += data.decode(errors="replace")
    return seen

"""Runs the command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
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

"""Opens a file in the editor of the person at the terminal. No shell is involved: names of a repository stay names."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from crimes.model.errors import EnvironmentFault

# How editors are told a line.
_PLUS_LINE = {
    "vi",
    "vim",
    "nvim",
    "view",
    "gvim",
    "nano",
    "pico",
    "emacs",
    "emacsclient",
    "micro",
    "joe",
    "jed",
}
_PLUS_LINE |= {"kak", "ne", "mg", "kate", "gedit", "ed", "ex"}
_GOTO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}
_COLON_LINE = {"hx", "helix", "subl", "sublime_text", "zed", "mate"}


def editor_command(environment: Mapping[str, str], file: Path, line: int) -> list[str]:
    """The arguments that open an absolute path at a line. EnvironmentFault when no editor is set."""
    written = environment.get("VISUAL") or environment.get("EDITOR") or ""
    try:
        command = shlex.split(written)
    except ValueError as error:
        raise EnvironmentFault(f"$VISUAL or $EDITOR is not a command: {error}") from error
    if not command:
        raise EnvironmentFault("no editor is set: set $VISUAL or $EDITOR, as in EDITOR=vim")
    name = os.path.basename(command[0])
    if name in _PLUS_LINE:
        return [*command, f"+{line}", str(file)]
    if name in _GOTO:
        return [*command, "--goto", f"{file}:{line}"]
    return [*command, f"{file}:{line}" if name in _COLON_LINE else str(file)]


def run_editor(command: Sequence[str]) -> None:
    """Run the editor at this terminal until it ends. EnvironmentFault when it does not start or fails."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the editor's as long as it runs
    try:
        process = os.posix_spawnp(command[0], list(command), os.environ, setsigdef=[signal.SIGINT])
        _, status = os.waitpid(process, 0)
    except OSError as error:
        raise EnvironmentFault(f"cannot start the editor {command[0]}: {error.strerror}") from error
    finally:
        signal.signal(signal.SIGINT, before)
    code = os.waitstatus_to_exitcode(status)
    if code:
        raise EnvironmentFault(f"the editor {command[0]} ended with exit code {code}")

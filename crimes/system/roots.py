"""Which folder a command is about, and which file in it."""

from __future__ import annotations

import os
from pathlib import Path

from crimes.model.errors import EnvironmentFault, UsageError


def resolve_root(path: Path | None) -> Path:
    """The folder that was named, or the repository the current directory lies in."""
    here = _current()
    if path is None:
        return enclosing_root(here) or here
    if not path.exists():
        raise UsageError(f"there is no folder {path}")
    if not path.is_dir():
        raise UsageError(f"{path} is a file; `crimes context {path}` tells about one file")
    return path.resolve()


def _current() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise EnvironmentFault("the current directory is gone") from error


def enclosing_root(folder: Path) -> Path | None:
    """The nearest folder, this one or above it, that holds a git repository or a crimes.toml."""
    folder = folder.resolve()
    for candidate in (folder, *folder.parents):
        if os.path.lexists(candidate / ".git") or (candidate / "crimes.toml").is_file():
            return candidate
    return None


def locate_file(file: Path) -> tuple[Path, str]:
    """The root of the repository a file is in, and the file's name below it.

    Within a repository a file may be named from its root too: that is how answers name it.
    """
    here = _current()
    if not file.exists() and (around := enclosing_root(here)) and (around / file).exists():
        file = around / file
    real = file.resolve()
    if not real.exists():
        raise UsageError(f"there is no file {file}")
    if not real.is_file():
        raise UsageError(f"{file} is not a file; `crimes scan {file}` looks at a whole folder")
    root = enclosing_root(Path(os.path.abspath(file)).parent) or here
    if not real.is_relative_to(root):
        raise UsageError(f"{file} lies outside of {root}")
    return root, real.relative_to(root).as_posix()

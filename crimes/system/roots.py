"""Which repository a command is about, and which part of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from crimes.model.errors import EnvironmentFault, UsageError


class Scope(NamedTuple):
    """A repository, and the files and folders of it that were asked about, relative to its root; none: all of it."""

    root: Path
    paths: tuple[str, ...]


def resolve_root(root: Path | None) -> Path:
    """The folder that `--root` names, else the repository around the current directory."""
    if root is None:
        here = _current()
        return enclosing_root(here) or here
    if not root.exists():
        raise UsageError(f"--root {root}: no such folder")
    if not root.is_dir():
        raise UsageError(f"--root {root} is a file; name the root folder of the repository")
    return root.resolve()


def resolve_scope(paths: Sequence[Path], root: Path | None = None) -> Scope:
    """The repository that holds these paths, and their names in it. A path that is the root itself stands for all of it."""
    if not paths:
        return Scope(resolve_root(root), ())
    reals = [_existing(path) for path in paths]
    top = resolve_root(root) if root is not None else _common_root(reals)
    for path, real in zip(paths, reals, strict=True):
        if not real.is_relative_to(top):
            raise UsageError(f"{path} is outside the repository {top}")
    names = tuple(dict.fromkeys(real.relative_to(top).as_posix() for real in reals))
    return Scope(top, () if "." in names else names)


def _existing(path: Path) -> Path:
    """The path without links in its folders; a link itself is not followed, as reports name it."""
    full = Path(os.path.abspath(path))
    if not os.path.lexists(full):
        raise UsageError(f"no such file or folder: {path}")
    return full.resolve() if full.is_dir() else full.parent.resolve() / full.name


def _common_root(paths: Sequence[Path]) -> Path:
    """The repository all paths are in. Outside of any repository, the folder around them."""
    roots = [repository_of(path) for path in paths]
    if None in roots:
        return Path(os.path.commonpath([path if path.is_dir() else path.parent for path in paths]))
    for path, root in zip(paths, roots, strict=True):
        if root != roots[0]:
            raise UsageError(f"{path} and {paths[0]} are in different repositories; scan them one at a time")
    return roots[0] or _current()


def repository_of(path: Path) -> Path | None:
    """The root of the repository a path is in.

    It is the repository around the current directory if that holds the path, unless the path is in a git repository inside it.
    So naming a part of a repository gives the same root as naming none of it.
    """
    here = enclosing_root(_current())
    if here is not None and path.is_relative_to(here):
        between = (path, *path.parents)[: len(path.parts) - len(here.parts)]
        if not any(os.path.lexists(folder / ".git") for folder in between):
            return here
    return enclosing_root(path)


def enclosing_root(folder: Path) -> Path | None:
    """The nearest folder, this one or above it, that holds a git repository or a crimes.toml."""
    folder = folder.resolve()
    for candidate in (folder, *folder.parents):
        if os.path.lexists(candidate / ".git") or (candidate / "crimes.toml").is_file():
            return candidate
    return None


def locate_file(file: Path, root: Path | None = None) -> tuple[Path, str]:
    """The root of the repository a file is in, and the file's name below it.

    Within a repository a file may be named from its root too: that is how answers name it.
    """
    here = _current()
    around = resolve_root(root) if root is not None else enclosing_root(here)
    if not file.exists() and around and (around / file).exists():
        file = around / file
    real = file.resolve()
    if not real.exists():
        raise UsageError(f"no such file: {file}")
    if not real.is_file():
        raise UsageError(f"{file} is a folder; run `crimes scan {file}` for an overview of it")
    top = around if root is not None and around else repository_of(Path(os.path.abspath(file)).parent) or here
    if not real.is_relative_to(top):
        raise UsageError(f"{file} is outside the repository {top}")
    return top, real.relative_to(top).as_posix()


def _current() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise EnvironmentFault("the current directory no longer exists") from error

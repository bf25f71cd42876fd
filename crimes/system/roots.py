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
    reals = [_existing(path, root) for path in paths]
    top = resolve_root(root) if root is not None else _common_root(reals)
    for path, real in zip(paths, reals, strict=True):
        if not real.is_relative_to(top):
            raise UsageError(f"{path} is outside the repository {top}")
    names = tuple(dict.fromkeys(real.relative_to(top).as_posix() for real in reals))
    return Scope(top, () if "." in names else names)


def locate(path: Path, root: Path | None = None) -> Path | None:
    """The file or folder that a path on the command line means; None if there is none.

    A path counts from the current directory, as in any other tool. If the repository has no such file there, it counts from
    the root: that is how reports name files. The repository is `root`, else the one around the current directory.
    """
    here = Path(os.path.abspath(_current() / path))
    around = resolve_root(root) if root is not None else enclosing_root(_current())
    below_root = around / path if around is not None else None
    is_here = os.path.lexists(here)
    if is_here and (root is None or around is None or _without_links(here).is_relative_to(around)):
        return here
    if below_root is not None and os.path.lexists(below_root):
        return Path(os.path.abspath(below_root))
    return here if is_here else None


def _existing(path: Path, root: Path | None) -> Path:
    """What a path means, without links in its folders. UsageError if there is no such file."""
    located = locate(path, root)
    if located is None:
        below = f" in the current directory or in {root}" if root is not None else ""
        raise UsageError(f"no such file or folder{below}: {path}")
    return _without_links(located)


def _without_links(path: Path) -> Path:
    """The path without links in its folders; a link to a file is not followed, as reports name it."""
    return path.resolve() if path.is_dir() else path.parent.resolve() / path.name


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
    """The root of the repository a file is in, and the file's name below it."""
    located = locate(file, root)
    if located is None or not located.exists():
        raise UsageError(f"no such file: {file}")
    real = located.resolve()
    if not real.is_file():
        raise UsageError(f"{file} is a folder; run `crimes scan {file}` for an overview of it")
    top = resolve_root(root) if root is not None else repository_of(located.parent) or _current()
    if not real.is_relative_to(top):
        raise UsageError(f"{file} is outside the repository {top}")
    return top, real.relative_to(top).as_posix()


def _current() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise EnvironmentFault("the current directory no longer exists") from error

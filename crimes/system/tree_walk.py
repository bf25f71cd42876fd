"""The names below a folder that git does not list: a walk that honours .gitignore files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crimes.model.lazy_regex import regex
from crimes.system.gitignore import usable_patterns

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_LINE_END = regex(r"\r?\n")
# Never part of a tree, whatever its ignore files say.
SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".jj", "CVS", "node_modules", "bower_components", "__pycache__", ".venv", "venv"}
    | {".tox", ".nox", ".eggs", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".next", ".nuxt", ".gradle"}
)


class TreeEntry(NamedTuple):
    """A name in the tree. `reason` says why it is not a file to look at: a submodule, say."""

    path: str
    reason: str = ""


class Rules(NamedTuple):
    """The patterns of one .gitignore, for names that begin with `start`."""

    start: str
    spec: GitIgnoreSpec


def walk(root: Path, read: Callable[[str], bytes]) -> Iterator[TreeEntry]:
    """Every name that is not ignored, folders that cannot be entered included. Links are not followed."""
    pending: list[tuple[str, tuple[Rules, ...]]] = [("", ())]
    while pending:
        folder, rules = pending.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                names = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
        except OSError as error:
            yield TreeEntry(folder or ".", error.strerror or "cannot be listed")
            continue
        if folder and ".git" in names:
            yield TreeEntry(folder, "another git repository" if names[".git"] else "submodule")
            continue
        if "pyvenv.cfg" in names:
            continue
        start = folder + "/" if folder else ""
        if ".gitignore" in names:
            rules = (Rules(start, _spec(read, start + ".gitignore")), *rules)
        for name, is_folder in sorted(names.items()):
            path = start + name
            if (is_folder and name in SKIPPED_FOLDERS) or _is_ignored(path + "/" * is_folder, rules):
                continue
            if is_folder:
                pending.append((path, rules))
            else:
                yield TreeEntry(path)


def _is_ignored(path: str, rules: tuple[Rules, ...]) -> bool:
    """The nearest .gitignore that says anything decides."""
    for start, spec in rules:
        verdict = spec.check_file(path[len(start) :]).include
        if verdict is not None:
            return verdict
    return False


def _spec(read: Callable[[str], bytes], path: str) -> GitIgnoreSpec:
    try:
        text = os.fsdecode(read(path))
    except OSError:
        text = ""  # git, too, goes on without an ignore file it cannot read
    return usable_patterns(_LINE_END.split(text))

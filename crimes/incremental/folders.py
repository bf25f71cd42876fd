"""Every folder of a tree in which a new name could matter, as it is now."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from crimes.incremental.stamps import (
    Changed,
    FileStamp,
    FolderStamp,
    is_as_before,
    list_folder,
    names_digest,
    stamp,
)
from crimes.system import git
from crimes.system.tree_walk import WALK_PAST

_RULES = (".gitignore", ".gitattributes")
DECIDES = frozenset(map(os.fsencode, _RULES))


class Folders(NamedTuple):
    """The folders, the links in them, and the files in them that say what is ignored."""

    folders: dict[bytes, FolderStamp]
    links: list[str]
    rules: dict[str, FileStamp | None]


def folders_again(start: str, before: Mapping[bytes, FolderStamp], taken: int) -> dict[bytes, FolderStamp]:
    """Folders with the names they had, as they look now. Raises Changed where the names are others, or OSError."""
    found: dict[bytes, FolderStamp] = {}
    for path, folder in before.items():
        place = start + os.fsdecode(path)
        if is_as_before(os.lstat(place), folder, taken):
            found[path] = folder
        else:
            found[path] = _looked_at(place, list_folder(place))
            if found[path].names != folder.names:
                raise Changed
    return found


def _looked_at(place: str, names: dict[str, str]) -> FolderStamp:
    info = os.lstat(place)  # after the names: what comes between makes a difference
    return FolderStamp(info.st_mtime_ns, info.st_ctime_ns, info.st_ino, names_digest(names))


def take_folders(root: Path, paths: Iterable[str], *, by_git: bool) -> Folders:
    """Every folder as it is now. OSError or Unavailable."""
    start = os.path.join(str(root), "")
    holding = _holding(paths)
    folders: dict[bytes, FolderStamp] = {}
    links: list[str] = []
    rules: dict[str, FileStamp | None] = {}
    waiting = [""]
    while waiting:
        inner: list[str] = []
        for folder in waiting:
            names = list_folder(start + folder)
            folders[os.fsencode(folder)] = _looked_at(start + folder, names)
            if folder and ".git" in names and folder not in holding:
                continue  # another repository: git does not look into it, unless it tracks files there
            below = f"{folder}/" if folder else ""
            links += [below + name for name, kind in names.items() if kind == "l"]
            rules |= {below + name: stamp(start + below + name) for name in _RULES if name in names}
            inner += [below + name for name, kind in names.items() if kind == "d" and name != ".git"]
        others = [folder for folder in inner if folder not in holding]
        waiting = [folder for folder in inner if folder in holding]
        waiting += _not_ignored(root, others) if by_git else _walked(others)
    return Folders(folders, links, rules)


def _not_ignored(root: Path, folders: list[str]) -> list[str]:
    """Folders without a file of the tree into which one may yet come."""
    if not folders:
        return []
    asked = os.fsencode("\0".join(f"{folder}/" for folder in folders)) + b"\0"
    answer = git.run(git.find(root), "check-ignore", "-z", "--stdin", stdin=asked, accepted=(0, 1))
    ignored = set(os.fsdecode(answer).split("\0"))
    return [folder for folder in folders if f"{folder}/" not in ignored]


def _walked(folders: list[str]) -> list[str]:
    return [folder for folder in folders if folder.rpartition("/")[2] not in WALK_PAST]


def _holding(paths: Iterable[str]) -> set[str]:
    """The folders that hold files of the tree, at any depth."""
    found = {""}
    for path in paths:
        while (path := path.rpartition("/")[0]) not in found:
            found.add(path)
    return found

"""Stamps of every folder of a tree in which a new name could matter."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from crimes.incremental.stamps import (
    Changed,
    FileStamp,
    FolderStamp,
    has_same_folder_stamp,
    list_folder,
    names_digest,
    stamp,
)
from crimes.system import git
from crimes.system.tree_walk import SKIPPED_FOLDERS

_RULE_NAMES = (".gitignore", ".gitattributes")
RULE_FILES = frozenset(map(os.fsencode, _RULE_NAMES))


class Folders(NamedTuple):
    """The folders, the links in them, and the .gitignore and .gitattributes files in them."""

    folders: dict[bytes, FolderStamp]
    links: list[str]
    rules: dict[str, FileStamp | None]


def restamp_folders(start: str, before: Mapping[bytes, FolderStamp], taken: int) -> dict[bytes, FolderStamp]:
    """The present stamps of folders that hold the same names. Raises Changed or OSError."""
    folders: dict[bytes, FolderStamp] = {}
    for path, folder in before.items():
        place = start + os.fsdecode(path)
        if has_same_folder_stamp(os.lstat(place), folder, taken):
            folders[path] = folder
        else:
            folders[path] = _stamp_folder(place, list_folder(place))
            if folders[path].names != folder.names:
                raise Changed
    return folders


def _stamp_folder(place: str, names: dict[str, str]) -> FolderStamp:
    info = os.lstat(place)  # after the names were listed, so that a change in between shows
    return FolderStamp(info.st_mtime_ns, info.st_ctime_ns, info.st_ino, names_digest(names))


def stamp_folders(root: Path, paths: Iterable[str], *, by_git: bool) -> Folders:
    """Every folder as it is now. Raises OSError or Unavailable."""
    start = os.path.join(str(root), "")
    with_files = _folders_with_files(paths)
    folders: dict[bytes, FolderStamp] = {}
    links: list[str] = []
    rules: dict[str, FileStamp | None] = {}
    waiting = [""]
    while waiting:
        inner: list[str] = []
        for folder in waiting:
            names = list_folder(start + folder)
            folders[os.fsencode(folder)] = _stamp_folder(start + folder, names)
            if folder and ".git" in names and folder not in with_files:
                continue  # another repository: git does not enter it, unless it tracks files there
            below = f"{folder}/" if folder else ""
            links += [below + name for name, kind in names.items() if kind == "l"]
            rules |= {below + name: stamp(start + below + name) for name in _RULE_NAMES if name in names}
            inner += [below + name for name, kind in names.items() if kind == "d" and name != ".git"]
        others = [folder for folder in inner if folder not in with_files]
        waiting = [folder for folder in inner if folder in with_files]
        waiting += _not_ignored(root, others) if by_git else _without_skipped(others)
    return Folders(folders, links, rules)


def _not_ignored(root: Path, folders: list[str]) -> list[str]:
    """Folders that git does not ignore: a file of the tree may appear in them."""
    if not folders:
        return []
    stdin = os.fsencode("\0".join(f"{folder}/" for folder in folders)) + b"\0"
    answer = git.run(git.find(root), "check-ignore", "-z", "--stdin", stdin=stdin, accepted=(0, 1))
    ignored = set(os.fsdecode(answer).split("\0"))
    return [folder for folder in folders if f"{folder}/" not in ignored]


def _without_skipped(folders: list[str]) -> list[str]:
    return [folder for folder in folders if folder.rpartition("/")[2] not in SKIPPED_FOLDERS]


def _folders_with_files(paths: Iterable[str]) -> set[str]:
    """The folders that hold files of the tree, at any depth."""
    folders = {""}
    for path in paths:
        while (path := path.rpartition("/")[0]) not in folders:
            folders.add(path)
    return folders

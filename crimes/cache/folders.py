"""Every folder of a tree in which a new name could matter, as it is now."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from crimes import git
from crimes.cache.watch import Folder, Seen, list_folder, names_digest, watched
from crimes.listing import WALK_PAST

_DECIDES = frozenset({".gitignore", ".gitattributes"})


def take_folders(
    root: Path, paths: Iterable[str], *, by_git: bool
) -> tuple[dict[bytes, Folder], list[str], dict[str, Seen | None]]:
    """The folders, the links in them, and the files in them that say what is ignored. OSError or Unavailable."""
    start = os.path.join(str(root), "")
    holding = _holding(paths)
    folders: dict[bytes, Folder] = {}
    links: list[str] = []
    rules: dict[str, Seen | None] = {}
    waiting = [""]
    while waiting:
        inner: list[str] = []
        for folder in waiting:
            names = list_folder(start + folder)
            info = os.lstat(start + folder)  # after the names: what comes between makes a difference
            folders[os.fsencode(folder)] = Folder(
                info.st_mtime_ns, info.st_ctime_ns, info.st_ino, names_digest(names)
            )
            if folder and ".git" in names:
                continue  # another repository: git does not look into it
            below = f"{folder}/" if folder else ""
            links += [below + name for name, kind in names.items() if kind == "l"]
            rules |= {below + name: watched(start + below + name) for name in _DECIDES & names.keys()}
            inner += [below + name for name, kind in names.items() if kind == "d" and name != ".git"]
        others = [folder for folder in inner if folder not in holding]
        waiting = [folder for folder in inner if folder in holding]
        waiting += _not_ignored(root, others) if by_git else _walked(others)
    return folders, links, rules


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

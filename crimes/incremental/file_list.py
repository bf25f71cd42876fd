"""The tree of the last scan, when nothing in it can have changed but what is in its files.

Which files there are, and what for, follows from the names in its folders, from git's index, and from what says what is ignored.
While those are what they were, git need not be asked.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from crimes.config.loader import Config
from crimes.discovery.discover import BY_NAME, Tree
from crimes.incremental.folders import DECIDES, Folders, folders_again
from crimes.incremental.query import load, save
from crimes.incremental.scan_cache import ScanCache
from crimes.incremental.snapshot import Snapshot, enclosing_top, links_of
from crimes.incremental.stamps import Changed, FileStamp, has_same_stamp, restamp, stat_file
from crimes.model.repository import Skip, SourceFile

_NAME = "tree"


class _Told(Struct, array_like=True):
    """A tree, and what decides it besides what is on the disk."""

    snapshot: bytes  # the one that tells whether the tree still is like that
    asked: str
    files: tuple[SourceFile, ...]
    others: tuple[str, ...]  # names of what is not read
    skipped: tuple[Skip, ...]
    not_supported: dict[str, int]
    git: bool
    largest: int
    listing: bytes


class _Files(NamedTuple):
    """The files to read, and those of them that look as they did."""

    now: tuple[SourceFile, ...]
    unchanged: frozenset[str]


def keep_tree(kept: ScanCache, tree: Tree, config: Config, snapshot: Snapshot) -> None:
    """Keep the tree with the snapshot that tells whether it still is like that."""
    read = {file.path for file in tree.files}
    told = _Told(
        snapshot.id,
        _asked(config),
        tree.files,
        tuple(sorted(tree.paths - read)),
        tree.skipped,
        dict(tree.not_supported),
        tree.git,
        tree.largest,
        tree.listing,
    )
    save(kept, _NAME, told)


def recall_tree(root: Path, config: Config, kept: ScanCache) -> Tree | None:
    """The tree that `discover` would find, None where it has to look."""
    last = kept.last
    if last is None or not kept.recorder.decides_as(last):
        return None
    root = root.resolve()
    told: _Told | None = load(kept, _NAME, _Told)
    if told is None or (told.snapshot, told.asked) != (last.id, _asked(config)):
        return None
    if os.fsencode(enclosing_top(root)) != last.top:
        return None
    try:
        folders = _folders_of(root, last)
        files = _files_of(root, last, told, config.max_file_bytes)
    except (Changed, OSError):
        return None
    kept.recorder.folders = folders
    kept.unchanged = files.unchanged
    return Tree(
        root=root,
        files=files.now,
        paths=frozenset((*told.others, *(file.path for file in told.files))),
        skipped=told.skipped,
        not_supported=told.not_supported,
        git=told.git,
        warnings=(),
        largest=told.largest,
        listing=told.listing,
    )


def _asked(config: Config) -> str:
    """What a configuration says of files."""
    return repr((config.include, config.exclude, config.tests, config.max_file_bytes))


def _folders_of(root: Path, last: Snapshot) -> Folders:
    """The folders of the last scan. Raises Changed when the names in them, or the rules about them, are others."""
    start = os.path.join(str(root), "")
    rules = {
        os.fsdecode(path): restamp(start + os.fsdecode(path), seen, last.taken)
        for path, seen in last.files.items()
        if os.path.basename(path) in DECIDES
    }
    folders = folders_again(start, last.folders, last.taken)
    links = [os.fsdecode(path) for path in last.links]
    if links_of(root, links) != last.links:
        raise Changed
    return Folders(folders, links, rules)


def _files_of(root: Path, last: Snapshot, told: _Told, largest: int) -> _Files:
    """The files to read as they are now. Raises Changed when one no longer is to be read, or another one may be."""
    start = os.path.join(str(root), "")
    now: list[SourceFile] = []
    unchanged: set[str] = set()
    for source in told.files:
        seen = _same(start, source.path, last)
        if seen is None:
            info = os.lstat(start + source.path)
            if not stat.S_ISREG(info.st_mode) or info.st_size > largest:
                raise Changed
            size = info.st_size
        else:
            unchanged.add(source.path)
            size = seen.size
        now.append(source if size == source.size else replace(source, size=size))
    for skip in told.skipped:
        if skip.reason not in BY_NAME:
            restamp(start + skip.path, last.files.get(os.fsencode(skip.path)), last.taken)
    return _Files(tuple(now), frozenset(unchanged))


def _same(start: str, path: str, last: Snapshot) -> FileStamp | None:
    """How a file looks, if that is as it did in the last scan."""
    before, seen = last.files.get(os.fsencode(path)), stat_file(start + path)
    return seen if seen and before and has_same_stamp(seen, before, last.taken) else None

"""The tree of the last scan, reused while only the contents of its files can have changed.

Which files there are, and in which roles, follows from the names in the folders, git's index, and the ignore rules. While
those are the same, git need not be asked.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from crimes.config.schema import Config
from crimes.discovery.discover import REASONS_BY_NAME, Tree
from crimes.incremental.folders import RULE_FILES, Folders, restamp_folders
from crimes.incremental.query import load, save
from crimes.incremental.scan_cache import ScanCache
from crimes.incremental.snapshot import Snapshot, enclosing_top, links_of
from crimes.incremental.stamps import Changed, FileStamp, has_same_stamp, restamp, stat_file
from crimes.model.repository import Skip, SourceFile

_NAME = "tree"


class _CachedTree(Struct, array_like=True):
    """A tree, and what it depends on besides the disk."""

    snapshot: bytes  # the id of the one to compare the tree with
    options: str  # those that decide which files are read
    files: tuple[SourceFile, ...]
    others: tuple[str, ...]  # paths that are not read
    skipped: tuple[Skip, ...]
    not_supported: dict[str, int]
    git: bool
    max_bytes: int
    listing: bytes


class _Files(NamedTuple):
    """The files to read, and those of them with unchanged stamps."""

    current: tuple[SourceFile, ...]
    unchanged: frozenset[str]


def save_tree(cache: ScanCache, tree: Tree, config: Config, snapshot: Snapshot) -> None:
    """Save the tree with the snapshot that shows whether it is still valid."""
    read = {file.path for file in tree.files}
    cached = _CachedTree(
        snapshot=snapshot.id,
        options=_file_options(config),
        files=tree.files,
        others=tuple(sorted(tree.paths - read)),
        skipped=tree.skipped,
        not_supported=dict(tree.not_supported),
        git=tree.git,
        max_bytes=tree.max_bytes,
        listing=tree.listing,
    )
    save(cache, _NAME, cached)


def load_tree(root: Path, config: Config, cache: ScanCache, begun: int = 0) -> Tree | None:
    """The tree that `discover` would find, None where that has to run.

    Nothing is compared when a scan that began after `begun`, in nanoseconds, saved it.
    """
    last = cache.last
    is_fresh = last is not None and 0 < begun <= last.taken
    if last is None or not (is_fresh or cache.recorder.has_same_git_state(last)):
        return None
    root = root.resolve()
    cached: _CachedTree | None = load(cache, _NAME, _CachedTree)
    if cached is None or (cached.snapshot, cached.options) != (last.id, _file_options(config)):
        return None
    if os.fsencode(enclosing_top(root)) != last.top:
        return None
    if is_fresh:
        files = _Files(cached.files, frozenset(file.path for file in cached.files))
    else:
        try:
            cache.recorder.folders = _unchanged_folders(root, last)
            files = _current_files(root, last, cached, config.max_file_bytes)
        except (Changed, OSError):
            return None
    cache.unchanged = files.unchanged
    return Tree(
        root=root,
        files=files.current,
        paths=frozenset((*cached.others, *(file.path for file in cached.files))),
        skipped=cached.skipped,
        not_supported=cached.not_supported,
        git=cached.git,
        warnings=(),
        max_bytes=cached.max_bytes,
        listing=cached.listing,
    )


def _file_options(config: Config) -> str:
    """The settings that decide which files are read, and as what."""
    return repr((config.include, config.exclude, config.tests, config.max_file_bytes))


def _unchanged_folders(root: Path, last: Snapshot) -> Folders:
    """The folders of the last scan. Raises Changed when the names in them, or the ignore rules, differ."""
    start = os.path.join(str(root), "")
    rules = {
        os.fsdecode(path): restamp(start + os.fsdecode(path), before, last.taken)
        for path, before in last.files.items()
        if os.path.basename(path) in RULE_FILES
    }
    folders = restamp_folders(start, last.folders, last.taken)
    links = [os.fsdecode(path) for path in last.links]
    if links_of(root, links) != last.links:
        raise Changed
    return Folders(folders, links, rules)


def _current_files(root: Path, last: Snapshot, cached: _CachedTree, max_bytes: int) -> _Files:
    """The files to read as they are now. Raises Changed when one must not be read now, or a skipped one changed."""
    start = os.path.join(str(root), "")
    current: list[SourceFile] = []
    unchanged: set[str] = set()
    for source in cached.files:
        stamp = _unchanged_stamp(start, source.path, last)
        if stamp is None:
            info = os.lstat(start + source.path)
            if not stat.S_ISREG(info.st_mode) or info.st_size > max_bytes:
                raise Changed
            size = info.st_size
        else:
            unchanged.add(source.path)
            size = stamp.size
        current.append(source if size == source.size else replace(source, size=size))
    for skip in cached.skipped:
        if skip.reason not in REASONS_BY_NAME:
            restamp(start + skip.path, last.files.get(os.fsencode(skip.path)), last.taken)
    return _Files(tuple(current), frozenset(unchanged))


def _unchanged_stamp(start: str, path: str, last: Snapshot) -> FileStamp | None:
    """The stamp of a file, if it is the one of the last scan."""
    before, now = last.files.get(os.fsencode(path)), stat_file(start + path)
    return now if now and before and has_same_stamp(now, before, last.taken) else None

"""The tree as one scan saw it, as far as its report depends on it, and the comparison with the tree as it is.

Files are compared one by one. Folders and git's index show whether a name was added or removed. When only those differ,
git lists the files once more: most names that come and go in a folder are ignored.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

import msgspec
from msgspec import Struct

from crimes.incremental.stamps import Changed, FileStamp, FolderStamp, has_same_names, restamp


class Same(Enum):
    """The outcome of a comparison."""

    YES = "yes"
    NO = "no"
    ASK = "ask"  # the list of files may differ


class Snapshot(Struct, frozen=True, array_like=True):
    """Names are bytes: those below the root are relative to it, those elsewhere absolute."""

    id: bytes
    taken: int  # nanoseconds; a moment before anything was read
    top: bytes  # the folder that holds .git, empty without one
    files: dict[bytes, FileStamp | None]  # files that were read, and those that decide which are read
    folders: dict[bytes, FolderStamp]
    links: dict[bytes, bytes]  # where each leads, and to what
    elsewhere: dict[bytes, FileStamp | None]  # of git and its configuration, and above the root
    exact: dict[bytes, FileStamp | None]  # files whose time counts: coverage data
    index: FileStamp | None
    index_place: bytes
    listing: bytes  # a digest of the names git listed
    times_matter: bool  # coverage data are compared with the time of each file


_decoder = msgspec.msgpack.Decoder(Snapshot)


def encode(snapshot: Snapshot) -> bytes:
    return msgspec.msgpack.encode(snapshot)


def decode(data: bytes) -> Snapshot | None:
    """A snapshot, None when this program did not write the data."""
    try:
        return _decoder.decode(data)
    except msgspec.MsgspecError:
        return None


def compare(root: Path, snapshot: Snapshot) -> tuple[Same, Snapshot]:
    """Whether the tree is unchanged, and the snapshot with present stamps, except of folders and index."""
    start, taken, moment = os.path.join(str(root), ""), snapshot.taken, now()
    if os.fsencode(enclosing_top(root)) != snapshot.top:
        return Same.NO, snapshot
    name = os.fsdecode
    timed = snapshot.times_matter
    try:
        files = {
            path: restamp(start + name(path), before, taken, times_matter=timed)
            for path, before in snapshot.files.items()
        }
        elsewhere = {path: restamp(name(path), before, taken) for path, before in snapshot.elsewhere.items()}
        exact = {
            path: restamp(name(path), before, taken, times_matter=True)
            for path, before in snapshot.exact.items()
        }
    except Changed:
        return Same.NO, snapshot
    if not all(link_state(root, name(path)) == state for path, state in snapshot.links.items()):
        return Same.NO, snapshot
    # Files before folders: after an edit they already settle it.
    same_names = all(
        has_same_names(start + name(path), folder, taken) for path, folder in snapshot.folders.items()
    )
    if snapshot.index_place and same_names:
        try:
            restamp(name(snapshot.index_place), snapshot.index, taken)
        except Changed:
            same_names = False
    fresh = msgspec.structs.replace(snapshot, taken=moment, files=files, elsewhere=elsewhere, exact=exact)
    return (Same.YES if same_names else Same.ASK), fresh


def enclosing_top(root: Path) -> str:
    """The folder that holds the repository's .git, found as git would find it; empty without one."""
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            return str(folder)
    return ""


def link_state(root: Path, path: str) -> bytes:
    """Where a link leads in the end, and what is there."""
    target = os.path.realpath(os.path.join(root, path))
    if os.path.islink(target):
        kind = "l"
    elif os.path.isdir(target):
        kind = "d"
    else:
        kind = "f" if os.path.exists(target) else "-"
    return os.fsencode(f"{kind}{target}")


def links_of(root: Path, paths: Iterable[str]) -> dict[bytes, bytes]:
    return {os.fsencode(path): link_state(root, path) for path in paths}


def now() -> int:
    return time.time_ns()

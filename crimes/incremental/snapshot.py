"""A tree as one scan saw it, in so far as its report depends on it, and whether it still is like that.

Files are compared one by one. Folders tell whether a name was added or is gone; so does the index. When only those
differ, git is asked for its list once more: most of what comes and goes in a folder is ignored.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from enum import Enum
from pathlib import Path

import msgspec
from msgspec import Struct

from crimes.incremental.stamps import Changed, FileStamp, FolderStamp, folder_is_same, restamp


class Same(Enum):
    """The outcome of a comparison."""

    YES = "yes"
    NO = "no"
    ASK = "ask"  # the list of files may be another one


class Snapshot(Struct, frozen=True, array_like=True):
    """Names are bytes: those below the root are relative to it, those elsewhere absolute."""

    id: bytes
    taken: int  # nanoseconds; a moment before anything was looked at
    top: bytes  # the folder that holds .git, empty without one
    files: dict[bytes, FileStamp | None]  # what was read, and what decides what is read
    folders: dict[bytes, FolderStamp]
    links: dict[bytes, bytes]  # where each leads, and to what
    elsewhere: dict[bytes, FileStamp | None]  # of git and its configuration, and above the root
    exact: dict[bytes, FileStamp | None]  # files whose time counts: coverage data
    index: FileStamp | None
    index_place: bytes
    listing: bytes  # a digest of the names git listed
    times_matter: bool  # coverage data are held against the time of each file


_decoder = msgspec.msgpack.Decoder(Snapshot)


def encode(snapshot: Snapshot) -> bytes:
    return msgspec.msgpack.encode(snapshot)


def decode(data: bytes) -> Snapshot | None:
    """A snapshot, None when the data are none of this program's."""
    try:
        return _decoder.decode(data)
    except msgspec.MsgspecError:
        return None


def compare(root: Path, snapshot: Snapshot) -> tuple[Same, Snapshot]:
    """Whether the tree is what it was; and then the snapshot as of now, apart from folders and index."""
    start, taken, moment = os.path.join(str(root), ""), snapshot.taken, now()
    if os.fsencode(enclosing_top(root)) != snapshot.top:
        return Same.NO, snapshot
    name = os.fsdecode
    timed = snapshot.times_matter
    try:
        files = {
            path: restamp(start + name(path), seen, taken, times_matter=timed)
            for path, seen in snapshot.files.items()
        }
        elsewhere = {path: restamp(name(path), seen, taken) for path, seen in snapshot.elsewhere.items()}
        exact = {
            path: restamp(name(path), seen, taken, times_matter=True) for path, seen in snapshot.exact.items()
        }
    except Changed:
        return Same.NO, snapshot
    if not all(link_state(root, name(path)) == state for path, state in snapshot.links.items()):
        return Same.NO, snapshot
    # Files before folders: after an edit that is all there is to do.
    asks = not all(
        folder_is_same(start + name(path), folder, taken) for path, folder in snapshot.folders.items()
    )
    if snapshot.index_place and not asks:
        try:
            restamp(name(snapshot.index_place), snapshot.index, taken)
        except Changed:
            asks = True
    fresh = msgspec.structs.replace(snapshot, taken=moment, files=files, elsewhere=elsewhere, exact=exact)
    return (Same.ASK if asks else Same.YES), fresh


def enclosing_top(root: Path) -> str:
    """The folder that holds the repository's .git, found as git would find it; empty without one."""
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            return str(folder)
    return ""


def link_state(root: Path, path: str) -> bytes:
    """Where a link leads in the end, and what is there."""
    target = os.path.realpath(os.path.join(root, path))
    kind = (
        "l"
        if os.path.islink(target)
        else "d"
        if os.path.isdir(target)
        else "f"
        if os.path.exists(target)
        else "-"
    )
    return os.fsencode(f"{kind}{target}")


def links_of(root: Path, paths: Iterable[str]) -> dict[bytes, bytes]:
    return {os.fsencode(path): link_state(root, path) for path in paths}


def now() -> int:
    return time.time_ns()

"""The second look at a tree whose folders or index changed: whether git still lists the same names."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from crimes.discovery.discover import listing_of
from crimes.incremental.folders import take_folders
from crimes.incremental.snapshot import Snapshot, links_of
from crimes.incremental.stamps import stamp
from crimes.model.errors import Unavailable


def listed_again(root: Path, snapshot: Snapshot) -> Snapshot | None:
    """The snapshot with folders and index as they are now, None when the names or the links are not the same.

    Folders and index are looked at before git lists the names.
    """
    place = os.fsdecode(snapshot.index_place)
    index = stamp(place) if place else None
    try:
        folders, links, rules = take_folders(root, _names(snapshot), by_git=bool(place))
        if listing_of(root) != snapshot.listing:
            return None
    except (OSError, Unavailable):
        return None
    if {os.fsencode(path) for path in rules} - snapshot.files.keys() or links_of(
        root, links
    ) != snapshot.links:
        return None
    return msgspec.structs.replace(snapshot, folders=folders, index=index)


def _names(snapshot: Snapshot) -> list[str]:
    """Names in every folder that was known, so that only new folders are asked about."""
    return [os.path.join(os.fsdecode(folder), "_") for folder in snapshot.folders]

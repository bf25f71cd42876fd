"""The second check of a tree whose folders or index changed: whether git still lists the same names."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from crimes.discovery.discover import listing_of
from crimes.incremental.folders import stamp_folders
from crimes.incremental.snapshot import Snapshot, links_of
from crimes.incremental.stamps import stamp
from crimes.model.errors import Unavailable


def relist(root: Path, snapshot: Snapshot) -> Snapshot | None:
    """The snapshot with folders and index as they are now, None when the names or the links are not the same.

    Folders and index are stamped before git lists the names.
    """
    place = os.fsdecode(snapshot.index_place)
    index = stamp(place) if place else None
    try:
        folders, links, rules = stamp_folders(root, _names(snapshot), by_git=bool(place))
        if listing_of(root) != snapshot.listing:
            return None
    except (OSError, Unavailable):
        return None
    new_rules = {os.fsencode(path) for path in rules} - snapshot.files.keys()
    if new_rules or links_of(root, links) != snapshot.links:
        return None
    return msgspec.structs.replace(snapshot, folders=folders, index=index)


def _names(snapshot: Snapshot) -> list[str]:
    """A name in every known folder, so that git is asked about new folders only."""
    return [os.path.join(os.fsdecode(folder), "_") for folder in snapshot.folders]

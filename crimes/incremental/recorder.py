"""Notes during a scan what its report depends on, and makes a snapshot of it in the end.

What decides the configuration and git's answers is looked at before anything is asked. A file is looked at before it is
read. Folders are looked at in the end; if one may have changed since the beginning, the list of names must still be
the one the scan went by.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from crimes.discovery.discover import Tree, listing_of
from crimes.incremental.folders import Folders, take_folders
from crimes.incremental.git_state import FAULTS, files_to_watch, index_of
from crimes.incremental.snapshot import Snapshot, enclosing_top, links_of, now
from crimes.incremental.stamps import RACY, Changed, FileStamp, FolderStamp, stamp, stat_file, with_digest
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.system import git

_CONFIGURATION = ("crimes.toml", "pyproject.toml")


class Recorder:
    """Made before the configuration is read; `exact` names files whose very times count."""

    def __init__(self, root: Path, exact: Iterable[str]) -> None:
        self.taken = now()
        self._root = root
        self._start = os.path.join(str(root), "")
        self._exact = {os.fsencode(path): stamp(path) for path in exact}
        self.files: dict[str, FileStamp | None] = {name: stamp(self._start + name) for name in _CONFIGURATION}
        self._elsewhere: dict[bytes, FileStamp | None] = {}
        self._index: FileStamp | None = None
        self._index_place = ""
        self._usable = True
        # As they were when the scan began, where its list of names is theirs.
        self.folders: Folders | None = None
        try:
            tree = git.find(root)
        except Unavailable:
            return
        try:
            self._index_place = index_of(tree)
            self._index = stamp(self._index_place)
            self._elsewhere = {os.fsencode(path): stamp(path) for path in files_to_watch(tree)}
        except FAULTS:
            self._usable = False

    def decides_as(self, last: Snapshot) -> bool:
        """Whether git's index and all that decides git's answers has the content it had in the last scan."""
        return (
            self._usable
            and os.fsencode(self._index_place) == last.index_place
            and _is_same(self._index, last.index)
            and all(
                path in last.elsewhere and _is_same(seen, last.elsewhere[path])
                for path, seen in self._elsewhere.items()
            )
        )

    def watch(self, elsewhere: Iterable[str]) -> None:
        """Note files that were read before now, wherever they are."""
        looked_at = {os.fsencode(path): stamp(path) for path in elsewhere}
        if self._is_fresh([seen for seen in looked_at.values() if seen]):
            self.doubt()
        self._elsewhere |= looked_at

    def doubt(self) -> None:
        """Something went wrong that may go right the next time: there shall be no snapshot."""
        self._usable = False

    def reading(self, read: Callable[[str], bytes]) -> Callable[[str], bytes]:
        """The same reader, with every file it is asked for noted down."""

        def noting(path: str) -> bytes:
            if path in self.files:
                return read(path)
            before = stat_file(self._start + path)
            try:
                content = read(path)
            except OSError:
                self.files[path] = before
                raise
            self.files[path] = before and with_digest(before, digest_of(content))
            return content

        return noting

    def snapshot(self, tree: Tree, timed: Iterable[str] | None) -> Snapshot | None:
        """The tree as it was seen, None when it cannot be told. `timed`: files whose time was held against coverage data."""
        if not self._usable or tree.warnings:
            return None
        try:
            folders, links, rules = self.folders or self._taken_folders(tree)
        except (OSError, Unavailable, Changed):
            return None
        files = rules | self.files
        for path in (skip.path for skip in tree.skipped if skip.path in tree.paths):
            files.setdefault(
                path, stamp(self._start + path)
            )  # one that is too large may be smaller next time
            if (seen := files[path]) and seen.changed >= self.taken:
                return None
        for path in timed or ():
            files.setdefault(path, stamp(self._start + path))
        return Snapshot(
            id=os.urandom(16),
            taken=self.taken,
            top=os.fsencode(enclosing_top(self._root)),
            files={os.fsencode(path): seen for path, seen in files.items()},
            folders=folders,
            links=links_of(self._root, links),
            elsewhere=self._elsewhere,
            exact=self._exact,
            index=self._index,
            index_place=os.fsencode(self._index_place),
            listing=tree.listing,
            times_matter=timed is not None,
        )

    def _taken_folders(self, tree: Tree) -> Folders:
        """The folders as they are now; raises Changed when the names may be others than those of the tree."""
        taken = take_folders(self._root, tree.paths, by_git=tree.git)
        looked_at: list[FileStamp | FolderStamp] = [
            *taken.folders.values(),
            *filter(None, taken.rules.values()),
        ]
        if self._is_fresh(looked_at) and listing_of(self._root) != tree.listing:
            raise Changed
        roles = [seen for path, seen in taken.rules.items() if seen and path.endswith(".gitattributes")]
        if self._is_fresh(roles):
            raise Changed
        return taken

    def _is_fresh(self, looked_at: Sequence[FileStamp | FolderStamp]) -> bool:
        """Whether one of those that were looked at in the end may have changed since the beginning."""
        return any(max(one.changed, one.status_changed) >= self.taken - RACY for one in looked_at)


def _is_same(now: FileStamp | None, before: FileStamp | None) -> bool:
    """Whether the content is; of what is too large to be compared nobody knows."""
    if now is None or before is None:
        return now is before
    return bool(now.digest) and now.digest == before.digest

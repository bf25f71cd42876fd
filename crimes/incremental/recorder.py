"""Records during a scan what its report depends on, for a snapshot at the end.

Files that decide the configuration and git's answers are stamped before they are used, every other file before it is
read. Folders are stamped at the end; if one may have changed since the start, the list of names must still be the one
the scan used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from crimes.discovery.discover import Tree, listing_of
from crimes.incremental.folders import Folders, stamp_folders
from crimes.incremental.git_state import FAULTS, files_to_watch, index_of
from crimes.incremental.snapshot import Snapshot, enclosing_top, links_of, now
from crimes.incremental.stamps import RACY_NS, Changed, FileStamp, FolderStamp, stamp, stat_file, with_digest
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.system import git

_CONFIGURATION = ("crimes.toml", "pyproject.toml")


class Recorder:
    """Created before the configuration is read; `exact` names files whose exact times count.

    Git is looked at now, or on demand for who compares and takes no snapshot: it takes a process.
    """

    def __init__(self, root: Path, exact: Iterable[str], *, for_snapshot: bool = True) -> None:
        self.taken = now()
        self._root = root
        self._start = os.path.join(str(root), "")
        self._exact = {os.fsencode(path): stamp(path) for path in exact}
        self.files: dict[str, FileStamp | None] = {name: stamp(self._start + name) for name in _CONFIGURATION}
        self._elsewhere: dict[bytes, FileStamp | None] = {}
        self._index: FileStamp | None = None
        self._index_place = ""
        self._usable = True
        # As they were when the scan began, if its list of names came from the cache.
        self.folders: Folders | None = None
        self._has_looked_at_git = False
        if for_snapshot:
            self._look_at_git()

    def _look_at_git(self) -> None:
        """Stamp git's index and the files that decide git's answers, once."""
        if self._has_looked_at_git:
            return
        self._has_looked_at_git = True
        try:
            tree = git.find(self._root)
        except Unavailable:
            return
        try:
            self._index_place = index_of(tree)
            self._index = stamp(self._index_place)
            self._elsewhere = {os.fsencode(path): stamp(path) for path in files_to_watch(tree)}
        except FAULTS:
            self._usable = False

    def has_same_git_state(self, last: Snapshot) -> bool:
        """Whether git's index and the files that decide git's answers have the contents of the last scan."""
        self._look_at_git()
        return (
            self._usable
            and os.fsencode(self._index_place) == last.index_place
            and _is_same(self._index, last.index)
            and all(
                path in last.elsewhere and _is_same(current, last.elsewhere[path])
                for path, current in self._elsewhere.items()
            )
        )

    def watch(self, elsewhere: Iterable[str]) -> None:
        """Record files that were read before now, wherever they are."""
        stamps = {os.fsencode(path): stamp(path) for path in elsewhere}
        if self._is_fresh([current for current in stamps.values() if current]):
            self.invalidate()
        self._elsewhere |= stamps

    def invalidate(self) -> None:
        """Give up the snapshot: something failed that may succeed next time."""
        self._usable = False

    def recording_reader(self, read: Callable[[str], bytes]) -> Callable[[str], bytes]:
        """The same reader, recording every file it reads."""

        def read_and_record(path: str) -> bytes:
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

        return read_and_record

    def snapshot(self, tree: Tree, timed: Iterable[str] | None) -> Snapshot | None:
        """The snapshot, None when it would not be reliable. `timed`: files whose time was compared with coverage data."""
        if not self._usable or not self._has_looked_at_git or tree.warnings:
            return None
        try:
            folders, links, rules = self.folders or self._stamp_folders(tree)
        except (OSError, Unavailable, Changed):
            return None
        files = rules | self.files
        for path in (skip.path for skip in tree.skipped if skip.path in tree.paths):
            files.setdefault(path, stamp(self._start + path))  # a file that is too large may shrink
            if (current := files[path]) and current.mtime_ns >= self.taken:
                return None
        for path in timed or ():
            files.setdefault(path, stamp(self._start + path))
        return Snapshot(
            id=os.urandom(16),
            taken=self.taken,
            top=os.fsencode(enclosing_top(self._root)),
            files={os.fsencode(path): before for path, before in files.items()},
            folders=folders,
            links=links_of(self._root, links),
            elsewhere=self._elsewhere,
            exact=self._exact,
            index=self._index,
            index_place=os.fsencode(self._index_place),
            listing=tree.listing,
            times_matter=timed is not None,
        )

    def _stamp_folders(self, tree: Tree) -> Folders:
        """The folders as they are now; raises Changed when their names may differ from those of the tree."""
        folders = stamp_folders(self._root, tree.paths, by_git=tree.git)
        is_fresh = self._is_fresh([*folders.folders.values(), *filter(None, folders.rules.values())])
        if is_fresh and listing_of(self._root) != tree.listing:
            raise Changed
        roles = [rule for path, rule in folders.rules.items() if rule and path.endswith(".gitattributes")]
        if self._is_fresh(roles):
            raise Changed
        return folders

    def _is_fresh(self, stamps: Sequence[FileStamp | FolderStamp]) -> bool:
        """Whether one of these, stamped at the end, may have changed since the start."""
        return any(max(item.mtime_ns, item.ctime_ns) >= self.taken - RACY_NS for item in stamps)


def _is_same(current: FileStamp | None, before: FileStamp | None) -> bool:
    """Whether the content is the same; False for a file too large to compare."""
    if current is None or before is None:
        return current is before
    return bool(current.digest) and current.digest == before.digest

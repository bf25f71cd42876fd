"""The two states of a change, linked. Only files that differ from the work tree are read from git: the rest is read once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from crimes.analyses.change.lost_names import ChangedFile, Changes
from crimes.analyses.change.state import State
from crimes.config.schema import Config
from crimes.discovery.discover import Tree, discover
from crimes.discovery.overlaid import discover_part
from crimes.engine.read_files import read_all
from crimes.engine.scan_commit import names_differing
from crimes.incremental.file_list import load_tree
from crimes.incremental.recorder import Recorder
from crimes.incremental.scan_cache import ScanCache
from crimes.languages import by_id
from crimes.languages.linking.link import files_with_facts
from crimes.model.errors import EnvironmentFault
from crimes.model.facts import FileFacts
from crimes.system import git
from crimes.system.commit_checkout import partial_checkout
from crimes.system.git_diff import Change, untracked_files
from crimes.system.workers import no_progress


class ChangeStates:
    """Both states of a change: `head` is a commit, or empty for the work tree. A context: temporary files are removed."""

    def __init__(
        self,
        root: Path,
        config: Config,
        cache: ScanCache,
        base: str,
        head: str,
        changes: Iterable[Change],
        untracked: frozenset[str] | None = None,
        begun: int = 0,
    ) -> None:
        self._root, self._config, self._cache = root.resolve(), config, cache
        self._base, self._head = base, head
        self._differing = tuple(changes)
        self._listed_untracked = untracked  # None: git has to be asked
        self._begun = begun  # a scan since then saw the work tree as it is, in nanoseconds
        self._stack = ExitStack()

    def __enter__(self) -> ChangeStates:
        return self

    def __exit__(self, *fault: object) -> None:
        self._stack.close()
        self._cache.cache.write()  # facts that were read here: the next comparison need not
        self._cache.cache.close()

    @cached_property
    def changes(self) -> Changes:
        """The files that differ, with their names in both states."""
        there, here = self.changed_before.paths, self.changed_after.paths
        files = []
        for change in self._differing:
            old = change.old if change.old in there else ""
            new = change.path if change.path in here and not change.deleted else ""
            files.append(ChangedFile(old, new))
        listed = {name for change in self._differing for name in (change.old, change.path)}
        files += [ChangedFile("", path) for path in sorted(self._untracked - listed)]
        return Changes(tuple(file for file in files if file.old or file.new))

    @cached_property
    def changed_before(self) -> State:
        """The changed files alone, as they were."""
        return self._part(self._base, self._names)

    @cached_property
    def changed_after(self) -> State:
        """The changed files alone, as they are now."""
        if self._head:
            return self._part(self._head, self._names)
        names = self._names & self._work_tree.paths
        files = tuple(file for file in self._work_tree.files if file.path in names)
        tree = self._closed_later(replace(self._work_tree, files=files))
        return self._state(tree, self._read_facts(tree, self._cache), frozenset(names))

    @cached_property
    def before(self) -> State:
        """The whole earlier state."""
        return self._whole(self._base)

    @cached_property
    def after(self) -> State:
        """The whole later state."""
        if self._head:
            return self._whole(self._head)
        return self._state(self._work_tree, self._facts, self._work_tree.paths)

    @cached_property
    def _names(self) -> frozenset[str]:
        names = {name for change in self._differing for name in (change.old, change.path)}
        return frozenset(names | self._untracked)

    @cached_property
    def _untracked(self) -> frozenset[str]:
        if self._head:
            return frozenset()
        if self._listed_untracked is not None:
            return self._listed_untracked
        with git.unavailable_as(EnvironmentFault, "files cannot be listed"):
            return frozenset(untracked_files(self._root))

    @cached_property
    def _work_tree(self) -> Tree:
        known = load_tree(self._root, self._config, self._cache, self._begun)
        return self._closed_later(known or discover(self._root, self._config, by_id))

    def _closed_later(self, tree: Tree) -> Tree:
        """The tree, whose folder is no longer open when this context ends: a server has many of them."""
        self._stack.callback(tree.close)
        return tree

    @cached_property
    def _facts(self) -> dict[str, FileFacts]:
        return self._read_facts(self._work_tree, self._cache)

    def _read_facts(self, tree: Tree, cache: ScanCache) -> dict[str, FileFacts]:
        return read_all(tree, no_progress, cache, isolated=True)[0]

    def _state(self, tree: Tree, facts: dict[str, FileFacts], paths: frozenset[str]) -> State:
        files = files_with_facts(tree.files, facts)
        return State(files, paths, tree.read, self._config.roots)

    def _part(self, commit: str, names: Collection[str]) -> State:
        tree, facts = self._read_part(commit, names)
        return self._state(tree, facts, tree.paths)

    def _read_part(self, commit: str, names: Collection[str]) -> tuple[Tree, dict[str, FileFacts]]:
        """Some files of a commit, with their facts."""
        with git.unavailable_as(EnvironmentFault, f"{commit[:12]} cannot be read"):
            folder = self._stack.enter_context(partial_checkout(self._root, commit, names))
        tree = self._closed_later(discover_part(folder, self._work_tree.paths, self._config, by_id))
        cache = replace(
            self._cache,
            recorder=Recorder(folder, (), for_snapshot=False),
            last=None,
            unchanged=None,
            contents={},
        )
        return tree, self._read_facts(tree, cache)

    def _whole(self, commit: str) -> State:
        """A commit: the work tree, with what differs from it taken from git."""
        names = self._names if not self._head else self._names_differing_from(commit)
        part, part_facts = self._read_part(commit, names)
        work = self._work_tree
        kept = [file for file in work.files if file.path not in names]
        facts = {file.path: self._facts[file.path] for file in kept if file.path in self._facts}

        def read(path: str) -> bytes:
            return (part if path in names else work).read(path)

        return State(
            files_with_facts([*kept, *part.files], {**facts, **part_facts}),
            (work.paths - names) | part.paths,
            read,
            self._config.roots,
        )

    def _names_differing_from(self, commit: str) -> frozenset[str]:
        """Names of files, at a commit or in the work tree, that are not the same in both."""
        with git.unavailable_as(EnvironmentFault, f"{commit[:12]} cannot be compared"):
            return names_differing(self._root, commit)

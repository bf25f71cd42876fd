"""Which files there are, and which of them to read. Ignore rules and links end here.

Names come from git where there is a work tree, else from a walk. Nothing outside the root is ever opened:
links are listed and not followed, special files are refused, and every read checks again.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from crimes.config.schema import Config
from crimes.discovery.roles import ATTRIBUTES, licensed_folders, role_of
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable, UsageError
from crimes.model.facts import Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import Skip, SourceFile
from crimes.system import git
from crimes.system.safe_files import MAX_READ_BYTES, SafeReader, is_inside, read_inside
from crimes.system.tree_walk import TreeEntry, walk

if TYPE_CHECKING:
    from crimes.languages.spec import Language

_LINKED, _DELETED = "inside a linked folder", "deleted"
_SUBMODULE, _REPOSITORY, _SPARSE = "submodule", "another git repository", "not checked out"
# Reasons to skip that follow from names and git's index alone, whatever the file holds.
REASONS_BY_NAME = frozenset({_LINKED, _DELETED, _SUBMODULE, _REPOSITORY, _SPARSE})
EXTENSION = regex(r"\.[a-z0-9_+-]{1,12}$")


class Tree(Struct, frozen=True, dict=True):
    """The files of one repository: `files` are read, `paths` is every file there is, links included."""

    root: Path  # resolved
    files: tuple[SourceFile, ...]
    paths: frozenset[str]
    skipped: tuple[Skip, ...]
    not_supported: Mapping[str, int]  # files of no supported language, by extension
    git: bool  # whether git listed the files
    warnings: tuple[str, ...]
    max_bytes: int = MAX_READ_BYTES
    listing: bytes = b""  # a digest of the names as they were listed

    def read(self, path: str) -> bytes:
        """The bytes of a file. OSError when it is gone, unreadable, a link, too large, or no regular file."""
        return self._inside.read(path, self.max_bytes)

    def close(self) -> None:
        """Release open files until the next read: a tree may live as long as the process."""
        self._inside.close()

    @cached_property
    def _inside(self) -> SafeReader:
        return SafeReader(self.root)


class Candidate(NamedTuple):
    """A file that will be read."""

    path: str
    language: Language
    size: int


class PathStatus(NamedTuple):
    """What is on the disk under a listed name. `reason` is empty for a regular file."""

    reason: str = ""
    size: int = 0
    exists: bool = True
    stands_alone: bool = False  # report it whatever its name: a whole folder is missing


def discover(root: Path, config: Config, languages: Mapping[str, Language]) -> Tree:
    """List a tree and decide, file by file, what is read and what is not."""
    root = root.resolve()
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder")
    work_tree, listed, warnings = list_names(root)
    sorter = Sorter(root, config, languages, extensions_of(languages, (entry.path for entry in listed)))
    for entry in listed:
        sorter.add(entry)
    attributes: Mapping[str, Mapping[str, bool]] = {}
    if work_tree is not None and has_attributes(work_tree, sorter.paths):
        try:
            attributes = read_attributes(work_tree, [candidate.path for candidate in sorter.candidates])
        except Unavailable as reason:
            warnings = (*warnings, f".gitattributes was not read: {reason}")
    listing = _listing_digest(root, listed, sorter.paths)
    is_listed = work_tree is not None
    return build_tree(root, [sorter], config, attributes, git=is_listed, warnings=warnings, listing=listing)


def build_tree(
    root: Path,
    sorters: Sequence[Sorter],
    config: Config,
    attributes: Mapping[str, Mapping[str, bool]],
    *,
    git: bool,
    warnings: tuple[str, ...] = (),
    listing: bytes = b"",
) -> Tree:
    """The tree of what was sorted."""
    paths = frozenset(path for sorter in sorters for path in sorter.paths)
    is_test, copied = _matcher(config.tests), licensed_folders(paths)
    not_supported: Counter[str] = Counter()
    for sorter in sorters:
        not_supported.update(sorter.not_supported)

    def role(candidate: Candidate) -> Role:
        known = attributes.get(candidate.path, {})
        return role_of(candidate.path, candidate.language, is_test, known, copied)

    def is_own(candidate: Candidate) -> bool:
        return attributes.get(candidate.path, {}).get("linguist-vendored") is False

    files = [
        SourceFile(
            candidate.path, candidate.language.id, role(candidate), candidate.size, own=is_own(candidate)
        )
        for sorter in sorters
        for candidate in sorter.candidates
    ]
    skipped = [skip for sorter in sorters for skip in sorter.skipped]
    skipped += [
        Skip(candidate.path, f"larger than {config.max_file_bytes} bytes", role(candidate) is Role.SOURCE)
        for sorter in sorters
        for candidate in sorter.too_large
    ]
    return Tree(
        root=root,
        files=tuple(sorted(files, key=lambda file: file.path)),
        paths=paths,
        skipped=tuple(sorted(skipped, key=lambda skip: skip.path)),
        not_supported=dict(sorted(not_supported.items())),
        git=git,
        warnings=warnings,
        max_bytes=max(MAX_READ_BYTES, config.max_file_bytes),
        listing=listing,
    )


def listing_of(root: Path) -> bytes:
    """The digest that `Tree.listing` would have now. Unavailable where git refuses to list."""
    _, listed, warnings = list_names(root.resolve())
    if warnings:
        raise Unavailable(warnings[0])
    return _listing_digest(root.resolve(), listed)


def _listing_digest(root: Path, listed: list[TreeEntry], existing: Collection[str] = ()) -> bytes:
    """A digest of the names, with those that git tracks but that do not exist marked. `existing` are known to."""
    start = os.path.join(root, "")
    names = sorted(
        f"{path}\0{reason}\0{path not in existing and not os.path.lexists(start + path)}"
        for path, reason in listed
    )
    return digest_of(os.fsencode("\0".join(names)))


def extensions_of(languages: Mapping[str, Language], paths: Iterable[str]) -> dict[str, Language]:
    """The language of each extension. One that several share goes to the one with the most files of its own."""
    by_extension = {end: language for language in languages.values() for end in language.extensions}
    sharing: dict[str, list[Language]] = {}
    for language in languages.values():
        for extension in language.shared_extensions:
            sharing.setdefault(extension, []).append(language)
    if sharing:
        counts = Counter(os.path.splitext(path)[1].lower() for path in paths)
        for extension, candidates in sharing.items():
            by_extension[extension] = max(
                candidates,
                key=lambda language: (sum(counts[own] for own in language.extensions), language.id),
            )
    return by_extension


def _matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    if not patterns:
        return lambda path: False
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns).match_file


class Sorter:
    """Sorts listed names into files to read, skipped ones and unsupported ones."""

    def __init__(
        self,
        root: Path,
        config: Config,
        languages: Mapping[str, Language],
        extensions: Mapping[str, Language],
    ) -> None:
        self.candidates: list[Candidate] = []
        self.too_large: list[Candidate] = []
        self.paths: set[str] = set()
        self.skipped: list[Skip] = []
        self.not_supported: Counter[str] = Counter()
        self._root = root
        self._start = os.path.join(root, "")
        self._max_bytes = config.max_file_bytes
        self._included = _matcher(config.include) if config.include else lambda path: True
        self._excluded = _matcher(config.exclude)
        self._by_extension = extensions
        self._by_name = {name: language for language in languages.values() for name in language.file_names}
        self._real_folders = {"": True}  # the root is resolved

    def add(self, listed: TreeEntry) -> None:
        path = listed.path
        name = path.rpartition("/")[2]
        dot = name.rfind(".")
        extension = name[dot:].lower() if dot > 0 else ""
        language = self._by_name.get(name)
        if language is None:
            language = self._by_extension.get(extension)
            if language is not None and not language.reads(path):
                language = None
        status = self._status(listed)
        if status.exists:
            self.paths.add(path)
        if self._excluded(path) or (status.stands_alone and self._excluded(path + "/")):
            return
        if status.reason:
            if status.stands_alone or (language is not None and self._included(path)):
                self.skipped.append(Skip(path, status.reason))
        elif language is None:
            self.not_supported[extension if EXTENSION.match(extension) else "(other)"] += 1
        elif self._included(path):
            candidate = Candidate(path, language, status.size)
            (self.too_large if status.size > self._max_bytes else self.candidates).append(candidate)

    def _status(self, listed: TreeEntry) -> PathStatus:
        path = listed.path
        if listed.reason:
            return PathStatus(listed.reason, exists=False, stands_alone=True)
        if not self._in_real_folder(path):
            return PathStatus(_LINKED, exists=False)
        try:
            info = os.lstat(self._start + path)
        except (FileNotFoundError, NotADirectoryError):
            return PathStatus(_DELETED, exists=False)
        except OSError as error:
            return PathStatus(error.strerror or "cannot be read", exists=False)
        if stat.S_ISREG(info.st_mode):
            return PathStatus(size=info.st_size)
        if stat.S_ISLNK(info.st_mode):
            return self._link_status(path)
        return PathStatus("not a regular file", exists=False)

    def _in_real_folder(self, path: str) -> bool:
        """Whether no folder of the path is a link or leads upwards; whether they exist, the check of the file shows."""
        folder = path.rpartition("/")[0]
        known = self._real_folders
        if folder not in known:
            names = folder.split("/")
            for count in range(1, len(names) + 1):  # each folder is checked once
                part = "/".join(names[:count])
                if part not in known:
                    known[part] = names[count - 1] not in ("", ".", "..") and not os.path.islink(
                        self._start + part
                    )
                if not known[part]:
                    known[folder] = False
                    break
        return known[folder]

    def _link_status(self, path: str) -> PathStatus:
        target = os.path.realpath(os.path.join(self._root, path))
        if not is_inside(self._root, target):
            return PathStatus("link out of the repository", stands_alone=True)
        inside = os.path.relpath(target, self._root).replace(os.sep, "/")
        if os.path.islink(target) or not os.path.exists(target):
            return PathStatus("broken link")
        if os.path.isdir(target):
            return PathStatus(f"link to the folder {inside}", stands_alone=True)
        return PathStatus(f"link to {inside}, which is read instead")


def list_names(root: Path) -> tuple[git.WorkTree | None, list[TreeEntry], tuple[str, ...]]:
    """All names: git's list where git works, else a walk. A `.git` that git refuses gives a warning."""
    try:
        work_tree = git.find(root)
    except Unavailable:
        return None, list(walk(root, lambda path: read_inside(root, path))), ()
    try:
        listed = _list_by_git(work_tree)
        if listed or not _is_ignored(work_tree):
            return work_tree, listed, ()
        reason = "git ignores this folder"  # the user named this folder, so read it anyway
    except Unavailable as failure:
        reason = str(failure)
    listed = list(walk(root, lambda path: read_inside(root, path)))
    return None, listed, (f"files were listed without git: {reason}",)


def _is_ignored(work_tree: git.WorkTree) -> bool:
    """Whether git leaves the folder itself out."""
    return bool(work_tree.prefix) and bool(git.run(work_tree, "check-ignore", "--", ".", accepted=(0, 1)))


def _list_by_git(work_tree: git.WorkTree) -> list[TreeEntry]:
    output = git.run(work_tree, "ls-files", "-z", "-t", "-s", "--cached", "--others", "--exclude-standard")
    listed: dict[str, TreeEntry] = {}  # an unmerged file is listed once per stage
    for record in os.fsdecode(output).split("\0"):
        if record.startswith("? "):
            path = record[2:]
            listed[path] = TreeEntry(path[:-1], _REPOSITORY) if path.endswith("/") else TreeEntry(path)
        elif record:
            head, _, path = record.partition("\t")
            tag, mode, *_ = head.split(" ")
            listed[path] = TreeEntry(path, _SUBMODULE if mode == "160000" else "")
            if tag == "S" and not os.path.lexists(os.path.join(work_tree.root, path)):
                listed[path] = TreeEntry(path, _SPARSE)
    return list(listed.values())


def has_attributes(work_tree: git.WorkTree, paths: set[str]) -> bool:
    """Whether any .gitattributes mentions roles: only then is git asked about every file, which takes time."""
    prefix = os.fsdecode(work_tree.prefix)
    above = prefix.split("/")[:-1]
    names = ["/".join([*above[:depth], ".gitattributes"]) for depth in range(len(above))]
    names += [prefix + path for path in paths if path.endswith(".gitattributes")]
    return any(_mentions_roles(work_tree.top, name) for name in names)


def _mentions_roles(top: Path, name: str) -> bool:
    try:
        text = read_inside(top, name)
        return any(attribute.encode() in text for attribute in ATTRIBUTES)
    except OSError:
        return False  # git, too, goes on without an attributes file it cannot read


def read_attributes(work_tree: git.WorkTree, paths: list[str]) -> Mapping[str, Mapping[str, bool]]:
    """The linguist attributes of files that have any: True when set, False when unset."""
    stdin = os.fsencode("\0".join(paths))
    output = git.run(work_tree, "check-attr", "--stdin", "-z", *ATTRIBUTES, stdin=stdin)
    fields = iter(os.fsdecode(output).split("\0"))
    values = {"set": True, "true": True, "unset": False, "false": False}
    attributes: dict[str, dict[str, bool]] = {}
    for path, name, value in zip(fields, fields, fields, strict=False):
        if value in values:
            attributes.setdefault(path, {})[name] = values[value]
    return attributes

"""A commit laid out in a temporary folder with its own history, for a scan that sees the tree as it was.

The folder is a work tree with a git directory of its own, which borrows the objects of the repository and takes
over none of its settings. The repository, its index and its work tree are not touched.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from crimes.model.errors import EnvironmentFault, Unavailable
from crimes.system import git
from crimes.system.git_objects import MAX_BLOB_BYTES, Blob, commit_of, tree_at

MAX_TREE_BYTES = 8_000_000_000


@contextmanager
def temporary_checkout(root: Path, revision: str, max_bytes: int = MAX_BLOB_BYTES) -> Iterator[Path]:
    """A folder with `root` as it was at a revision, removed afterwards. A file over `max_bytes` is all holes.

    Unavailable when git cannot give the tree, EnvironmentFault when the disk cannot take it.
    """
    tree = git.find(root)
    commit = commit_of(tree, revision)
    with tempfile.TemporaryDirectory(prefix="crimes-", ignore_cleanup_errors=True) as folder:
        top = Path(folder).resolve() / (tree.top.name or "root")
        try:
            top.mkdir()
            _write_files(top, tree_at(tree, commit, max_bytes))
            _borrow_history(tree, top, commit)
            checkout = top / os.fsdecode(tree.prefix)
            checkout.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentFault(f"cannot check out {commit[:12]} in {folder}: {error.strerror}") from error
        yield checkout


@contextmanager
def temporary_files(root: Path, revision: str, names: Collection[str]) -> Iterator[Path]:
    """A folder that holds these files of `root` as they were at a revision, removed afterwards.

    What was not there, or was no plain file, is left out. EnvironmentFault when git cannot give the revision.
    """
    with tempfile.TemporaryDirectory(prefix="crimes-") as folder:
        with git.unavailable_as(EnvironmentFault, f"{revision[:40]} cannot be read"):
            tree = git.find(root)
            listing = git.run(tree, "ls-tree", "-z", commit_of(tree, revision), "--", *names)
            for entry in filter(None, listing.split(b"\0")):
                head, _, name = entry.partition(b"\t")
                mode, _, object_ = head.decode("ascii").split()
                target = Path(folder, os.fsdecode(name))
                if mode.startswith("100") and os.fsdecode(name) in names:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(git.run(tree, "cat-file", "blob", object_))
        yield Path(folder)


@contextmanager
def bare_checkout(root: Path, commit: str) -> Iterator[Path]:
    """A folder that has the name of `root` and the history up to a commit, and no files; removed afterwards.

    Unavailable when git cannot give the commit, EnvironmentFault when the disk cannot take it.
    """
    tree = git.find(root)
    with tempfile.TemporaryDirectory(prefix="crimes-", ignore_cleanup_errors=True) as folder:
        top = Path(folder).resolve() / (tree.top.name or "root")
        try:
            top.mkdir()
            _borrow_history(tree, top, commit)
            checkout = top / os.fsdecode(tree.prefix)
            checkout.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EnvironmentFault(f"cannot check out {commit[:12]} in {folder}: {error.strerror}") from error
        yield checkout


@contextmanager
def partial_checkout(root: Path, revision: str, names: Collection[str]) -> Iterator[Path]:
    """A folder with some files below `root` as they were at a revision, removed afterwards; it is no git work tree.

    What was not there is left out. Unavailable when git cannot give them, EnvironmentFault when the disk cannot take them.
    """
    tree = git.find(root)
    prefix = os.fsdecode(tree.prefix)
    wanted = {prefix + name for name in names}
    with tempfile.TemporaryDirectory(prefix="crimes-", ignore_cleanup_errors=True) as folder:
        top = Path(folder).resolve() / "files"
        checkout = top / prefix
        try:
            checkout.mkdir(parents=True)
            if wanted:
                _write_files(top, tree_at(tree, revision, names=wanted))
        except OSError as error:
            raise EnvironmentFault(f"cannot write files of {revision[:12]}: {error.strerror}") from error
        yield checkout


def _write_files(top: Path, blobs: Iterator[Blob]) -> None:
    """Files and folders first, links last: nothing is ever written through a link, however the tree is made up."""
    links = []
    written = 0
    for blob in blobs:
        if not _is_harmless(blob.path):
            continue
        try:
            target = _prepare_target(top, blob.path)
            if blob.link:
                links.append((target, blob.content))
                continue
            written += len(blob.content or b"")
            if written > MAX_TREE_BYTES:
                raise Unavailable(f"the tree is larger than {MAX_TREE_BYTES:,} bytes")
            _write(target, blob)
        except (FileExistsError, NotADirectoryError):
            continue  # the same name twice, or as file and folder: only a forged tree has that
    for target, destination in links:
        if destination and b"\0" not in destination and not os.path.lexists(target):
            os.symlink(destination, os.fsencode(target))


def _prepare_target(top: Path, path: str) -> str:
    """The full name of a file, whose folder is created."""
    target = os.path.join(top, path)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):  # as a rule the file before created it
        os.makedirs(folder, exist_ok=True)
    return target


def _write(target: str, blob: Blob) -> None:
    with open(target, "xb") as file:
        if blob.content is None:
            file.truncate(blob.size)
        else:
            file.write(blob.content)


def _is_harmless(path: str) -> bool:
    """Whether a name stays below the folder and out of its git directory. git itself checks out no other."""
    parts = path.split("/")
    return all(part not in ("", ".", "..") and part.lower() != ".git" for part in parts)


def _borrow_history(tree: git.WorkTree, top: Path, commit: str) -> None:
    own = top / ".git"
    for name in ("objects/info", "refs"):
        (own / name).mkdir(parents=True)
    (own / "HEAD").write_text(f"{commit}\n")
    kind = git.run(tree, "rev-parse", "--show-object-format").decode("ascii").strip()
    extension = "" if kind == "sha1" else f"[extensions]\n\tobjectFormat = {kind}\n"
    version = 0 if kind == "sha1" else 1
    (own / "config").write_text(f"[core]\n\trepositoryFormatVersion = {version}\n\tbare = false\n{extension}")
    (own / "objects/info/alternates").write_bytes(_quote(_inside_git(tree, "objects")) + b"\n")
    shallow = _inside_git(tree, "shallow")
    if os.path.isfile(shallow):
        (own / "shallow").write_bytes(Path(os.fsdecode(shallow)).read_bytes())
    git.run(git.WorkTree(top, top), "read-tree", commit)


def _inside_git(tree: git.WorkTree, name: str) -> bytes:
    """Where a part of the git directory lies; for a linked work tree that is the main one's."""
    path = git.run(tree, "rev-parse", "--git-path", name).removesuffix(b"\n")
    return os.path.join(os.fsencode(tree.root), path)


def _quote(path: bytes) -> bytes:
    """A path as git reads it in a list of paths, whatever it is called."""
    return (
        b'"'
        + b"".join(b"\\%03o" % byte if byte < 32 or byte in b'"\\' else bytes([byte]) for byte in path)
        + b'"'
    )

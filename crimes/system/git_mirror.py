"""Mirrors of remote repositories in the user's cache: bare, fetched by git, never checked out, and locked while in use.

Only the one branch that is scanned is fetched, with its history, and without submodules. The address is written nowhere:
neither into the mirror's configuration nor into its names.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from crimes.model.digests import digest_of
from crimes.model.errors import EnvironmentFault, Unavailable
from crimes.model.git_address import PROTOCOLS, address_fault, name_in, without_secrets
from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.git_objects import commit_of
from crimes.system.limits import file_size_is_limited, limit_file_size
from crimes.system.user_dirs import mirrors_directory

if TYPE_CHECKING:
    from git.cmd import Git
    from git.exc import GitCommandError

# The mirror's own configuration is ours. The user's says how to reach a host: proxies, ssh, credentials.
_OPTIONS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "gc.autoDetach=false",  # nothing of it goes on when the command is over
    "maintenance.autoDetach=false",
)
_REF = "refs/crimes/head"  # of our own: names of the remote cannot clash with it
_NO_REF = "couldn't find remote ref"
# How a fetch ends whose pack may not be written: the process that writes it is killed, which git words in its own ways.
_NOT_WRITTEN = regex(r"index-pack|unpack-objects|[Ff]ile too large")
_PLAIN_NAME = regex(r"[^A-Za-z0-9._-]")


class FetchFault(Exception):
    """A repository could not be fetched. `kind` is gone, empty, refused or too-large."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Mirror(Struct, frozen=True):
    """A mirror that is up to date: a folder with a git directory and no files, and the commit to look at."""

    folder: Path
    commit: str


@contextmanager
def fetched(address: str, branch: str, *, max_bytes: int = 0, anew: bool = False) -> Iterator[Mirror]:
    """The mirror of a repository, fetched now, with nobody changing it. `anew`: the present one is not to be used.

    What is fetched at once may take `max_bytes`, if that is not 0. Raises FetchFault. A mirror that git cannot fetch into is replaced, if the repository can be fetched at all.
    """
    if fault := address_fault(address):
        raise FetchFault("refused", f"the address {fault}")
    folder = _folder_of(address, branch)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(folder.parent / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise EnvironmentFault(f"cannot keep mirrors in {mirrors_directory()}: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        limit_file_size(max_bytes)
        try:
            _update(folder, address, branch, anew)
        finally:
            limit_file_size(0)
        commit = _commit_in(folder)
        fcntl.flock(lock, fcntl.LOCK_SH)  # others may read it as well
        yield Mirror(folder, commit)
    finally:
        os.close(lock)


def _folder_of(address: str, branch: str) -> Path:
    """Where the mirror of a branch lies: two that are fetched at once do not meet. Its name is the repository's."""
    key = digest_of(f"{address}\0{branch}".encode("utf-8", "surrogateescape")).hex()
    name = _PLAIN_NAME.sub("_", name_in(address).rpartition("/")[2]).strip(".") or "repository"
    return mirrors_directory() / key / name[:100]


def _update(folder: Path, address: str, branch: str, anew: bool) -> None:
    if not anew and folder.is_dir():
        try:
            _fetch(folder, address, branch)
            _commit_in(folder)
            return
        except FetchFault as fault:
            if fault.kind != "gone":
                raise
        except Unavailable:
            pass  # what git fetched cannot be read
    fresh = (
        folder.parent / "new"
    )  # under the lock there is one at most; a process that was killed may have left it
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        _run_git("init", "--quiet", "--bare", "--template=", str(fresh / ".git"))
        _fetch(fresh, address, branch)
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
    except Unavailable as reason:
        raise EnvironmentFault(f"cannot make a mirror: {reason}") from reason
    except OSError as error:
        raise EnvironmentFault(f"cannot make a mirror: {error.strerror or error}") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _fetch(folder: Path, address: str, branch: str) -> None:
    source = f"refs/heads/{branch}" if branch else "HEAD"
    try:
        _run_git(
            f"--git-dir={folder / '.git'}",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-write-fetch-head",
            "--end-of-options",
            address,
            f"+{source}:{_REF}",
        )
    except Unavailable as reason:
        message = without_secrets(str(reason)).replace(str(folder), ".")
        if _NO_REF in message:
            missing = f"it has no branch '{branch}'" if branch else "it has no commit"
            raise FetchFault("gone" if branch else "empty", missing) from reason
        if file_size_is_limited() and _NOT_WRITTEN.search(message):
            raise FetchFault("too-large", "its history is larger than the limit") from reason
        kind = "refused" if "not allowed" in message else "gone"
        raise FetchFault(kind, message) from reason


def _run_git(*arguments: str) -> None:
    """Run a git command that makes a mirror or fetches into it. Unavailable, with git's own reasons, when it fails."""
    run, failed = load_gitpython()
    options = [word for option in _OPTIONS for word in ("-c", option)]
    environment = {
        "GIT_ALLOW_PROTOCOL": ":".join(PROTOCOLS),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "LC_ALL": "C",
        "LANGUAGE": "C",
    }
    # GitPython hands on os.environ and can only add to it: what leads git elsewhere is taken out. This process is ours alone.
    for name in git.INHERITED & os.environ.keys():
        del os.environ[name]
    try:
        run(os.sep).execute([git.program(), "--no-pager", *options, *arguments], env=environment)
    except failed as error:
        raise Unavailable("; ".join(git.fault_lines(_error_text(error.stderr)))[:300]) from error


def load_gitpython() -> tuple[type[Git], type[GitCommandError]]:
    """What runs a command, and what that raises. Importing GitPython runs `git version`: by the name that is meant."""
    os.environ["GIT_PYTHON_GIT_EXECUTABLE"] = git.program()
    from git.cmd import Git
    from git.exc import GitCommandError

    return Git, GitCommandError


def _error_text(stderr: str) -> bytes:
    """What git wrote to stderr: GitPython puts a heading before it, and quotes around."""
    return stderr.strip().removeprefix("stderr: ").strip("'").encode("utf-8", "replace")


def _commit_in(folder: Path) -> str:
    return commit_of(git.WorkTree(folder, folder), _REF)

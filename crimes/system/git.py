"""The one place that runs git, hardened for a repository whose own configuration may be hostile.

Three layers keep a repository from running anything of its own:
- only commands that read the index, the objects and the ignore and attribute files; what compares or hashes the
  work tree runs filters, and is started with `without_filters` alone;
- `-c` options, which outrank the repository's configuration, for keys that name a program or lead elsewhere;
- environment variables that close the network, so that a missing object is never fetched.

The user's own configuration stays in force: it is trusted, and it is where `safe.directory` is kept.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, cast

from msgspec import Struct

from crimes.model.errors import CrimesError, Unavailable
from crimes.system.git_waits import find_endless_file
from crimes.system.limits import limit_heap

OPTIONS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.untrackedCache=false",
    "core.pager=cat",
    "core.quotePath=true",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "credential.helper=",
    "diff.external=",
    "diff.relative=false",
    "diff.suppressBlankEmpty=false",
    "gpg.program=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "mailmap.file=",  # the tree's own .mailmap is read without following links; these could lead anywhere
    "mailmap.blob=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",  # a folder dressed up as a bare repository is not the one meant
)
ENVIRONMENT = {
    "GIT_FLUSH": "0",  # git log would otherwise write after each commit, and wake the reader
    "GIT_ALLOW_PROTOCOL": "",  # outranks every protocol.*.allow of the repository
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "false",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}
# Left over from a hook or another git command, these make git read some other repository or run a program.
INHERITED = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_ATTR_SOURCE",
        "GIT_COMMON_DIR",
        "GIT_DIFF_OPTS",
        "GIT_DIR",
        "GIT_EXTERNAL_DIFF",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
_BARE_REPOSITORY = ("HEAD", "objects", "refs")
CHUNK_BYTES = 1 << 18
# A tree of ten folders ten deep names more files than any machine can list, in a few kilobytes.
MAX_GIT_BYTES = 2_000_000_000  # of memory, for one git
MAX_ANSWER_BYTES = 300_000_000  # of one answer that is read as a whole
SECONDS_BEFORE_A_LOOK = (
    3  # git rarely takes longer; when it does, a pipe in place of one of its files may be why
)


class NoAnswer(Unavailable):
    """Git took longer than allowed, or waits for what never comes: it has not said what it was asked."""


class WorkTree(Struct, frozen=True):
    """A folder to look at (`root`), and the same folder or one above it that holds `.git` (`top`)."""

    root: Path
    top: Path

    @property
    def prefix(self) -> bytes:
        """What git puts before the name of a file of `root`: empty, or `folder/`."""
        if self.root == self.top:
            return b""
        return os.fsencode(self.root.relative_to(self.top).as_posix()) + b"/"


def find(root: Path) -> WorkTree:
    """The work tree a folder lies in, found without running git. Unavailable when there is none."""
    root = root.resolve()
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            return WorkTree(root, folder)
    if all(os.path.lexists(root / name) for name in _BARE_REPOSITORY):
        raise Unavailable("a bare repository has no files to look at; use a clone of it")
    raise Unavailable("not a git repository")


@contextmanager
def unavailable_as(fault: type[CrimesError], prefix: str) -> Iterator[None]:
    """Raises what is unavailable as a fault that the user sees, with its reason after the prefix."""
    try:
        yield
    except Unavailable as reason:
        raise fault(f"{prefix}: {reason}") from reason


def without_filters(tree: WorkTree) -> dict[str, str]:
    """Variables that keep git from running the filters of any configuration when it reads the work tree."""
    names = os.fsdecode(run(tree, "config", "--null", "--name-only", "--list")).split("\0")
    drivers = sorted({name.rpartition(".")[0] for name in names if name.startswith("filter.")})
    settings = [(f"{driver}.{key}", "") for driver in drivers for key in ("clean", "smudge", "process")]
    settings += [(f"{driver}.required", "false") for driver in drivers]
    # Not `-c`: a driver's name may hold the `=` that would end it there. The caller's own pairs stay in force.
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    variables = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for at, (key, value) in enumerate(settings, first):
        variables |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    return variables


def run(
    tree: WorkTree,
    *arguments: str,
    stdin: bytes | None = None,
    seconds: float = 120,
    accepted: tuple[int, ...] = (0,),
) -> bytes:
    """All that one git command prints. Unavailable, with git's own reason, when it ends with no accepted code."""
    process = _start(tree, arguments, stdin is not None)
    try:
        output, errors = _communicate(tree, process, stdin, seconds)
    except BaseException:  # refused or interrupted: nobody waits for it any more
        process.kill()
        process.wait()
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            pipe.close()
        raise
    if process.returncode not in accepted:
        raise Unavailable(_error_reason(tree, errors))
    return output


def _communicate(
    tree: WorkTree, process: subprocess.Popen[bytes], stdin: bytes | None, seconds: float
) -> tuple[bytes, bytes]:
    """What git prints, and its complaints. Unavailable when it takes longer than allowed, or waits for what never comes."""
    exchange = _Exchange(process, stdin)
    if exchange.goes_on_after(min(SECONDS_BEFORE_A_LOOK, seconds)):
        if path := find_endless_file(tree.top):
            raise NoAnswer(_endless_message(path))
        if exchange.goes_on_after(seconds - SECONDS_BEFORE_A_LOOK):
            raise NoAnswer(_timeout_message(seconds))
    process.wait()
    return b"".join(exchange.output), b"".join(exchange.errors)


class _Exchange:
    """What is written to a process and read from it, at the same time."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes | None) -> None:
        self.output: list[bytes] = []
        self.errors: list[bytes] = []
        self._unwritten = memoryview(stdin or b"")
        self._size = 0
        self._selector = selectors.DefaultSelector()
        self._selector.register(cast(BinaryIO, process.stdout), selectors.EVENT_READ, self.output)
        self._selector.register(cast(BinaryIO, process.stderr), selectors.EVENT_READ, self.errors)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            self._selector.register(process.stdin, selectors.EVENT_WRITE)

    def goes_on_after(self, seconds: float) -> bool:
        """Exchange for so long; whether there is more to come. Unavailable when the answer is larger than any should be."""
        end = time.monotonic() + seconds
        while self._selector.get_map():
            left = end - time.monotonic()
            ready = self._selector.select(left) if left > 0 else ()
            if not ready:
                return True
            for key, _ in ready:
                is_over = self._write(key.fd) if key.data is None else self._read(key.fd, key.data)
                if is_over:
                    self._selector.unregister(key.fileobj)
                    cast(BinaryIO, key.fileobj).close()
        self._selector.close()
        return False

    def _write(self, pipe: int) -> bool:
        try:
            self._unwritten = self._unwritten[os.write(pipe, self._unwritten[:CHUNK_BYTES]) :]
        except BrokenPipeError:  # it has heard enough
            return True
        return not self._unwritten

    def _read(self, pipe: int, pieces: list[bytes]) -> bool:
        piece = os.read(pipe, CHUNK_BYTES)
        pieces.append(piece)
        self._size += len(piece)
        if self._size > MAX_ANSWER_BYTES:
            raise Unavailable(f"git lists more than {MAX_ANSWER_BYTES:,} bytes")
        return not piece


def stream(
    tree: WorkTree,
    *arguments: str,
    stdin: Iterable[bytes] | None = None,
    variables: Mapping[str, str] | None = None,
    seconds: float = 1200,
    max_bytes: int = sys.maxsize,
) -> Iterator[bytes]:
    """What one git command prints, piece by piece. Unavailable after the last piece when git failed, or after `max_bytes`.

    `stdin` is written while the output is read; `variables` are set for this command.
    """
    process = _start(tree, arguments, stdin is not None, variables)
    output, complaints = cast(BinaryIO, process.stdout), cast(BinaryIO, process.stderr)
    errors: list[bytes] = []
    ended = threading.Event()
    given_up: list[str] = []

    def watch() -> None:
        if ended.wait(min(SECONDS_BEFORE_A_LOOK, seconds)):
            return
        if path := find_endless_file(tree.top):
            given_up.append(_endless_message(path))
        elif not ended.wait(seconds - SECONDS_BEFORE_A_LOOK):
            given_up.append(_timeout_message(seconds))
        if given_up:
            process.kill()

    # Unread complaints would fill their pipe and stop git in the middle of its output.
    drain = threading.Thread(target=lambda: errors.append(complaints.read()), daemon=True)
    feed = threading.Thread(target=_feed, args=(process.stdin, stdin), daemon=True)
    watchdog = threading.Thread(target=watch, daemon=True)
    for thread in (drain, feed, watchdog):
        thread.start()
    try:
        size = 0
        while piece := output.read(CHUNK_BYTES):
            size += len(piece)
            if size > max_bytes:
                raise Unavailable(f"git lists more than {max_bytes:,} bytes")
            yield piece
        process.wait()
    finally:
        ended.set()
        process.kill()
        process.wait()
        for thread in (drain, feed, watchdog):
            thread.join()
        output.close()
        complaints.close()
    if process.returncode != 0:
        raise NoAnswer(given_up[0]) if given_up else Unavailable(_error_reason(tree, b"".join(errors)))


def _feed(pipe: BinaryIO | None, pieces: Iterable[bytes] | None) -> None:
    """Write all pieces and close. When git is gone its own ending tells why, and the pipe is of no interest."""
    if pipe is None or pieces is None:
        return
    with suppress(BrokenPipeError), pipe:
        for piece in pieces:
            pipe.write(piece)


def _start(
    tree: WorkTree, arguments: tuple[str, ...], with_stdin: bool, variables: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start git, from outside the repository."""
    options = [word for option in OPTIONS for word in ("-c", option)]
    # A repository may name any folder as its work tree (core.worktree): the one that holds .git is meant.
    place = ["-C", str(tree.root), f"--work-tree={tree.top}"]
    environment = {**(variables or {}), **ENVIRONMENT, "GIT_CEILING_DIRECTORIES": str(tree.top.parent)}
    inherited = {name: value for name, value in os.environ.items() if name not in INHERITED}
    try:
        process = subprocess.Popen(  # noqa: S603 - git, with options of ours; what others name stands behind them
            [program(), "--no-pager", *options, *place, *arguments],
            cwd=os.sep,
            env=inherited | environment,
            stdin=subprocess.PIPE if with_stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except (FileNotFoundError, PermissionError) as error:
        raise Unavailable("git is not installed") from error
    limit_heap(process.pid, MAX_GIT_BYTES)
    return process


def program() -> str:
    """The absolute path of git. Unavailable when it is not installed."""
    path = _find_program(os.environ.get("PATH", os.defpath))
    if path is None:
        raise Unavailable("git is not installed")
    return path


@cache
def _find_program(search_path: str) -> str | None:
    """Git in the first absolute folder that has it: a relative one could lead into the repository that is scanned."""
    for folder in search_path.split(os.pathsep):
        path = os.path.join(folder, "git")
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _error_reason(tree: WorkTree, errors: bytes) -> str:
    """The line in which git says what is wrong, without absolute names or control characters."""
    return fault_lines(errors)[-1].replace(str(tree.top), ".")[:300]


def fault_lines(errors: bytes) -> list[str]:
    """The lines in which git says what is wrong, at least one; without control characters."""
    lines = errors.decode("utf-8", "replace").splitlines()
    marked = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    return [
        "".join(char if char.isprintable() else "?" for char in line)
        .removeprefix("fatal: ")
        .removeprefix("error: ")
        for line in marked or lines[-1:] or ["git failed without a message"]
    ]


def _timeout_message(seconds: float) -> str:
    return f"git did not answer within {seconds:g} seconds"


def _endless_message(path: str) -> str:
    return f"{path} is a pipe, a socket or a device, and git waits for it"

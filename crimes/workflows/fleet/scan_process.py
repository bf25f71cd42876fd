"""The process that scans repositories of a fleet, one at a time: `python -m crimes.workflows.fleet.scan_process`.

A worker of the cluster starts it (`crimes.system.task_server`) and asks it. It reads the commit from git alone: no work tree is
touched, nothing of the repository runs.
"""

from __future__ import annotations

import gc
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from crimes.config.loader import read_config
from crimes.config.schema import Config
from crimes.config.toml_table import Table
from crimes.detection.registry import catalogue
from crimes.engine.scan_commit import commit_cache, config_at, scan_commit
from crimes.incremental.code_version import code_version
from crimes.model.errors import ConfigError, CrimesError, EnvironmentFault, Unavailable, WorkFailed
from crimes.model.git_address import without_secrets
from crimes.system import git
from crimes.system.git_mirror import FetchFault, fetched, load_gitpython
from crimes.system.git_objects import commit_of, has_commits, tree_bytes
from crimes.system.limits import limit_memory
from crimes.system.task_server import serve
from crimes.system.workers import Stopped
from crimes.workflows.fleet.rows import scan_rows
from crimes.workflows.fleet.tasks import (
    KNOWN,
    SCANNED,
    Failure,
    Outcome,
    Task,
    decode_task,
    encode,
    encode_scan,
    key_of,
)

_MEGABYTE = 1_000_000


class _Failed(Exception):
    """There is no scan of the repository, for a reason of its own."""

    def __init__(self, kind: Failure, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def main() -> None:
    """Serve until the caller goes away."""
    load()
    serve(_work, lambda task: decode_task(task).limits.seconds, _failed)


def load() -> None:
    """Load what every scan needs, once: each scan is a fork."""
    import pathspec  # noqa: F401 - imported late elsewhere, and by every scan

    catalogue()
    code_version()
    load_gitpython()
    gc.freeze()


def _work(data: bytes) -> bytes:
    task = decode_task(data)
    began = time.monotonic()
    try:
        outcome = _scan_remote(task) if task.address else _scan_folder(task)
    except _Failed as failure:
        outcome = Outcome(failure.kind, _plain(str(failure), task))
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return encode(
        replace(
            outcome,
            scan_seconds=time.monotonic() - began,
            cpu_seconds=sum(usage.ru_utime + usage.ru_stime for usage in used),
        )
    )


def _failed(data: bytes, error: BaseException) -> bytes:
    """The outcome of a task that did not come to its end by itself."""
    kind: Failure = "error"
    if isinstance(error, Stopped):
        # Under a limit the system refuses memory, and not all C code can take a refusal: as in `system.workers`.
        kind = "timeout" if error.kind == "timeout" else "out-of-memory"
    elif isinstance(error, SystemExit):
        kind = "crash"
    name = f"{error.name}: " if isinstance(error, WorkFailed) else ""
    return encode(Outcome(kind, _plain(f"{name}{error}", decode_task(data))))


def _plain(reason: str, task: Task) -> str:
    """A reason on one line, without secrets or the places of this machine."""
    line = without_secrets(reason).replace(task.folder or "\0", ".").split("\n")
    return " ".join(" ".join(line).split())[:500]


def _scan_remote(task: Task) -> Outcome:
    """Scan the mirror of a repository. One that git cannot read is fetched anew, once."""
    try:
        return _scan_mirror(task, anew=False)
    except _Failed as failure:
        if failure.kind != "corrupt":
            raise
    limit_memory(0)  # git may take what it needs to fetch
    return _scan_mirror(task, anew=True)


def _scan_mirror(task: Task, *, anew: bool) -> Outcome:
    size = task.limits.size_mb * _MEGABYTE
    try:
        with fetched(task.address, task.branch, max_bytes=size, anew=anew) as mirror:
            return _scan(task, mirror.folder, mirror.commit)
    except FetchFault as fault:
        kinds: dict[str, Failure] = {"empty": "empty", "refused": "refused", "too-large": "too-large"}
        raise _Failed(kinds.get(fault.kind, "gone"), str(fault)) from fault


def _scan_folder(task: Task) -> Outcome:
    folder = Path(task.folder)
    if not folder.is_dir():
        raise _Failed("gone", "no such folder")
    try:
        tree = git.find(folder)
    except Unavailable as reason:
        raise _Failed("gone", str(reason)) from reason
    with _git_faults():
        if not task.branch and not has_commits(tree):
            raise _Failed("empty", "it has no commit")
        try:
            commit = commit_of(tree, f"refs/heads/{task.branch}" if task.branch else "HEAD")
        except Unavailable as reason:
            if task.branch:
                raise _Failed("gone", f"it has no branch '{task.branch}'") from reason
            raise
    return _scan(task, folder, commit)


@contextmanager
def _git_faults() -> Iterator[None]:
    """What git cannot read is a corrupt repository; what it lacks memory for is not."""
    try:
        yield
    except (Unavailable, EnvironmentFault) as fault:
        if isinstance(fault, EnvironmentFault) and not isinstance(fault.__cause__, Unavailable):
            raise _Failed("error", str(fault)) from fault
        kind: Failure = "out-of-memory" if "ut of memory" in str(fault) else "corrupt"
        raise _Failed(kind, str(fault)) from fault


def _scan(task: Task, folder: Path, commit: str) -> Outcome:
    """Scan a commit of a repository on this disk, unless that scan is known."""
    limit_memory(task.limits.memory_mb * _MEGABYTE)
    with _git_faults():
        tree = git.find(folder)
        config = _config(task, folder, commit)
        key = key_of(task.tool, commit, tree.prefix, config)
        if key in task.known:
            return Outcome(KNOWN, key=key)
        if tree_bytes(tree, commit) > task.limits.size_mb * _MEGABYTE:
            raise _Failed("too-large", f"its files take more than {task.limits.size_mb:,} MB")
        cache = commit_cache(folder, lambda text: None)
        try:
            report = scan_commit(folder, commit, config, cache=cache)
        finally:
            cache.close()
    return Outcome(SCANNED, key=key, scan=encode_scan(scan_rows(report)))


def _config(task: Task, folder: Path, commit: str) -> Config:
    """The configuration that the fleet sets for the repository, or its own at the commit."""
    try:
        if task.settings is None:
            return config_at(folder, commit)
        problems: list[str] = []
        known = {id_: detector.options for id_, detector in catalogue().items()}
        config = read_config(Table(task.settings, "settings", problems), "fleet.toml", known)
        if problems:
            raise ConfigError("fleet.toml", tuple(problems))
        return config
    except EnvironmentFault:
        raise
    except CrimesError as fault:
        raise _Failed("settings", str(fault)) from fault


if __name__ == "__main__":
    os.umask(0o077)
    main()

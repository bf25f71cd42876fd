"""The report on a commit, scanned beside the repository. A commit never changes, so neither does its report: it is kept."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from crimes.config.loader import Config, load_config
from crimes.detection.registry import builtin, catalogue
from crimes.engine.read_files import Progress
from crimes.engine.scan import Scan, scan
from crimes.incremental.code_version import code_version
from crimes.incremental.recorder import Recorder
from crimes.incremental.scan_cache import ScanCache
from crimes.incremental.store import Cache
from crimes.model.codec import decode, encode
from crimes.model.digests import digest_of
from crimes.model.errors import EnvironmentFault, Unavailable
from crimes.model.report import Report
from crimes.system import git
from crimes.system.commit_checkout import laid_out
from crimes.system.git_objects import commit_of
from crimes.system.user_dirs import database_of

_MOST = 8  # reports that are kept, those of the last commits asked for
_CONFIGURATION = ("crimes.toml", "pyproject.toml")


class _PastCache(Cache):
    """The cache of a repository as a scan of its past may use it: facts are shared, log and history are not mixed up."""

    def state(self, key: str) -> bytes | None:
        return super().state(f"past {key}")

    def keep(self, key: str, value: bytes | None) -> None:
        super().keep(f"past {key}", value)


def past_cache(root: Path, tell: Callable[[str], None]) -> Cache:
    """Where facts of a repository and reports on its commits are kept."""
    return _PastCache(database_of(root.resolve()), tell)


def past_report(
    root: Path,
    revision: str,
    config: Config,
    *,
    cache: Cache | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
) -> Report:
    """The report on a commit, out of the cache if it is there. EnvironmentFault when git cannot give the commit."""
    try:
        tree = git.find(root)
        commit = commit_of(tree, revision)
        key = _key(tree, commit, config)
        kept = cache.state(f"report {key}") if cache else None
        if kept is not None:
            return decode(kept)
        with laid_out(root, commit) as folder:
            made = _scanned(folder, config, cache, progress, jobs)
    except Unavailable as reason:
        raise EnvironmentFault(f"{revision[:40]} cannot be read: {reason}") from reason
    encoded = encode(made.report)
    if cache:
        _keep(cache, key, made.report, encoded)
    return decode(encoded)  # the same whether it was kept or not: file names may not be text


def config_at(root: Path, revision: str) -> Config:
    """The configuration as it was at a commit. EnvironmentFault when git cannot give it."""
    known = {id_: detector.options for id_, detector in catalogue().items()}
    with tempfile.TemporaryDirectory(prefix="crimes-") as folder:
        try:
            tree = git.find(root)
            commit = commit_of(tree, revision)
            listed = git.run(tree, "ls-tree", "-z", commit, "--", *_CONFIGURATION)
            for entry in filter(None, listed.split(b"\0")):
                head, _, name = entry.partition(b"\t")
                mode, _, object_ = head.split()
                if mode.startswith(b"100"):  # a file, not a link
                    content = git.run(tree, "cat-file", "blob", object_.decode("ascii"))
                    (Path(folder) / os.path.basename(os.fsdecode(name))).write_bytes(content)
        except Unavailable as reason:
            raise EnvironmentFault(f"{revision[:40]} cannot be read: {reason}") from reason
        return load_config(Path(folder), known)


def _scanned(folder: Path, config: Config, cache: Cache | None, progress: Progress | None, jobs: int) -> Scan:
    if cache:
        cache.pause()
    kept = ScanCache(cache, Recorder(folder, ())) if cache else None
    made = scan(folder, config, progress=progress, kept=kept, jobs=jobs, isolated=True)
    if cache and kept:
        cache.write()  # nothing is dropped: the facts in use are those of the work tree
    return made


def _key(tree: git.WorkTree, commit: str, config: Config) -> str:
    parts = (code_version(), commit.encode(), tree.prefix, repr(config).encode("utf-8", "surrogateescape"))
    return digest_of(b"\0".join(parts)).hex()


def _keep(cache: Cache, key: str, report: Report, encoded: bytes) -> None:
    """Keep the report, unless it may be another one the next time."""
    if report.diagnostics or report.history.limited or catalogue().keys() != builtin().keys():
        return
    data = cache.state("reports")
    keys = [key, *(msgspec.msgpack.decode(data, type=list[str]) if data else ())]
    cache.keep("reports", msgspec.msgpack.encode(keys[:_MOST]))
    cache.keep(f"report {key}", encoded)
    for old in keys[_MOST:]:
        cache.keep(f"report {old}", None)
    cache.write()

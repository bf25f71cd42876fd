"""The report on a commit, scanned beside the repository. A commit never changes, so neither does its report: it is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from crimes.analyses.coverage.analysis import USUAL_PATHS
from crimes.analyses.edit_risk import EDIT_RISK, EditRisk
from crimes.analyses.history.cached_log import CachedLog
from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.detection.registry import builtin, catalogue, load_checked_config
from crimes.discovery.discover import discover
from crimes.discovery.forks import forked_folders
from crimes.discovery.overlaid import discover_overlaid
from crimes.engine.read_files import read_all
from crimes.engine.scan import GivenFiles, Scan, gc_paused, scan
from crimes.incremental.code_version import code_version
from crimes.incremental.recorder import Recorder
from crimes.incremental.scan_cache import ScanCache, no_cache
from crimes.incremental.store import Cache
from crimes.languages import by_id
from crimes.languages.linking.link import files_with_facts
from crimes.model.codec import decode, encode
from crimes.model.digests import digest_of
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Report
from crimes.model.repository import Repo
from crimes.system import git
from crimes.system.commit_checkout import bare_checkout, partial_checkout, temporary_checkout, temporary_files
from crimes.system.git_diff import difference, untracked_files
from crimes.system.git_objects import commit_of
from crimes.system.user_dirs import database_of
from crimes.system.workers import Progress, no_progress

_MAX_REPORTS = 8  # on the last commits that were scanned
_CONFIGURATION = ("crimes.toml", "pyproject.toml")


class _CommitCache(Cache):
    """The cache of a repository as a scan of its past may use it: facts are shared, log and history are not mixed up."""

    def state(self, key: str) -> bytes | None:
        return super().state(f"past {key}")

    def keep(self, key: str, value: bytes | None) -> None:
        super().keep(f"past {key}", value)


def commit_cache(root: Path, on_notice: Callable[[str], None]) -> Cache:
    """Where facts of a repository and reports on its commits are kept."""
    return _CommitCache(database_of(root.resolve()), on_notice)


def scan_commit(
    root: Path,
    revision: str,
    config: Config,
    *,
    cache: Cache | None = None,
    open_work: Callable[[], ScanCache | None] = lambda: None,
    differing: frozenset[str] | None = None,
    on_progress: Progress | None = None,
    jobs: int = 1,
) -> Report:
    """The report on a commit, out of the cache if it is there. EnvironmentFault when git cannot give the commit.

    With the cache of the work tree, which `open_work` opens, only files that differ from it are taken from git; `differing`
    names them, if known.
    """
    with git.unavailable_as(EnvironmentFault, f"{revision[:40]} cannot be read"):
        tree = git.find(root)
        commit = commit_of(tree, revision)
        key = _key(tree, commit, config)
        cached = cache.state(f"report {key}") if cache else None
        if cached is not None:
            return decode(cached)
        report = None
        if cache and (work := open_work()):
            names = names_differing(root, commit) if differing is None else differing
            report = _scan_overlaid(root.resolve(), commit, names, config, cache, work, on_progress, jobs)
        if report is None:
            with temporary_checkout(root, commit) as folder:
                report = _scan_folder(folder, config, cache, on_progress, jobs).report
    encoded = encode(report)
    if cache:
        _save(cache, key, report, encoded)
    return decode(encoded)  # the same whether it was kept or not: file names may not be text


def config_at(root: Path, revision: str) -> Config:
    """The configuration as it was at a commit. EnvironmentFault when git cannot give it."""
    with temporary_files(root, revision, _CONFIGURATION) as folder:
        return load_checked_config(folder)


def edit_risk_at(
    root: Path,
    revision: str,
    config: Config,
    *,
    cache: Cache | None = None,
    on_progress: Progress | None = None,
    jobs: int = 1,
) -> EditRisk:
    """Edit risk of the files of a commit, as of the commit's own time. EnvironmentFault when git cannot give the commit."""
    with commit_context(root, revision, config, cache=cache, on_progress=on_progress, jobs=jobs) as context:
        return context[EDIT_RISK]


@contextmanager
def commit_context(
    root: Path,
    revision: str,
    config: Config,
    *,
    cache: Cache | None = None,
    on_progress: Progress | None = None,
    jobs: int = 1,
) -> Iterator[Context]:
    """The files and the history of a commit, as of the commit's own time. Imports are not followed and no detector runs.

    EnvironmentFault when git cannot give the commit.
    """
    with (
        git.unavailable_as(EnvironmentFault, f"{revision[:40]} cannot be read"),
        temporary_checkout(root, commit_of(git.find(root), revision)) as folder,
    ):
        scan_cache = _scan_cache(folder, cache) or no_cache()
        tree = discover(folder, config, by_id)
        facts, _ = read_all(tree, on_progress or no_progress, scan_cache, jobs, isolated=True)
        files = files_with_facts(tree.files, facts, forked=forked_folders(tree.paths, tree.read))
        repo = Repo(folder, files, tree.paths, (), (), tree.read)
        try:
            yield Context(
                repo,
                config,
                commits=CachedLog(scan_cache.cache),
                memory=scan_cache if scan_cache.enabled else None,
            )
        finally:
            tree.close()
    if cache:
        cache.write()


def _scan_cache(folder: Path, cache: Cache | None) -> ScanCache | None:
    if cache is None:
        return None
    cache.pause()
    return ScanCache(cache, Recorder(folder, ()))


def _scan_folder(
    folder: Path, config: Config, cache: Cache | None, on_progress: Progress | None, jobs: int
) -> Scan:
    result = scan(
        folder,
        config,
        cache=_scan_cache(folder, cache),
        jobs=jobs,
        isolated=True,
        on_progress=on_progress,
    )
    if cache:
        cache.write()  # nothing is dropped: the facts in use are those of the work tree
    return result


def _scan_overlaid(
    root: Path,
    commit: str,
    names: frozenset[str],
    config: Config,
    cache: Cache,
    work: ScanCache,
    on_progress: Progress | None,
    jobs: int,
) -> Report | None:
    """The report on a commit, made from the work tree and the files that differ; None where only a checkout is exact."""
    with partial_checkout(root, commit, names) as part, bare_checkout(root, commit) as top, gc_paused():
        tree = discover_overlaid(top, root, part, names, config, by_id)
        if tree is None or not tree.paths.isdisjoint(USUAL_PATHS):
            return None
        progress = on_progress or no_progress
        part_cache = ScanCache(cache, Recorder(part, ()))
        facts, unread = read_all(tree.work, progress, work, jobs, isolated=True)
        part_facts, part_unread = read_all(tree.part, progress, part_cache, jobs, isolated=True)
        kept = {path: key for path, key in work.contents.items() if path in facts}
        whole = ScanCache(cache, Recorder(top, ()), contents={**kept, **part_cache.contents})
        given = GivenFiles(tree, {**facts, **part_facts}, [*unread, *part_unread])
        cache.pause()
        report = scan(
            top, config, cache=whole, jobs=jobs, isolated=True, on_progress=on_progress, given=given
        ).report
        cache.write()
        return report


def names_differing(root: Path, commit: str) -> frozenset[str]:
    """Names of files, at a commit or in the work tree, that are not the same in both. Unavailable when git cannot tell."""
    differing = difference(root, commit, lines=False)
    names = {name for change in differing.changes.values() for name in (change.old, change.path)}
    return frozenset(names | untracked_files(root) | {*differing.left_out})


def _key(tree: git.WorkTree, commit: str, config: Config) -> str:
    parts = (code_version(), commit.encode(), tree.prefix, repr(config).encode("utf-8", "surrogateescape"))
    return digest_of(b"\0".join(parts)).hex()


def _save(cache: Cache, key: str, report: Report, encoded: bytes) -> None:
    """Keep the report, unless the next scan may give another."""
    if report.diagnostics or report.history.limited or catalogue().keys() != builtin().keys():
        return
    data = cache.state("reports")
    keys = [key, *(msgspec.msgpack.decode(data, type=list[str]) if data else ())]
    cache.keep("reports", msgspec.msgpack.encode(keys[:_MAX_REPORTS]))
    cache.keep(f"report {key}", encoded)
    for old in keys[_MAX_REPORTS:]:
        cache.keep(f"report {old}", None)
    cache.write()

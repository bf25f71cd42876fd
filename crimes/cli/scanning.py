"""Scanning as the commands do it: configuration, catalogue, progress, and the result kept for later."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.output import notice
from crimes.cli.progress import progress

if TYPE_CHECKING:
    from crimes.config import Config
    from crimes.coverage.record import CoverageFile
    from crimes.report import Report
    from crimes.scan import Scan
    from crimes.store import Stored
    from crimes.trust_record import Trust


def run(root: Path, as_of: datetime | None = None, coverage: Iterable[Path] | None = None) -> Scan:
    """Scan the repository and keep the report as its last one. Wrong coverage files are told before the work begins."""
    from crimes.scan import scan

    config, given = _prepared(root, coverage)
    with progress() as tick:
        result = scan(root, config, as_of=as_of, progress=tick, coverage=given)
    _keep(root, result)
    return result


def report(
    root: Path,
    as_of: datetime | None = None,
    coverage: Iterable[Path] | None = None,
    seconds: float | None = None,
) -> Report:
    """The same in a process of its own: one that runs out of time or memory leaves a report that says so."""
    from crimes.outcome import abstained
    from crimes.report import Diagnostic
    from crimes.report_json import decode, encode
    from crimes.scan import Progress, scan
    from crimes.worker import Stopped, in_worker

    config, given = _prepared(root, coverage)

    def work(tell: Progress) -> bytes:
        result = scan(root, config, as_of=as_of, progress=tell, coverage=given)
        _keep(root, result)
        return encode(result.report)

    with progress() as tick:
        try:
            return decode(in_worker(work, seconds, tick or (lambda stage, done, total: None)))
        except Stopped as stop:
            return abstained(root, config, Diagnostic(stop.kind, stop.stage, str(stop)))


def trust(root: Path) -> Trust:
    """How far a scan of the repository could be trusted; no detector runs, and nothing is kept."""
    from crimes.scan import trust_of

    config, _ = _prepared(root, None)
    with progress() as tick:
        return trust_of(root, config, progress=tick)


def _prepared(root: Path, coverage: Iterable[Path] | None) -> tuple[Config, tuple[CoverageFile, ...]]:
    from crimes.config import load_config
    from crimes.coverage.given import read_given
    from crimes.registry import catalogue

    config = load_config(root, {id_: detector.options for id_, detector in catalogue().items()})
    return config, read_given(coverage or (), root)


def _keep(root: Path, result: Scan) -> None:
    """Keep what later commands ask for; a cache that cannot be written fails no command."""
    from crimes.claims.known import Names, symbols_of
    from crimes.errors import EnvironmentFault
    from crimes.store import save, save_names

    try:
        save(root, result.report)
        repo = result.context.repo
        save_names(root, Names(repo.paths, frozenset(symbols_of(repo.files.values()))))
    except EnvironmentFault as fault:
        notice(str(fault))


def last(root: Path) -> Stored | None:
    """The last scan of the repository, if one was kept and can be read."""
    from crimes.errors import EnvironmentFault
    from crimes.store import load

    try:
        return load(root)
    except EnvironmentFault as fault:
        notice(str(fault))
        return None

"""Scanning as the commands do it: configuration, catalogue, progress, and the result kept for later."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.output import notice
from crimes.cli.progress import progress

if TYPE_CHECKING:
    from crimes.scan import Scan
    from crimes.store import Stored


def run(root: Path, as_of: datetime | None = None, coverage: Iterable[Path] | None = None) -> Scan:
    """Scan the repository and keep the report as its last one. Wrong coverage files are told before the work begins."""
    from crimes.claims.known import Names, symbols_of
    from crimes.config import load_config
    from crimes.coverage.given import read_given
    from crimes.errors import EnvironmentFault
    from crimes.registry import catalogue
    from crimes.scan import scan
    from crimes.store import save, save_names

    config = load_config(root, {id_: detector.options for id_, detector in catalogue().items()})
    given = read_given(coverage or (), root)
    with progress() as tick:
        result = scan(root, config, as_of=as_of, progress=tick, coverage=given)
    try:
        save(root, result.report)
        repo = result.context.repo
        save_names(root, Names(repo.paths, frozenset(symbols_of(repo.files.values()))))
    except EnvironmentFault as fault:
        notice(str(fault))
    return result


def last(root: Path) -> Stored | None:
    """The last scan of the repository, if one was kept and can be read."""
    from crimes.errors import EnvironmentFault
    from crimes.store import load

    try:
        return load(root)
    except EnvironmentFault as fault:
        notice(str(fault))
        return None

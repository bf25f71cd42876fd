"""Two states of a repository scanned and compared, as the commands do it. No checkout is touched: the past comes from git."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crimes.cli.output import notice
from crimes.cli.progress import progress
from crimes.cli.scanning import DEFAULT, ScanOptions, report
from crimes.model.errors import ConfigError, EnvironmentFault, Unavailable, UsageError

if TYPE_CHECKING:
    from crimes.config.loader import Config
    from crimes.model.report import Crime, Report
    from crimes.system.git_diff import Change
    from crimes.workflows.check import Edits
    from crimes.workflows.comparison import Comparison


class Range(NamedTuple):
    """What to compare. An empty `head` is the work tree; from `base` or from where it and the head part."""

    base: str
    head: str
    from_merge_base: bool


@dataclass(frozen=True)
class Compared:
    """A comparison, and the report on the later state."""

    comparison: Comparison
    now: Report


def asked_range(range_: str | None, base: str) -> Range:
    """The range of the command line: BASE...HEAD, BASE..HEAD, or --base for the work tree; without any, since HEAD."""
    if range_ is None:
        return Range(base, "", True) if base else Range("HEAD", "", False)
    if base:
        raise UsageError("give a range or --base, not both: --base compares the work tree")
    for dots in ("...", ".."):
        first, found, last = range_.partition(dots)
        if found:
            if not first and not last:
                break
            return Range(first or "HEAD", last or "HEAD", dots == "...")
    raise UsageError(f"{range_} is no range: say BASE...HEAD, or --base REF to compare the work tree")


def compared(
    root: Path, asked: Range, means: ScanOptions = DEFAULT, edits: Callable[[], Edits] | None = None
) -> Compared:
    """Scan both states and hold them against each other. `edits` tells those since HEAD, where they are meant."""
    from crimes.engine.scan_commit import config_at

    if asked.head:
        head = commit_named(root, asked.head)
        now = past(root, head, config_at(root, head), means)
        return Compared(compare_with(root, asked, now, means), now)
    between = cache(lambda: _between(root, asked, edits() if edits else None))
    # What git tells of the two states does not wait for the scan.
    now = report(root, means=means, while_waiting=between)
    return Compared(_held(root, asked, between(), now, means), now)


def compare_with(root: Path, asked: Range, now: Report, means: ScanOptions = DEFAULT) -> Comparison:
    """A report on the later state held against a scan of the earlier one, made with the later configuration."""
    return _held(root, asked, _between(root, asked, None), now, means)


@dataclass(frozen=True)
class _Between:
    """What is known of two states before either is scanned."""

    base: str
    head: str
    config: Config
    renamed: dict[str, str]  # the former name of each file that has another one
    touched: frozenset[str]
    warnings: list[str]


def _between(root: Path, asked: Range, edits: Edits | None) -> _Between | None:
    """None where there is no earlier state."""
    from crimes.config.loader import load_config
    from crimes.detection.registry import catalogue
    from crimes.engine.scan_commit import config_at

    if asked.base == "HEAD" and not asked.head and _is_new(root):
        return None
    base, head = _commits(root, asked)
    if asked.head:
        config = config_at(root, head)
    else:
        config = load_config(root, {id_: detector.options for id_, detector in catalogue().items()})
    changes = edits.changes if edits else _changes(root, base, asked.head and head)
    touched = {name for change in changes for name in (change.path, change.old)}
    if not asked.head:
        touched |= edits.untracked if edits else _untracked(root)
    return _Between(
        base,
        head,
        config,
        {change.path: change.old for change in changes if change.old != change.path},
        frozenset(touched),
        _config_warning(root, base, config),
    )


def _held(root: Path, asked: Range, between: _Between | None, now: Report, means: ScanOptions) -> Comparison:
    from crimes.analyses.history.history import HISTORY
    from crimes.detection.registry import catalogue
    from crimes.workflows.comparison import WORK_TREE, State, comparison, since_nothing

    if between is None:
        return since_nothing(now)
    of_history = {one.id for one in catalogue().values() if HISTORY in one.needs}

    def by_time(crime: Crime) -> bool:
        places = {crime.file, *(near.file for near in crime.related)}
        return crime.type in of_history and not places & between.touched

    return comparison(
        before=_before(root, asked, between, now, means),
        now=now,
        renamed=between.renamed,
        base=State(asked.base, between.base),
        head=State(asked.head or WORK_TREE, between.head),
        warnings=between.warnings,
        by_time=by_time,
    )


def _before(root: Path, asked: Range, between: _Between, now: Report, means: ScanOptions) -> Report:
    """The report on the earlier state. Where git sees no edit, nothing is new, and the commit need not be laid out.

    It is not kept as that of the commit: filters, attributes of this clone and files that git was told not to look at may
    make it another.
    """
    if asked.base != "HEAD" or asked.head or between.touched:
        return past(root, between.base, between.config, means)
    return now


def past(root: Path, commit: str, config: Config | None, means: ScanOptions = DEFAULT) -> Report:
    """The report on a commit, with this configuration or with its own."""
    from crimes.engine.scan_commit import config_at, past_cache, past_report

    if config is None:
        config = config_at(root, commit)
    known = past_cache(root, notice) if means.cache else None
    try:
        with progress(means.quiet) as tick:
            return past_report(root, commit, config, cache=known, progress=tick, jobs=means.processes())
    finally:
        if known:
            known.close()


def renames(root: Path, base: str) -> dict[str, str]:
    """The former name of each file that was renamed in the work tree since `base`, by its present one."""
    return {one.path: one.old for one in _changes(root, base, "") if one.old != one.path}


def _changes(root: Path, base: str, head: str) -> tuple[Change, ...]:
    from crimes.system.git_diff import difference

    try:
        return tuple(difference(root, base, head, lines=False).changes.values())
    except Unavailable as reason:
        raise EnvironmentFault(f"{base[:12]} cannot be compared: {reason}") from reason


def _untracked(root: Path) -> set[str]:
    """Files that git does not know yet."""
    from crimes.system.git import find, run

    try:
        told = run(find(root), "ls-files", "-z", "--others", "--exclude-standard")
    except Unavailable as reason:
        raise EnvironmentFault(f"files cannot be listed: {reason}") from reason
    return set(filter(None, os.fsdecode(told).split("\0")))


def commit_named(root: Path, revision: str) -> str:
    """The id of a commit, or a UsageError that says why there is none."""
    from crimes.system.git import find
    from crimes.system.git_objects import commit_of

    try:
        return commit_of(find(root), revision)
    except Unavailable as reason:
        raise UsageError(f"{revision}: {reason}") from reason


def _is_new(root: Path) -> bool:
    """Whether this is a repository whose first commit is still to come."""
    from crimes.system.git import find
    from crimes.system.git_objects import has_commits

    try:
        return not has_commits(find(root))
    except Unavailable as reason:
        raise UsageError(f"HEAD: {reason}") from reason


def _commits(root: Path, asked: Range) -> tuple[str, str]:
    from crimes.system.git import find
    from crimes.system.git_objects import merge_base

    base, head = commit_named(root, asked.base), commit_named(root, asked.head or "HEAD")
    if not asked.from_merge_base:
        return base, head
    try:
        return merge_base(find(root), base, head), head
    except Unavailable as reason:
        raise UsageError(f"{asked.base}: {reason}") from reason


def _config_warning(root: Path, base: str, config: Config) -> list[str]:
    from crimes.engine.scan_commit import config_at

    try:
        same = config_at(root, base) == config
    except ConfigError:
        same = False
    return (
        [] if same else ["the configuration changed in between: both states were scanned with the later one"]
    )

"""Two states of a repository scanned and compared. No checkout is touched: the past comes from git."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from crimes.analyses.history.history import HISTORY
from crimes.config.schema import Config
from crimes.detection.registry import catalogue
from crimes.discovery.discover import extensions_of
from crimes.languages import by_id
from crimes.model.change import NOT_COMPARED, ChangeItem, Level, Spot, with_ids
from crimes.model.errors import ConfigError, EnvironmentFault, UsageError
from crimes.model.kind import Kind
from crimes.model.report import Crime, Report, Tool
from crimes.model.wording import count
from crimes.system import git
from crimes.system.git_diff import (
    Change,
    changed_submodules,
    difference,
    edited_submodules,
    known_files,
    operation_in_progress,
    untracked_files,
)
from crimes.system.git_objects import commit_of, head_commit, merge_base
from crimes.tracking import feedback
from crimes.tracking.baseline import PATH, SCHEMA_VERSION, Baseline, BaselineCheck, as_side
from crimes.tracking.matching import compare, side_of
from crimes.workflows.briefing.record import Briefing
from crimes.workflows.change_items import DeletedCode, items_of_change, known_of
from crimes.workflows.comparison import WORK_TREE, Comparison, State, compare_reports, compare_with_nothing
from crimes.workflows.session import Session


class Range(NamedTuple):
    """What to compare. An empty `head` is the work tree; from `base` or from where it and the head part."""

    base: str
    head: str
    from_merge_base: bool


SINCE_HEAD = Range("HEAD", "", from_merge_base=False)


class Edits(NamedTuple):
    """What differs: files that git tracks, and files that it does not know yet."""

    changes: tuple[Change, ...]
    untracked: frozenset[str]
    left_out: tuple[str, ...] = ()  # files that a sparse checkout does not have
    unmerged: tuple[str, ...] = ()  # files that a merge left in conflict

    def files(self) -> tuple[str, ...]:
        """All of them, sorted."""
        return tuple(sorted({*(change.path for change in self.changes), *self.untracked}))


@dataclass(frozen=True)
class Compared:
    """A comparison, the report on the later state, and the files that differ; `touched` has either name of those renamed."""

    comparison: Comparison
    now: Report
    touched: frozenset[str] = frozenset()
    edited: tuple[str, ...] = ()


def parse_range(ranges: Sequence[str], base: str) -> Range:
    """The range of the command line: BASE...HEAD, BASE..HEAD, or --base for the work tree; without any, since HEAD."""
    if not ranges:
        return Range(base, "", from_merge_base=True) if base else SINCE_HEAD
    range_, *more = ranges
    if base or more:
        other = f"'{more[0]}'" if more else "--base"
        raise UsageError(f"'{range_}' and {other}: use one of them; --base compares the working tree")
    for dots in ("...", ".."):
        first, separator, last = range_.partition(dots)
        if separator:
            if not first and not last:
                break
            return Range(first or "HEAD", last or "HEAD", from_merge_base=dots == "...")
    raise UsageError(f"'{range_}' is not a range; use BASE...HEAD, or --base REF to compare the working tree")


def compare_states(session: Session, range_: Range) -> Compared:
    """Scan both states and compare them."""
    states = _States(session, range_)
    if range_.head:
        head = _resolve_commit(session.root, range_.head)
        now = session.report_on_commit(head)
    else:
        # The earlier state does not wait for the scan of the later one.
        now = session.report(while_waiting=lambda: states.earlier)
    touched = states.between.touched if states.between else frozenset[str]()
    return Compared(states.compare_with(now), now, touched, states.edited)


def compare_with(session: Session, range_: Range, now: Report) -> Comparison:
    """A report on the later state compared with a scan of the earlier one, made with the later configuration."""
    return _States(session, range_).compare_with(now)


class _Between(NamedTuple):
    """What is known of two states before either is scanned."""

    base: str
    head: str
    config: Config
    edits: Edits
    touched: frozenset[str]
    warnings: list[str]

    @property
    def renamed(self) -> dict[str, str]:
        """The former name of each file that has another one."""
        return {change.path: change.old for change in self.edits.changes if change.old != change.path}


class _States:
    """The two states of a range."""

    def __init__(self, session: Session, range_: Range) -> None:
        self._session, self._range = session, range_
        self._root = session.root
        self._begun = time.time_ns()

    @cached_property
    def between(self) -> _Between | None:
        """None where there is no earlier state: the first commit is still to come."""
        range_ = self._range
        base, head = _resolve_range(self._root, range_)
        if not base:
            return None
        edits = _edits_since(self._root, base, range_.head and head)
        if edits.unmerged:
            raise _conflict(self._root, edits.unmerged)
        config = self._session.config_at(head) if range_.head else self._session.config()
        touched = {name for change in edits.changes for name in (change.path, change.old)} | edits.untracked
        warnings = [*_config_warning(self._session, base, config), *_feedback_warning(touched)]
        return _Between(base, head, config, edits, frozenset(touched), warnings)

    @cached_property
    def edited(self) -> tuple[str, ...]:
        """The files that differ; all of them before the first commit."""
        return (self.between.edits if self.between else _first_edits(self._root)).files()

    @cached_property
    def earlier(self) -> Report | None:
        """The report on the earlier state; None where there is none, or where git sees no edit: then nothing is new.

        The report on the work tree is not cached as that of the commit: filters, attributes of this clone and files that
        git skips may make a difference.
        """
        between = self.between
        if between is None or self._is_unedited(between):
            return None
        differing = None if self._range.head else between.touched
        return self._session.report_on_commit(between.base, between.config, differing)

    def _is_unedited(self, between: _Between) -> bool:
        return self._range.base == "HEAD" and not self._range.head and not between.touched

    def compare_with(self, now: Report) -> Comparison:
        """The later state, which `now` is the report on, compared with the earlier one."""
        between = self.between
        if between is None:
            return compare_with_nothing(now)
        of_history = {detector.id for detector in catalogue().values() if HISTORY in detector.needs}

        def by_time(crime: Crime) -> bool:
            places = {crime.file, *(related.file for related in crime.related)}
            return crime.type in of_history and not places & between.touched

        compare = partial(
            compare_reports,
            before=self.earlier or now,
            now=now,
            renamed=between.renamed,
            base=State(self._range.base, between.base),
            head=State(self._range.head or WORK_TREE, between.head),
            warnings=between.warnings,
            by_time=by_time,
            touched=between.touched,
        )
        head = between.head if self._range.head else ""
        not_compared = _submodule_items(self._root, between, head)
        if self._is_unedited(between):
            return compare(items=with_ids(not_compared))
        edits = between.edits
        not_compared += _left_out_items(edits.left_out)
        with self._session.change_states(
            between.config, between.base, head, edits.changes, edits.untracked, self._begun
        ) as states:
            known = known_of(self.earlier or now, self._briefings(between))
            return compare(
                is_gone=DeletedCode(states),
                items=(*items_of_change(self._root, states, known), *with_ids(not_compared)),
            )

    def _briefings(self, between: _Between) -> Mapping[str, Briefing]:
        """Briefings of the edited files of the work tree. Between two commits there are none: history includes the change itself."""
        if self._range.head:
            return {}
        return self._session.briefings_of(sorted(between.touched), begun=self._begun)


def _first_edits(root: Path) -> Edits:
    """All there is before the first commit."""
    with git.unavailable_as(EnvironmentFault, "nothing to check against"):
        return Edits((), frozenset(_untracked(root)) | known_files(root))


def compare_with_baseline(root: Path, baseline: Baseline, report: Report, name: str = "") -> BaselineCheck:
    """A report compared with a baseline. Facts about places that an older crimes saved there are left out of it."""
    renamed, warnings = _renames_since(root, baseline.commit)
    places = {detector.id for detector in catalogue().values() if detector.kind is Kind.PLACE}
    difference = compare(as_side(baseline, leave_out=places), side_of(report), renamed)
    crimes = {crime.fingerprint: crime for crime in report.code_findings}
    entries = {entry.fingerprint: entry for entry in baseline.findings}
    return BaselineCheck(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", report.tool.version),
        repository=report.repository,
        baseline=name or PATH,
        commit=baseline.commit,
        known=len(difference.unchanged) + len(difference.moved),
        new=tuple(crimes[fingerprint] for fingerprint in difference.new),
        stale=tuple(entries[fingerprint] for fingerprint in difference.fixed),
        unclear={**difference.unclear, **difference.lost},
        warnings=tuple(warnings),
    )


def _renames_since(root: Path, commit: str) -> tuple[dict[str, str], list[str]]:
    """Former names of files that were renamed since, if git still knows the commit; else findings are known by their code."""
    if not commit:
        return {}, []
    try:
        changes = _edits_since(root, commit).changes
    except EnvironmentFault as fault:
        return {}, [
            f"the commit of the baseline is missing, so renamed files are matched by their code: {fault}"
        ]
    return {change.path: change.old for change in changes if change.old != change.path}, []


def _conflict(root: Path, files: Sequence[str]) -> EnvironmentFault:
    """Why nothing is compared while a merge has files in conflict: they hold both sides."""
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    with git.unavailable_as(EnvironmentFault, "nothing to check against"):
        operation = operation_in_progress(root)
    return EnvironmentFault(f"a {operation} is in progress: resolve the conflicts in {files[0]}{more} first")


def _submodule_items(root: Path, between: _Between, head: str) -> tuple[ChangeItem, ...]:
    """Submodules that differ: what changed in them was not compared, so the change is not called safe."""
    base, differing = between.base, between.touched | frozenset(between.edits.left_out)
    with git.unavailable_as(EnvironmentFault, f"{base[:12]} cannot be compared"):
        moved = changed_submodules(root, base, head, differing)
        edited = () if head else edited_submodules(root)
    facts = {name: f"The submodule {name} has edits of its own, which were not compared." for name in edited}
    facts |= {
        name: f"The submodule {name} is at another commit or gone, which was not compared." for name in moved
    }
    return tuple(
        ChangeItem(
            kind=NOT_COMPARED,
            level=Level.LOOK,
            file=name,
            name="",
            fact=fact,
            fix="Check it in its own repository.",
            places=(Spot(name, 0),),
        )
        for name, fact in sorted(facts.items())
    )


def _left_out_items(files: Sequence[str]) -> tuple[ChangeItem, ...]:
    """Source files that a sparse checkout does not have: whether they use what was edited was not compared."""
    languages = {name: language for name, language in by_id.items() if language.resolver}
    extensions = extensions_of(languages, files)
    sources = [file for file in files if os.path.splitext(file)[1].lower() in extensions]
    if not sources:
        return ()
    first, *more = sources
    names = f"{first} and {count(len(more), 'more source file')} are" if more else f"{first} is"
    fact = f"{names} not checked out, so uses of the edited code there were not compared."
    return (
        ChangeItem(
            kind=NOT_COMPARED,
            level=Level.LOOK,
            file=first,
            name="",
            fact=fact,
            fix="Check in a checkout that is not sparse.",
            places=(Spot(first, 0),),
        ),
    )


def _edits_since(root: Path, base: str, head: str = "") -> Edits:
    with git.unavailable_as(EnvironmentFault, f"{base[:12]} cannot be compared"):
        found = difference(root, base, head, lines=False)
    untracked = frozenset[str]() if head else frozenset(_untracked(root))
    return Edits(tuple(found.changes.values()), untracked, found.left_out, found.unmerged)


def _untracked(root: Path) -> set[str]:
    """Files that git does not know yet."""
    with git.unavailable_as(EnvironmentFault, "files cannot be listed"):
        return untracked_files(root)


def _resolve_range(root: Path, range_: Range) -> tuple[str, str]:
    """The commits of a range; empty if it is from HEAD to the work tree, and the first commit is still to come."""
    if range_.base == "HEAD" and not range_.head:
        with git.unavailable_as(UsageError, "cannot compare"):
            commit = head_commit(git.find(root))
        return commit, commit
    base, head = _resolve_commit(root, range_.base), _resolve_commit(root, range_.head or "HEAD")
    if not range_.from_merge_base:
        return base, head
    with git.unavailable_as(UsageError, f"cannot compare {range_.base} with {range_.head or 'HEAD'}"):
        return merge_base(git.find(root), base, head), head


def _resolve_commit(root: Path, revision: str) -> str:
    with git.unavailable_as(UsageError, "cannot compare"):
        return commit_of(git.find(root), revision)


def _feedback_warning(touched: Collection[str]) -> tuple[str, ...]:
    """That a change brings verdicts on findings with it: they are evidence, and may be on its own findings."""
    if feedback.PATH not in touched:
        return ()
    return (f"the change edits {feedback.PATH}, and its verdicts move confidences",)


def _config_warning(session: Session, base: str, config: Config) -> list[str]:
    try:
        same = session.config_at(base) == config
    except ConfigError:
        same = False
    return (
        [] if same else ["the settings differ between the two states; both were scanned with the newer ones"]
    )

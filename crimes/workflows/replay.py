"""What a gate would have stopped among the last merged changes, and which of those were repaired or taken back later."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from msgspec import Struct

from crimes import __version__
from crimes.analyses.history.mainline import MergedChange, later_commits, merged_changes
from crimes.config.schema import Config
from crimes.model.change import ChangeItem, Level
from crimes.model.errors import EnvironmentFault, Unavailable
from crimes.model.report import Crime, Gate, Report, Tool
from crimes.system import git
from crimes.system.git_diff import difference
from crimes.system.git_objects import commit_of, has_commits, is_shallow
from crimes.workflows.change_items import items_of_change
from crimes.workflows.comparing import Range, compare_states
from crimes.workflows.gating import Gates
from crimes.workflows.session import Session

SCHEMA_VERSION = "1.1"
STOPPED, PASSED, NOT_JUDGED = "stopped", "passed", "not_judged"
_NOT_EVALUATED = "not_evaluated"


class FollowUp(Struct, frozen=True):
    """A later commit that repaired a change or took it back."""

    kind: str  # `fix` or `revert`
    commit: str  # its id
    time: str  # when it was committed
    subject: str  # its subject
    same_lines: bool  # it edited lines that the change wrote, or took it back; else only the same files


class ReplayedChange(Struct, frozen=True):
    """One merged change, and what the gate says of it."""

    commit: str  # the commit on the main line
    base: str  # its first parent, which it was compared with
    time: str  # when it was committed
    subject: str  # its subject
    merge: bool  # whether it is a merge
    outcome: str  # `stopped`, `passed`, or `not_judged` where a scan saw too little
    why: str  # why it was not judged; else empty
    broken: tuple[ChangeItem, ...]  # what it broke
    new: tuple[Crime, ...]  # the new findings that fail the gate
    followed_by: tuple[FollowUp, ...]  # fixes of the same files and reverts, oldest first; of stopped changes


class ReplayTotals(Struct, frozen=True):
    """How many changes ended how."""

    changes: int  # changes that were replayed
    passed: int  # changes that the gate lets pass
    stopped: int  # changes that the gate stops
    broken: int  # of those, changes that break something
    followed: int  # of the stopped ones, changes that a fix or a revert of the same lines followed
    not_judged: int  # changes of which a scan saw too little


class Replay(Struct, frozen=True):
    """The type behind `crimes replay --format json`."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    head: str  # the newest commit
    gate: str  # what the gate stops, in words
    summary: ReplayTotals  # totals
    changes: tuple[ReplayedChange, ...]  # newest first
    warnings: tuple[str, ...]  # anything else a reader should know


class _Judgement(Struct, frozen=True):
    """What the gate says of one change."""

    outcome: str
    why: str = ""
    broken: tuple[ChangeItem, ...] = ()
    new: tuple[Crime, ...] = ()

    @property
    def files(self) -> frozenset[str]:
        """The files that the objections are about."""
        items = {name for item in self.broken for name in (item.file, *(place.file for place in item.places))}
        return frozenset(items | {crime.file for crime in self.new})


class _PresentSettings(Session):
    """A session that judges every commit by the present settings. The last reports stay: one change's base is another's head."""

    @cached_property
    def _settings(self) -> Config:
        return super().config()

    @cached_property
    def _reports(self) -> dict[str, Report]:
        return {}

    def config(self) -> Config:
        return self._settings

    def config_at(self, commit: str) -> Config:
        return self._settings

    def report_on_commit(
        self, commit: str, config: Config | None = None, differing: frozenset[str] | None = None
    ) -> Report:
        reports = self._reports
        if commit not in reports:
            while len(reports) > 1:
                del reports[next(iter(reports))]
            reports[commit] = super().report_on_commit(commit, self._settings, differing)
        return reports[commit]


def replay(session: Session, last: int, gates: Gates | None) -> Replay:
    """The last changes of the checked-out branch before the gate. Without gates only what is broken counts: no commit is scanned."""
    root = session.root
    with git.unavailable_as(EnvironmentFault, "there is nothing to replay"):
        tree = git.find(root)
        if not has_commits(tree):
            raise Unavailable("there is no commit yet")
        changes = merged_changes(tree, last)
        head = commit_of(tree, "HEAD")
        if not changes and is_shallow(tree):
            raise EnvironmentFault(
                "there is nothing to replay: this is a shallow clone without earlier commits; run `git fetch --unshallow`, "
                "or set fetch-depth: 0 in CI"
            )
    judge = _PresentSettings(root, session.options, session.listener, session.request)
    # Oldest first: the report on a change's head is that on the base of the next one.
    judgements = [_judge(judge, change, gates) for change in reversed(changes)][::-1]
    with git.unavailable_as(EnvironmentFault, "later commits cannot be read"):
        replayed = tuple(
            _replayed(tree, change, judgement) for change, judgement in zip(changes, judgements, strict=True)
        )
    return Replay(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=root.resolve().name,
        head=head,
        gate=_describe(gates),
        summary=_totals(replayed),
        changes=replayed,
        warnings=_warnings(len(changes), last),
    )


def _judge(session: Session, change: MergedChange, gates: Gates | None) -> _Judgement:
    """What the gate says of a change; nothing where git cannot read it, as in a clone that lacks some objects."""
    try:
        return _judge_readable(session, change, gates)
    except EnvironmentFault as fault:
        return _Judgement(NOT_JUDGED, why=str(fault))


def _judge_readable(session: Session, change: MergedChange, gates: Gates | None) -> _Judgement:
    if gates is None:
        broken = _broken_by(session, change)
        return _Judgement(STOPPED if broken else PASSED, broken=broken)
    compared = compare_states(session, Range(change.base, change.commit, from_merge_base=False))
    comparison = gates.apply_to_new(compared.comparison, compared.now)
    return _judgement(comparison.gate, comparison.broken, comparison.new)


def _judgement(gate: Gate | None, broken: tuple[ChangeItem, ...], new: Iterable[Crime]) -> _Judgement:
    if broken:
        return _Judgement(STOPPED, broken=broken)
    if gate is None or gate.exit == 0:
        return _Judgement(PASSED)
    if gate.outcome == _NOT_EVALUATED:
        return _Judgement(NOT_JUDGED, why=gate.why)
    return _Judgement(STOPPED, new=tuple(crime for crime in new if crime.id in gate.failed))


def _broken_by(session: Session, change: MergedChange) -> tuple[ChangeItem, ...]:
    """What a change broke, from the files that differ alone."""
    with git.unavailable_as(EnvironmentFault, f"{change.base[:12]} cannot be compared"):
        changes = difference(session.root, change.base, change.commit, lines=False).changes.values()
    with session.change_states(session.config(), change.base, change.commit, changes) as states:
        items = items_of_change(session.root, states)
    return tuple(item for item in items if item.level is Level.BROKEN)


def _replayed(tree: git.WorkTree, change: MergedChange, judgement: _Judgement) -> ReplayedChange:
    followed_by: tuple[FollowUp, ...] = ()
    if judgement.outcome == STOPPED:
        followed_by = tuple(
            FollowUp(
                kind="revert" if commit.is_revert else "fix",
                commit=commit.commit,
                time=commit.time.isoformat(),
                subject=commit.subject,
                same_lines=commit.same_lines,
            )
            for commit in later_commits(tree, change, judgement.files)
        )
    return ReplayedChange(
        commit=change.commit,
        base=change.base,
        time=change.time.isoformat(),
        subject=change.subject,
        merge=change.is_merge,
        outcome=judgement.outcome,
        why=judgement.why,
        broken=judgement.broken,
        new=judgement.new,
        followed_by=followed_by,
    )


def _totals(changes: Collection[ReplayedChange]) -> ReplayTotals:
    stopped = [change for change in changes if change.outcome == STOPPED]
    return ReplayTotals(
        changes=len(changes),
        passed=sum(change.outcome == PASSED for change in changes),
        stopped=len(stopped),
        broken=sum(bool(change.broken) for change in stopped),
        followed=sum(any(commit.same_lines for commit in change.followed_by) for change in stopped),
        not_judged=sum(change.outcome == NOT_JUDGED for change in changes),
    )


def _describe(gates: Gates | None) -> str:
    parts = ["something broken"]
    if gates and gates.fail_on is not None:
        parts.append(
            f"a new finding of severity {gates.fail_on}" + ("" if gates.fail_on == "high" else " or worse")
        )
    if gates and gates.fail_on_risk is not None:
        parts.append(f"a new finding with agent_risk {gates.fail_on_risk:g} or more")
    if gates and gates.fail_on_new:
        parts.append("any new finding")
    return ", ".join(parts[:-1]) + " or " * (len(parts) > 1) + parts[-1]


def _warnings(replayed: int, requested: int) -> tuple[str, ...]:
    if replayed >= requested:
        return ()
    return (f"the history here has {replayed} of the {requested} changes that were asked for",)
